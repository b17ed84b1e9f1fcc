import type { Equipment } from '../../contract/equipment.js'
import { BAUD_RATES } from '../../contract/topics/equipment/equipment-line.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { argumentWord } from '../../kit/shell-word.js'
import { probeAtRates } from '../../probe/baud-rates.js'
import type { Finding } from '../../probe/finding.js'
import { probe } from '../../probe/probe.js'
import type { LineTarget } from '../../probe/target.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { optional } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, numberFlag, switchFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { EQUIPMENT_FLAGS, parseAddress } from './equipment-flags.js'
import { findingFields, findingRecord, kindOfFinding, nextAfterFinding, type Tested } from './probe-output.js'
import { registeredHere, typedFor } from './registered-equipment.js'

const hasSession = ({ connection_state }: Equipment): boolean =>
  connection_state === 'SELECTED' || connection_state === 'NOT_SELECTED'

export const equipmentTest = verb(GatewayCommand, {
  summary: 'Show from this machine what responds at an address, or at the address of registered equipment.',
  description:
    'Needs no gateway, except for the name of registered equipment, which stands for its address, transport and device ID. Connects, selects, sends S1F13, S1F1 and Linktest.req, and ends the session. If SECS-I responds instead of HSMS, or with --transport secs1-tcp, or at a serial port, it asks the same over SECS-I. It also recognises a terminal server in Telnet mode, a line that changes bytes (baud rate, parity), a wrong master setting, and a line on which nothing responds. Equipment has one session; during the test it refuses another host. The test acknowledges no event and no alarm. Exit code 0: GEM equipment that is online; 6: nothing is there; 7: no response; 8: something else responds.',
  examples: [
    'secsctl equipment test 127.0.0.1:5000',
    'secsctl equipment test etcher',
    'secsctl equipment test 127.0.0.1:5000 --device-id 3 --json',
    'secsctl equipment test --listen 5001 --wait 1m',
    'secsctl equipment test 10.0.0.9:4001 --transport secs1-tcp',
    'secsctl equipment test /dev/ttyUSB0 --baud-rate 19200',
    'secsctl equipment test /dev/ttyUSB0 --try-baud-rates',
  ],
  args: {
    address: optional(
      'HOST:PORT at which the equipment listens, the path of a serial port, or the name of registered equipment.',
    ),
  },
  flags: {
    listen: numberFlag('Wait for equipment that dials in, and identify it.', {
      min: 1,
      max: 65535,
      helpValue: 'PORT',
    }),
    wait: textFlag('DURATION', 'With --listen: how long to wait for somebody.', { default: '30s' }),
    transport: choiceFlag(
      ['secs1-tcp'] as const,
      'Test over SECS-I at once; left out, HSMS is tried first. A serial port has SECS-I.',
    ),
    'baud-rate': EQUIPMENT_FLAGS['baud-rate'],
    'try-baud-rates': switchFlag('Serial port: try all speeds, 12 s each, until the equipment responds.', {
      exclusive: ['baud-rate'],
    }),
    master: EQUIPMENT_FLAGS.master,
    'device-id': numberFlag(
      'Device ID to ask for; without it that of the registered equipment, otherwise 0.',
      { min: 0, max: 32767 },
    ),
    timeout: textFlag(
      'DURATION',
      'How long each step may take: the dial, Select.rsp, a reply; SECS-I: four times as long for EOT.',
      { default: '3s' },
    ),
  },
  async run(on, { args, flags }) {
    const { 'try-baud-rates': triesRates } = flags
    const registered = isName(args.address) ? await on.equipment(args.address) : undefined
    const typed = registered ? typedFor(registered, flags) : { ...flags, address: args.address }
    const tested: Tested = {
      ...whereabouts(typed.address, typed.listen),
      deviceId: flags['device-id'] ?? registered?.device_id ?? 0,
      line: lineOf(typed.address, typed),
      registered,
    }
    const path = tested.line?.serialPort
    if (path === undefined && (triesRates || flags['baud-rate'] !== undefined))
      throw wrongUsage('a baud rate goes with a serial port, such as /dev/ttyUSB0')
    const timeoutMs = parseDuration(flags.timeout, '--timeout')
    const waitMs = parseDuration(flags.wait, '--wait')
    if (timeoutMs === 0) throw wrongUsage('--timeout is more than 0s')
    await spareSessions(on, tested)
    const what = path ?? `${tested.host}:${tested.port}`
    const result = await on.during(tested.role === 'active' ? `testing ${what}` : '', async (progress) => {
      const listening = (): void =>
        progress.start(`waiting for a peer that dials port ${tested.port} of this machine`)
      const target = { ...tested, timeoutMs, waitMs, listening }
      try {
        if (!triesRates) return { tested, finding: await probe(target, on.clock) }
        const { finding, baudRate } = await probeAtRates(target, on.clock, (rate) =>
          progress.start(`testing ${what} at ${rate} baud`),
        )
        return { tested: { ...tested, line: { ...tested.line, baudRate } }, finding }
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ListenError') throw error
        throw new Failure('state', error.message, 'secsctl daemon status', error)
      }
    })
    printFinding(on, result.tested, result.finding)
  },
})

/** A second connection may cost equipment the session that it has: the gateway's own is not put at risk. */
async function spareSessions(
  on: GatewayCommand,
  { role, host, port, line, registered }: Tested,
): Promise<void> {
  const path = line?.serialPort
  for (const equipment of registered ? [registered] : await registeredHere(on.session)) {
    const { name, mode, serial_port } = equipment
    const isDialled = role === 'active' && mode === 'passive'
    const same =
      path === undefined
        ? isDialled && equipment.ip_address === host && equipment.port === port
        : serial_port === path
    if (!same || !hasSession(equipment)) continue
    throw new Failure(
      'state',
      path === undefined
        ? `${host}:${port} is ${name}, and the gateway has its one session: a test would only be refused`
        : `${path} is ${name}, and the gateway has the port open`,
      `secsctl equipment check ${argumentWord(name)}`,
    )
  }
}

function printFinding(on: GatewayCommand, tested: Tested, finding: Finding): void {
  on.printRecord(findingRecord(tested, finding), findingFields(tested, finding))
  for (const next of nextAfterFinding(tested, finding)) {
    on.note(next.startsWith('secsctl ') ? `Next: ${next}` : next)
  }
  const kind = kindOfFinding(finding)
  if (kind !== undefined) on.environment.exitCode = EXIT_CODES[kind]
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
  if (isSerialPort(address)) return { role: 'active', host: '', port: 0 }
  const { ip_address: host, port: dialled } = parseAddress(address, 'the address')
  return { role: 'active', host, port: dialled }
}

/** Neither the path of a device nor HOST:PORT, nor an address whose port was forgotten. */
const isName = (given: string | undefined): given is string =>
  given !== undefined && !isSerialPort(given) && !/:|^\d+(\.\d+){3}$/.test(given)

/** The path of a device, or the name of a port of Windows. */
const isSerialPort = (address = ''): boolean => /^(\/|\\\\\.\\|COM\d+$)/i.test(address)

/** What is said of the line; undefined where the test has to find out whether there is one. */
function lineOf(
  address: string | undefined,
  flags: {
    readonly transport?: string | undefined
    readonly master?: string | undefined
    readonly 'baud-rate'?: number | undefined
  },
): LineTarget | undefined {
  const { transport, master, 'baud-rate': baudRate } = flags
  const isSerial = isSerialPort(address)
  if (isSerial && transport !== undefined) throw wrongUsage('a serial port has SECS-I: leave --transport out')
  if (baudRate !== undefined && !BAUD_RATES.some((rate) => rate === baudRate))
    throw wrongUsage(`--baud-rate is one of ${BAUD_RATES.join(', ')}`)
  const isMaster = master === 'host'
  if (isSerial) return { serialPort: address, baudRate, isMaster }
  if (transport === 'secs1-tcp') return { isMaster }
  if (master !== undefined) throw wrongUsage('--master needs SECS-I: add --transport secs1-tcp')
  return undefined
}
