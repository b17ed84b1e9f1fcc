import type { Equipment } from '../../contract/equipment.js'
import type { ErrorKind } from '../../contract/errors.js'
import { argumentWord, shellWord } from '../../kit/shell-word.js'
import type { Finding, Found } from '../../probe/finding.js'
import type { LineTarget } from '../../probe/target.js'

/** What was tested, for the commands that come next. */
export interface Tested {
  /** Who dialled: `active` where this machine did. */
  readonly role: 'active' | 'passive'
  readonly host: string
  readonly port: number
  readonly deviceId: number
  /** What was said of the line, where SECS-I was asked for. */
  readonly line?: LineTarget | undefined
  /** The registered equipment whose name was given. */
  readonly registered?: Equipment | undefined
}

interface Meaning {
  /** In a few words. */
  readonly says: string
  /** Undefined where all is well. */
  readonly kind?: ErrorKind
  /** What to do: a command where there is one. */
  readonly next: (tested: Tested, finding: Finding) => readonly string[]
}

const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** The host of the connection's other side; the one that was given, where none came about. */
function peer({ host }: Tested, { remote }: Finding): string {
  return remote?.slice(0, remote.lastIndexOf(':')) ?? host
}

/** To connect registered equipment, or to change what the test found otherwise. */
function use(tested: Tested, finding: Finding): string {
  const { registered, deviceId, line } = tested
  if (!registered) return add(tested, finding)
  const { name, device_id, transport, baud_rate, master } = registered
  const foundMaster = line?.isMaster ? 'host' : 'equipment'
  const changes = [
    ...(finding.transport && transport === 'hsms' ? ['--transport secs1-tcp'] : []),
    ...(line?.baudRate === undefined || line.baudRate === baud_rate ? [] : [`--baud-rate ${line.baudRate}`]),
    ...(!line || foundMaster === master ? [] : [`--master ${foundMaster}`]),
    ...(deviceId === device_id ? [] : [`--device-id ${deviceId}`]),
  ]
  const verb = changes.length === 0 ? 'connect' : 'update'
  return ['secsctl equipment', verb, argumentWord(name), ...changes].join(' ')
}

function add(tested: Tested, finding: Finding): string {
  const { role, port, deviceId, line } = tested
  const path = line?.serialPort
  const mode = role === 'passive' ? ' --mode active' : ''
  const device = deviceId === 0 ? '' : ` --device-id ${deviceId}`
  const master = line?.isMaster ? ' --master host' : ''
  const place =
    path === undefined
      ? `--address ${peer(tested, finding)}:${port}${mode}${finding.transport ? ' --transport secs1-tcp' : ''}`
      : `--serial-port ${shellWord(path)}${baudRate(line)}`
  return `secsctl equipment add NAME ${place}${device}${master}`
}

const baudRate = (line: LineTarget | undefined): string =>
  line?.baudRate === undefined ? '' : ` --baud-rate ${line.baudRate}`

/** Registered equipment that speaks another protocol than its record has. */
const updateTransport = ({ name }: Equipment, transport: string): string =>
  `secsctl equipment update ${argumentWord(name)} --transport ${transport}`

/** The same test, but for what is changed. */
function again(tested: Tested, change: { deviceId?: number | 'N'; master?: 'equipment' | 'host' }): string {
  const { role, host, port, line, registered } = tested
  const path = line?.serialPort
  const dialled = role === 'active' ? `${host}:${port}` : `--listen ${port}`
  const place = registered ? argumentWord(registered.name) : path === undefined ? dialled : shellWord(path)
  const { deviceId = tested.deviceId, master = line?.isMaster ? 'host' : 'equipment' } = change
  return [
    `secsctl equipment test ${place}${baudRate(line)}`,
    ...(line && path === undefined ? ['--transport secs1-tcp'] : []),
    ...(change.master !== undefined || line?.isMaster ? [`--master ${master}`] : []),
    ...(deviceId === 0 && change.deviceId === undefined ? [] : [`--device-id ${deviceId}`]),
  ].join(' ')
}

/** The same test over SECS-I. */
const overLine = (tested: Tested): Tested => ({ ...tested, line: tested.line ?? {} })

const listen = ({ port }: Tested): string =>
  `Equipment whose mode is active dials out instead: secsctl equipment test --listen ${port}`

/** What each finding means to a person, and how the command ends. */
const MEANINGS: Readonly<Record<Found, Meaning>> = {
  equipment: { says: 'GEM equipment, online', next: (tested, finding) => [use(tested, finding)] },
  offline: {
    says: 'GEM equipment, offline',
    kind: 'equipment',
    next: (tested, finding) => [
      use(tested, finding),
      'Once it is connected: secsctl equipment online NAME. If it refuses, its operator has to set it online.',
    ],
  },
  denied: {
    says: 'GEM equipment that refuses communication',
    kind: 'equipment',
    next: () => ['Enable communication with the host at its panel.'],
  },
  wrong_device: {
    says: 'equipment with another device ID',
    kind: 'equipment',
    next: (tested, { deviceId }) =>
      deviceId === undefined
        ? [
            "The device ID stands in the equipment's communication settings.",
            again(tested, { deviceId: 'N' }),
          ]
        : [again(tested, { deviceId })],
  },
  no_gem: {
    says: 'equipment that speaks SECS-II, and no GEM',
    kind: 'equipment',
    next: () => ['Without S1F13 the gateway does not communicate with it. Is a GEM option to be enabled?'],
  },
  unanswered: {
    says: 'a peer that takes messages and replies to none',
    kind: 'timeout',
    next: (tested) => [
      'Some equipment does not reply to another device ID than its own.',
      again(tested, { deviceId: 'N' }),
    ],
  },
  host: {
    says: 'a host, and no equipment',
    kind: 'equipment',
    next: (tested) => [
      tested.role === 'active'
        ? "It waits for equipment that dials in. Test the equipment's own address."
        : "A host dials here. Test the equipment's own address.",
    ],
  },
  ended: {
    says: 'a peer that ended the session',
    kind: 'equipment',
    next: () => ['It may accept only hosts that it knows: see its settings and its log.'],
  },
  occupied: {
    says: 'an HSMS entity that has its session already',
    kind: 'equipment',
    next: () => [
      'Equipment has one session: end that of the other host first. Is it this gateway? secsctl equipment list',
    ],
  },
  refuses: {
    says: 'an HSMS entity that refuses a session',
    kind: 'equipment',
    next: (tested) => ['Its communication may be disabled.', listen(tested)],
  },
  closes: {
    says: 'something that closes the connection at once',
    kind: 'equipment',
    next: (tested) => [
      'It may have a session with another host, take connections from known addresses alone, or speak no HSMS.',
      tested.role === 'active' ? listen(tested) : 'Is it HSMS that it is set to?',
    ],
  },
  silent: {
    says: 'something that does not select',
    kind: 'timeout',
    next: (tested) =>
      tested.role === 'active'
        ? ['It may hold a session with another host, or speak no HSMS.', listen(tested)]
        : ['Only the side that dials selects: it may be set to passive, or speak no HSMS.'],
  },
  secs1: {
    says: 'SECS-I, and no conversation',
    kind: 'equipment',
    next: (tested) => [
      'Is its SECS-I enabled, and is no other host on the line?',
      tested.registered?.transport === 'hsms'
        ? updateTransport(tested.registered, 'secs1-tcp')
        : again(overLine(tested), {}),
    ],
  },
  hsms: {
    says: 'HSMS, not SECS-I',
    kind: 'equipment',
    next: ({ line, ...tested }) => [
      tested.registered && tested.registered.transport !== 'hsms'
        ? updateTransport(tested.registered, 'hsms')
        : again(tested, {}),
    ],
  },
  telnet: {
    says: 'a terminal server in Telnet mode',
    kind: 'equipment',
    next: (tested) => [
      'Set its port to raw TCP (also called TCP server, transparent or socket mode), with no Telnet and no RFC 2217.',
      again(overLine(tested), {}),
    ],
  },
  no_answer: {
    says: 'a line on which nothing responds to ENQ',
    kind: 'timeout',
    next: ({ line }) => [
      line?.serialPort === undefined
        ? 'Is the tool on, its SECS-I enabled, and the cable from the terminal server to the tool the right one (crossed or straight)?'
        : 'Is the tool on, its SECS-I enabled, and the cable the right one (crossed or straight)? Another baud rate may be silent, too: --try-baud-rates.',
    ],
  },
  wrong_master: {
    says: 'SECS-I with another setting of the master',
    kind: 'equipment',
    next: (tested) => [
      'One end of a line is the master, usually the equipment. An adapter or a cable that returns what is sent (echo) looks the same.',
      again(overLine(tested), { master: tested.line?.isMaster ? 'equipment' : 'host' }),
    ],
  },
  garbled: {
    says: 'a line that changes bytes',
    kind: 'equipment',
    next: ({ line }) =>
      line?.serialPort === undefined
        ? [
            'Set the serial side of the terminal server as the tool has it: its baud rate, 8 data bits, no parity, 1 stop bit, no flow control.',
          ]
        : [
            'Baud rate or parity differ. SEMI E4 has 8 data bits, no parity and 1 stop bit.',
            `secsctl equipment test ${shellWord(line.serialPort)} --try-baud-rates`,
          ],
  },
  no_port: {
    says: 'no serial port',
    kind: 'unreachable',
    next: () => ['Which ports there are: ls -l /dev/serial/by-id /dev/ttyS* /dev/ttyUSB*'],
  },
  other_protocol: {
    says: 'another protocol',
    kind: 'equipment',
    next: () => ['HSMS is at another port: the equipment shows it in its HSMS settings.'],
  },
  refused: {
    says: 'nothing: the port is refused',
    kind: 'unreachable',
    next: (tested) => ['Is its HSMS interface on, and this its port?', listen(tested)],
  },
  nothing: {
    says: 'nothing responds',
    kind: 'unreachable',
    next: ({ host }) => [`Is it on, and is a firewall between? ping ${host}`],
  },
  no_route: {
    says: 'no way there',
    kind: 'unreachable',
    next: ({ host }) => [`Is this machine on the network of the equipment? ping ${host}`],
  },
  unresolved: {
    says: 'no such name',
    kind: 'unreachable',
    next: ({ port }) => [`The IPv4 address instead: secsctl equipment test 10.0.0.5:${port}`],
  },
  nobody: {
    says: 'nobody dialled in',
    kind: 'timeout',
    next: ({ port }) => [
      `Is the equipment's mode active, this machine's address its host, and ${port} its port? A firewall may be between.`,
    ],
  },
}

export const kindOfFinding = ({ found }: Finding): ErrorKind | undefined => MEANINGS[found].kind

export const nextAfterFinding = (tested: Tested, finding: Finding): readonly string[] =>
  MEANINGS[finding.found].next(tested, finding)

/** Where the test went. */
const testedText = ({ role, host, port, line }: Tested): string =>
  line?.serialPort ?? (role === 'active' ? `${host}:${port}` : `port ${port} of this machine`)

export function findingFields(tested: Tested, finding: Finding): (readonly [string, string])[] {
  const { found, detail, transport, remarks, remote, model, connectMs, linktestMs } = finding
  const fields: (readonly [string, string | undefined])[] = [
    ['tested', testedText(tested)],
    ['found', MEANINGS[found].says],
    ['why', detail],
    ['transport', transport],
    ['model', model && `${model.mdln} ${model.softrev}`.trim()],
    ['peer', remote],
    ['TCP', connectMs === undefined ? undefined : milliseconds(connectMs)],
    ['linktest', linktestMs === undefined ? undefined : milliseconds(linktestMs)],
    ...remarks.map((remark) => ['seen', remark] as const),
  ]
  return fields.filter((field): field is readonly [string, string] => field[1] !== undefined)
}

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 1000) / 1000

export function findingRecord(tested: Tested, finding: Finding): object {
  const { found, detail, transport = 'hsms', remarks, remote, model, deviceId } = finding
  const { connectMs, linktestMs } = finding
  return {
    tested: testedText(tested),
    found,
    detail,
    transport,
    baud_rate: tested.line?.baudRate ?? null,
    remarks,
    remote: remote ?? null,
    model: model ?? null,
    device_id: deviceId ?? null,
    connect_ms: rounded(connectMs),
    linktest_ms: rounded(linktestMs),
    next: nextAfterFinding(tested, finding),
  }
}
