import { expect, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import { tapAfter } from '../../src/contract/topics/equipment/equipment-tap.js'
import {
  type TapLine,
  type TapPair,
  type TapReport,
  type TapSide,
  tapEndpoints,
} from '../../src/contract/topics/equipment/tap-report.js'
import { type TapFinding, tapFindings, tapVerdict } from '../../src/inspection/tap-check.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const WELL = tapEndpoints.getTap.examples?.reply as TapReport
const LINE = WELL.line as TapLine
const PAIR = LINE.pair as TapPair
const HOST_DIALS = {
  ip_address: '10.0.0.5',
  port: 5000,
  tap: tapAfter(null, { listen_port: 6000, host_address: '10.0.0.9' }),
} satisfies Partial<Equipment>
const TOOL_DIALS = {
  ...HOST_DIALS,
  mode: 'active',
  tap: tapAfter(null, { host_address: '10.0.0.9', host_port: 5000 }),
} satisfies Partial<Equipment>

const LINK: NonNullable<Equipment['tap_link']> = {
  ...{ state: 'closed', since: null, host: null, refused: 0, last_refused: null, unrecorded: 0 },
}

interface Change {
  readonly equipment?: Partial<Equipment>
  readonly line?: Partial<TapLine> | null
  readonly pair?: Partial<TapPair> | null
  readonly host?: Partial<TapSide>
  readonly tool?: Partial<TapSide>
  readonly gateway?: Partial<TapReport['gateway']>
  readonly unknownReports?: readonly string[]
}

function check(change: Change = {}) {
  const pair =
    change.pair === null
      ? null
      : {
          ...PAIR,
          ...change.pair,
          host: { ...PAIR.host, ...change.host },
          equipment: { ...PAIR.equipment, ...change.tool },
        }
  const line = change.line === null ? null : { ...LINE, pair, ...change.line }
  const findings = tapFindings({
    equipment: sampleEquipment({ ...HOST_DIALS, ...change.equipment }),
    report: { ...WELL, line, gateway: { ...WELL.gateway, ...change.gateway } },
    unknownReports: change.unknownReports ?? [],
  })
  const of = (name: TapFinding['name']) => findings.find((one) => one.name === name)
  const marked = (mark: TapFinding['mark']) =>
    findings.filter((one) => one.mark === mark).map(({ name }) => name)
  return { findings, of, marked, verdict: tapVerdict(findings) }
}

/** The time of the report, so many seconds before. */
const before = (seconds: number): string => new Date(Date.parse(WELL.at) - seconds * 1000).toISOString()
const over = (change: Partial<TapPair> = {}, seconds = 60): TapPair => ({
  ...PAIR,
  since: before(seconds),
  ended: { at: before(seconds), by: 'host', how: 'closed' },
  ...change,
})

test('a tap that is well is ok in all, and says so', () => {
  const { marked, of, verdict } = check()
  expect(marked('ok').length).toBe(15)
  expect(of('host')?.detail).toContain('10.0.0.9:51712')
  expect(verdict).toMatch(/what they saw without it/)
})

test.each<[what: string, change: Change, name: TapFinding['name'], detail: RegExp, mend?: RegExp]>([
  [
    'is not to be connected',
    { equipment: { enabled: false } },
    'tap',
    /not to be connected/,
    /equipment connect/,
  ],
  [
    'has a port that is taken',
    { line: { listening: null, fault: 'port 6000 is in use' } },
    'tap',
    /port 6000 is in use/,
  ],
  [
    'has a process that does not respond',
    { line: null, equipment: { tap_link: { ...LINK, state: 'waiting' } } },
    'tap',
    /does not respond/,
  ],
  ['was never open yet', { line: null, equipment: { tap_link: LINK } }, 'tap', /being started/, /tap status/],
  [
    'cannot listen, which its process has told before it forgot it',
    {
      line: null,
      equipment: {
        tap_link: LINK,
        last_error: { code: 'listen_failed', detail: 'port 6000 is taken', at: WELL.at },
      },
    },
    'tap',
    /port 6000 is taken/,
  ],
  [
    'is dialled by nobody',
    { pair: null },
    'host',
    /nobody has dialled port 6000 .* 10\.0\.0\.9 .* instead of 10\.0\.0\.5:5000/,
  ],
  [
    'is dialled from the wrong address',
    {
      pair: null,
      line: { refused: [{ address: '10.0.0.17', reason: 'stranger', count: 3, last_at: before(5) }] },
    },
    'host',
    /10\.0\.0\.17 was refused 3 times.*only 10\.0\.0\.9 may/,
    /update \S+ --tap-host 10\.0\.0\.17/,
  ],
  [
    'is dialled by equipment from the wrong address',
    {
      equipment: TOOL_DIALS,
      pair: null,
      line: { refused: [{ address: '10.0.0.6', reason: 'stranger', count: 1, last_at: before(5) }] },
    },
    'equipment',
    /10\.0\.0\.6 was refused once/,
    /--address 10\.0\.0\.6:5000/,
  ],
  ['has lost its host', { pair: null, line: { last_pair: over() } }, 'host', /the host closed first/],
  [
    'cannot dial the equipment',
    {
      pair: null,
      line: { not_dialled: { count: 2, detail: 'nothing listens at 10.0.0.5:5000', last_at: before(1) } },
    },
    'equipment',
    /2 times: nothing listens/,
    /equipment test 10\.0\.0\.5:5000/,
  ],
  [
    'has equipment that accepts its host alone',
    {
      pair: null,
      line: {
        last_pair: over({
          selected: false,
          equipment: { ...PAIR.equipment, bytes: 0 },
          ended: { at: before(59), by: 'equipment', how: 'closed' },
        }),
      },
    },
    'equipment',
    /before it sent a byte.*10\.0\.0\.2, there/,
  ],
  [
    'waits for Select.rsp',
    {
      pair: { selected: false, select: null },
      host: { unanswered: { name: 'Select.req', since: before(12) } },
    },
    'select',
    /equipment has not responded to Select.req for 12.0 s/,
  ],
  [
    'has equipment that refuses Select.req',
    { pair: { selected: false, select: { status: 3, text: 'exhausted' } } },
    'select',
    /status 3, exhausted/,
  ],
  [
    'has no established communication',
    { equipment: { communication_state: 'NOT_COMMUNICATING' } },
    'communication',
    /no S1F13/,
    /--message S1F13/,
  ],
  ['has two device IDs', { tool: { session_id: 1 } }, 'device ID', /host sends 0, the equipment 1/],
  [
    'has a device ID that the equipment does not know',
    { gateway: { stream9: [{ message: 'S9F1', count: 2, last_at: before(1) }] } },
    'device ID',
    /S9F1, 2 times/,
  ],
  ['has bytes that are no HSMS', { host: { readable: false } }, 'from host', /no HSMS/],
  [
    'has a primary of the host without a reply',
    { gateway: { outcomes: [{ outcome: 'timed_out', count: 2 }] } },
    'transactions',
    /within T3 2 times/,
    /--outcome timed_out/,
  ],
  [
    'has a primary of the equipment without a reply',
    { gateway: { equipment: { ...WELL.gateway.equipment, open: 1, oldest_ms: 80_000 } } },
    'transactions',
    /host has not replied to 1 of the equipment, the oldest for 1 min 20 s/,
  ],
  [
    'has equipment that misses replies of the host',
    { gateway: { stream9: [{ message: 'S9F9', count: 1, last_at: before(1) }] } },
    'errors',
    /S9F9 once: a reply of the host/,
    /--message S9/,
  ],
  [
    'has a linktest without a response',
    { tool: { unanswered: { name: 'Linktest.req', since: before(9) } } },
    'linktest',
    /host has not responded to Linktest.req for 9.0 s/,
  ],
])('a tap that %s is wrong', (_, change, name, detail, mend) => {
  const { of, verdict } = check(change)
  expect(of(name)).toMatchObject({
    mark: 'wrong',
    detail: expect.stringMatching(detail),
    kind: expect.any(String),
  })
  if (mend) expect(of(name)?.mend).toMatch(mend)
  expect(verdict).toContain(name)
})

test.each<[what: string, change: Change, name: TapFinding['name'], detail: RegExp]>([
  [
    'another address was refused while the host is connected',
    { line: { refused: [{ address: '10.0.0.99', reason: 'stranger', count: 1, last_at: before(1) }] } },
    'host',
    /10\.0\.0\.99 once/,
  ],
  ['no message has passed', { host: { session_id: null } }, 'device ID', /not seen yet/],
  [
    'another device ID is registered',
    { equipment: { device_id: 7 } },
    'device ID',
    /0 on both sides, registered is 7/,
  ],
  ['a side is silent', { tool: { last_at: null } }, 'from equipment', /nothing yet/],
  [
    'the equipment complains about a body',
    { gateway: { stream9: [{ message: 'S9F7', count: 1, last_at: before(1) }] } },
    'errors',
    /S9F7 once/,
  ],
  [
    'a side rejects',
    { tool: { control: [{ name: 'Reject.req', count: 2 }] } },
    'errors',
    /Reject.req of the equipment 2/,
  ],
  ['the host does not read', { host: { held_ms: 3_200 } }, 'delay', /host did not read for 3.2 s/],
  ['messages are not recorded', { gateway: { unrecorded: 12 } }, 'record', /12 messages/],
  [
    'reports are not known',
    { unknownReports: ['5', '7'] },
    'definitions',
    /reports 5, 7 are not known until the host/,
  ],
])('that %s is a note, and the verdict stays', (_, change, name, detail) => {
  const { of, marked, verdict } = check(change)
  expect(of(name)).toMatchObject({ mark: 'note', detail: expect.stringMatching(detail) })
  expect(marked('wrong')).toEqual([])
  expect(verdict).toMatch(/what they saw without it.*Look at/)
})

test('a Linktest.req that is under way is no fault, and a linktest counts by who sent it', () => {
  const { of } = check({ host: { unanswered: { name: 'Linktest.req', since: before(1) } } })
  expect(of('linktest')).toMatchObject({ mark: 'ok', detail: expect.stringContaining('3 of the host') })
})

test('what the gateway has sent is said, and the side that dials is refused in its own line', () => {
  expect(check().of('gateway')?.detail).toContain('2 sent')
  expect(check({ pair: { gateway_sent: 0 } }).of('gateway')?.detail).toContain('nothing')
  const { findings } = check({ equipment: TOOL_DIALS, pair: null })
  expect(findings.map(({ name, mark }) => [name, mark])).toEqual([
    ['tap', 'ok'],
    ['host', 'note'],
    ['equipment', 'wrong'],
  ])
})
