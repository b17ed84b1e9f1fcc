import { Flags } from '@oclif/core'
import { GLOBAL_FLAGS } from '../../src/cli/base-command.js'
import { parseAddress } from '../../src/cli/equipment/equipment-flags.js'
import {
  findingFields,
  findingRecord,
  kindOfFinding,
  nextAfterFinding,
  type Tested,
} from '../../src/cli/equipment/probe-output.js'
import { registeredAt } from '../../src/cli/equipment/registered-equipment.js'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { parseDuration } from '../../src/cli/input/durations.js'
import { SessionCommand } from '../../src/cli/session-command.js'
import type { Equipment } from '../../src/contract/equipment.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'
import { shellWord } from '../../src/kit/shell-word.js'
import type { Finding } from '../../src/probe/finding.js'
import { probe } from '../../src/probe/probe.js'

const hasSession = ({ connection_state }: Equipment): boolean =>
  connection_state === 'SELECTED' || connection_state === 'NOT_SELECTED'

export default class EquipmentTest extends SessionCommand {
  static override summary = 'Say what stands at an address, from this machine and without a gateway.'
  static override description =
    'Dials, selects, sends S1F13, S1F1 and Linktest.req, and ends the session again. An equipment has one session, which the test takes for a moment: another host that wants it meanwhile is refused. No event and no alarm is acknowledged. Ends with 0 for GEM equipment on line, 6 where nothing is there, 7 where it does not answer, 8 for all else that is there.'
  static override examples = [
    'secsctl equipment test 127.0.0.1:5000',
    'secsctl equipment test 127.0.0.1:5000 --device-id 3 --json',
    'secsctl equipment test --listen 5001 --wait 1m',
  ]
  static override args = { address: optional('HOST:PORT at which the equipment listens.') }
  static override flags = {
    listen: Flags.integer({
      min: 1,
      max: 65535,
      helpValue: 'PORT',
      summary: 'Wait for equipment that dials in, and identify it.',
    }),
    wait: Flags.string({
      default: '30s',
      helpValue: 'DURATION',
      summary: 'With --listen: how long to wait for somebody.',
    }),
    'device-id': Flags.integer({
      default: 0,
      min: 0,
      max: 32767,
      helpValue: 'N',
      summary: 'Device ID to ask for.',
    }),
    timeout: Flags.string({
      default: '3s',
      helpValue: 'DURATION',
      summary: 'How long each step may take: the dial, Select.rsp, a reply.',
    }),
  }

  static override baseFlags = GLOBAL_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentTest)
    const tested = { ...whereabouts(args.address, flags.listen), deviceId: flags['device-id'] }
    const timeoutMs = parseDuration(flags.timeout, '--timeout')
    const waitMs = parseDuration(flags.wait, '--wait')
    if (timeoutMs === 0) throw wrongUsage('--timeout is more than 0s')
    await this.#spareSessions(tested)
    const dials = tested.role === 'active' ? `testing ${tested.host}:${tested.port}` : ''
    const finding = await this.during(dials, async (progress) => {
      const listening = (): void =>
        progress.start(`waiting for a peer that dials port ${tested.port} of this machine`)
      try {
        return await probe({ ...tested, timeoutMs, waitMs, listening }, this.clock)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ListenError') throw error
        throw new Failure('state', error.message, 'secsctl daemon status', error)
      }
    })
    this.#printFinding(tested, finding)
  }

  /** A second connection may cost equipment the session that it has: the gateway's own is not put at risk. */
  async #spareSessions({ role, host, port }: Tested): Promise<void> {
    const session = this.session
    for (const equipment of await registeredAt(session, port)) {
      const same = role === 'active' && equipment.mode === 'passive' && equipment.ip_address === host
      if (!same || !hasSession(equipment)) continue
      const { name } = equipment
      throw new Failure(
        'state',
        `${host}:${port} is ${name}, and the gateway has its one session: a test would only be refused`,
        `secsctl equipment check ${shellWord(name)}`,
      )
    }
  }

  #printFinding(tested: Tested, finding: Finding): void {
    this.printRecord(findingRecord(tested, finding), findingFields(finding))
    for (const next of nextAfterFinding(tested, finding)) {
      this.note(next.startsWith('secsctl ') ? `Next: ${next}` : next)
    }
    const kind = kindOfFinding(finding)
    if (kind !== undefined) this.environment.exitCode = EXIT_CODES[kind]
  }
}

function whereabouts(
  address: string | undefined,
  port: number | undefined,
): Pick<Tested, 'role' | 'host' | 'port'> {
  if (port !== undefined) {
    if (address !== undefined) throw wrongUsage('--listen waits for anybody: no address goes with it')
    return { role: 'passive', host: '0.0.0.0', port }
  }
  if (address === undefined)
    throw wrongUsage('which address? HOST:PORT, or --listen PORT for equipment that dials in')
  const { ip_address: host, port: dialled } = parseAddress(address, 'the address')
  return { role: 'active', host, port: dialled }
}
