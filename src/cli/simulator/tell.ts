import { askSimulator, type ControlAddress, NoReplyError } from '../../simulator/control/control-client.js'
import { CONTROL_COMMANDS } from '../../simulator/control/control-desk.js'
import { BaseCommand } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { controlAddress } from './control-address.js'
import { resultRows, resultText } from './control-reply.js'

export const simulatorTell = verb(BaseCommand, {
  summary: 'Give a running simulator a command at its control port.',
  description: `The simulator was started with --control PORT. For one of a fleet the command begins with the name of the equipment, or with a pattern. The commands: ${CONTROL_COMMANDS.map(
    ({ name }) => name,
  ).join(
    ', ',
  )}; "help" describes each. Put "--" before an argument that begins with a dash. Exit code 0 when it is done, 2 for a command that is written wrong, 6 when no simulator responds, 8 when it is refused.`,
  usage: 'simulator tell ADDRESS COMMAND... [--timeout DURATION]',
  examples: [
    'secsctl simulator tell 5999 status --json',
    'secsctl simulator tell 5999 set ChamberPressure 85',
    'secsctl simulator tell 5999 alarm 4001 set',
    'secsctl simulator tell 5999 ack S2F42 3',
    "secsctl simulator tell 5999 'etcher-01*' silent on",
    "secsctl simulator tell 5999 send 'S6F11 W <L <U4 1> <U4 3010> <L>>.'",
  ],
  args: {
    address: required('The control port, on this machine unless a host is named.'),
    command: required('What to do, such as status.'),
  },
  strict: false,
  flags: {
    timeout: textFlag('DURATION', 'How long to wait for the reply.', { default: '60s' }),
  },
  async run(on, { words: [address = '', ...words], flags }) {
    const timeoutMs = parseDuration(flags.timeout, '--timeout')
    const reply = await replyOf(on, controlAddress(address), words, timeoutMs)
    if (!reply.ok) throw new Failure(reply.code === 'usage' ? 'usage' : 'equipment', reply.error)
    if (on.format === 'json') on.printJson(reply)
    else if (on.sink.isTerminal) on.print(resultText(reply))
    else on.write(resultRows(reply))
  },
})

async function replyOf(
  on: BaseCommand,
  address: ControlAddress,
  words: readonly string[],
  timeoutMs: number,
) {
  try {
    return await askSimulator(address, words, on.clock, timeoutMs)
  } catch (error) {
    if (!(error instanceof NoReplyError)) throw error
    const hint = `secsctl simulator run etcher --control ${address.port}`
    throw new Failure('unreachable', `no simulator responded: ${error.message}`, hint)
  }
}
