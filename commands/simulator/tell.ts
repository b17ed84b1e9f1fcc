import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { resultRows, resultText } from '../../src/cli/simulator/control-answer.js'
import {
  askSimulator,
  type ControlAddress,
  NoAnswerError,
} from '../../src/simulator/control/control-client.js'
import { CONTROL_COMMANDS } from '../../src/simulator/control/control-desk.js'

export default class SimulatorTell extends BaseCommand {
  static override summary = 'Give a running simulator a command by its control port.'
  static override description =
    `The simulator was started with --control PORT. For one of a fleet the command begins with the name of the equipment, or with a pattern. The commands: ${CONTROL_COMMANDS.map(
      ({ name }) => name,
    ).join(
      ', ',
    )}; "help" describes each. Put "--" before an argument that begins with a dash. Exit code 0 when it is done, 2 for a command that is written wrong, 6 when no simulator answers, 8 when it is refused.`
  static override strict = false
  static override usage = 'simulator tell ADDRESS COMMAND... [--timeout DURATION]'
  static override examples = [
    'secsctl simulator tell 5999 status --json',
    'secsctl simulator tell 5999 set ChamberPressure 85',
    'secsctl simulator tell 5999 alarm 4001 set',
    'secsctl simulator tell 5999 ack S2F42 3',
    "secsctl simulator tell 5999 'etcher-01*' silent on",
    "secsctl simulator tell 5999 send 'S6F11 W <L <U4 1> <U4 3010> <L>>.'",
  ]
  static override args = {
    address: required('The control port, on this machine unless a host is named.'),
    command: required('What to do, such as status.'),
  }
  static override flags = {
    timeout: Flags.string({
      default: '60s',
      helpValue: 'DURATION',
      summary: 'How long to wait for the answer.',
    }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SimulatorTell)
    const [address = '', ...words] = argv.map(String)
    const timeoutMs = parseDuration(flags.timeout, '--timeout')
    const answer = await this.#answer(addressOf(address), words, timeoutMs)
    if (!answer.ok) throw new Failure(answer.code === 'usage' ? 'usage' : 'equipment', answer.error)
    if (this.format === 'json') this.printJson(answer)
    else if (this.sink.isTerminal) this.print(resultText(answer))
    else this.write(resultRows(answer))
  }

  async #answer(address: ControlAddress, words: readonly string[], timeoutMs: number) {
    try {
      return await askSimulator(address, words, this.clock, timeoutMs)
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      const hint = `secsctl simulator run etcher --control ${address.port}`
      throw new Failure('unreachable', `no simulator answered: ${error.message}`, hint)
    }
  }
}

function addressOf(text: string): ControlAddress {
  const [, host = '127.0.0.1', port] = /^(?:([^\s:]+):)?(\d{1,5})$/.exec(text) ?? []
  const number = Number(port)
  if (number >= 1 && number <= 65535) return { host, port: number }
  throw wrongUsage(`[HOST:]PORT such as 5999, not "${text}"`)
}
