import { expect, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import { Problem } from '../../src/contract/errors.js'
import type { Message, NewMessage, Sent } from '../../src/contract/topics/messages.js'
import { type AppliedReports, REPORTS_MISSING, REPORTS_REFUSED } from '../../src/contract/topics/reports.js'
import { type Check, checksOf } from '../../src/inspection/equipment-check.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const NOW = new Date(2026, 2, 1, 8, 0, 0)

type Replies = Readonly<Record<string, Message['data'] | Problem>>

const HEALTHY: Replies = {
  S1F1: { MDLN: 'ETCHER', SOFTREV: '2.4' },
  S1F11: {
    ROWS: [
      { SVID: '1002', SVNAME: 'ControlState', UNITS: '' },
      { SVID: '7', SVNAME: 'Power', UNITS: 'W' },
    ],
  },
  S1F3: { SV: '5' },
  S2F17: { TIME: '2026030108000000' },
}

const message = (data: Message['data']): Message => ({
  id: '1',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  direction: 'received',
  from: 'equipment',
  to: 'gateway',
  stream: 1,
  function: 1,
  name: 'S1F1',
  w_bit: true,
  session_id: 0,
  system_bytes: 1,
  sent_by: null,
  data,
  body: null,
  sml: '',
  at: NOW.toISOString(),
  collection_event: null,
  reply_to: null,
  latency_ms: 1.25,
})

const NO_REPORTS: AppliedReports = {
  definition: null,
  applied_at: null,
  applied_by: null,
  state: 'none',
  checked_at: null,
  last_error: null,
  changed_elsewhere: null,
}

async function check(
  change: Partial<Equipment> = {},
  replies: Replies = HEALTHY,
  reports: Partial<AppliedReports> = {},
) {
  const asked: string[] = []
  const equipment = sampleEquipment(change)
  const checks: Check[] = []
  const world = {
    ask: async ({ stream, function: fn }: NewMessage): Promise<Sent> => {
      asked.push(`S${stream}F${fn}`)
      const reply = replies[`S${stream}F${fn}`] ?? null
      if (reply instanceof Problem) throw reply
      return { message: message(null), reply: message(reply) }
    },
    record: async () => equipment,
    reports: async () => ({ ...NO_REPORTS, ...reports }),
    now: () => NOW,
  }
  for await (const one of checksOf(equipment, world)) checks.push(one)
  const of = (name: Check['name']) => checks.find(({ name: it }) => it === name)
  return { checks, of, asked, first: checks.find(({ mark }) => mark === 'wrong') }
}

test('equipment that is well is ok in all', async () => {
  const { checks, of } = await check()
  expect(checks.filter(({ mark }) => mark !== 'ok')).toEqual([])
  expect(of('reply')?.detail).toBe('S1F1 got its reply in 1.3 ms: ETCHER 2.4')
  expect(of('variables')?.detail).toBe('2 status variables (S1F11)')
  expect(of('control')?.detail).toBe('ONLINE_REMOTE')
  expect(of('clock')?.detail).toBe('right to 0.0 s')
})

test('only questions are asked', async () => {
  expect((await check()).asked).toEqual(['S1F1', 'S1F11', 'S1F3', 'S2F17'])
})

const DEFINITION = { reports: [], events: [] }
const REFUSED = { detail: 'S2F35 was refused', at: NOW.toISOString() }

test.each<[what: string, Partial<AppliedReports>, Partial<Check> | undefined]>([
  ['that never had any', {}, undefined],
  ['that has them', { definition: DEFINITION, state: 'present' }, { mark: 'ok' }],
  [
    'of which that is not known',
    { definition: DEFINITION, state: 'unknown' },
    { mark: 'note', detail: 'whether it has the event reports that were applied is not known' },
  ],
  [
    'that has lost them',
    { definition: DEFINITION, state: 'missing', last_error: REFUSED },
    {
      ...{ mark: 'wrong', kind: 'equipment', detail: `${REPORTS_MISSING}: S2F35 was refused` },
      mend: 'secsctl reports show etcher -o yaml | secsctl reports apply etcher - --again',
    },
  ],
  [
    'that has refused the first',
    { state: 'missing', last_error: REFUSED },
    {
      ...{ mark: 'wrong', detail: `${REPORTS_REFUSED}: S2F35 was refused` },
      mend: 'secsctl reports apply etcher FILE',
    },
  ],
])('the event reports of equipment %s', async (_, reports, found) => {
  const { of } = await check({}, HEALTHY, reports)
  if (found) expect(of('reports')).toMatchObject(found)
  else expect(of('reports')).toBeUndefined()
})

test('equipment that is not connected is asked nothing, and the next command finds out why', async () => {
  const last_error = { code: 'connection_refused' as const, detail: 'nothing listens', at: NOW.toISOString() }
  const { checks, asked } = await check({ connection_state: 'CONNECTING', last_error })
  expect(asked).toEqual([])
  expect(checks).toMatchObject([
    { name: 'connection', mark: 'wrong', kind: 'state', mend: 'secsctl equipment test 10.0.0.5:5000' },
  ])
})

test('equipment that nobody wants connected is connected next', async () => {
  const { first } = await check({ connection_state: 'NOT_CONNECTED', enabled: false })
  expect(first?.mend).toBe('secsctl equipment connect etcher')
})

test('equipment that does not communicate is asked nothing', async () => {
  const { first, asked } = await check({ communication_state: 'WAIT_DELAY' })
  expect(first).toMatchObject({ name: 'communication', kind: 'state' })
  expect(asked).toEqual([])
})

test('equipment that answers under the session ID of Select.req is given its device ID as session ID', async () => {
  const last_error = { code: 'wrong_session_id' as const, detail: 'it speaks', at: NOW.toISOString() }
  const { first } = await check({ communication_state: 'WAIT_CRA', device_id: 3, last_error })
  expect(first?.mend).toContain('secsctl equipment update --session-id 3 etcher')
})

test('S1F0 to S1F1 is wrong, and the control state says what to do', async () => {
  const next = [{ operation: 'goOnline' as const }]
  const S1F1 = new Problem('transaction_aborted', 'etcher aborted S1F1.', { next })
  const { first, of, asked } = await check({ control_state: 'EQUIPMENT_OFFLINE' }, { S1F1 })
  expect(first).toMatchObject({ name: 'reply', kind: 'equipment' })
  expect(of('control')).toMatchObject({ mark: 'wrong', mend: 'secsctl equipment online etcher' })
  expect(asked).toEqual(['S1F1'])
})

test('equipment that has refused to go online is not asked again: its operator has to', async () => {
  const S1F1 = new Problem('transaction_aborted', 'etcher aborted S1F1.')
  const { of } = await check({ control_state: 'EQUIPMENT_OFFLINE' }, { S1F1 })
  expect(of('control')).toMatchObject({
    detail: expect.stringContaining('operator'),
    mend: 'secsctl equipment wait etcher --for online',
  })
})

test('what ControlState says goes before what was seen', async () => {
  const { of } = await check({ control_state: 'UNKNOWN' }, { ...HEALTHY, S1F3: { SV: '4' } })
  expect(of('control')).toMatchObject({ mark: 'ok', detail: expect.stringContaining('ONLINE_LOCAL') })
})

test('equipment that knows no S1F11 and no S2F17 is not wrong', async () => {
  const problem = new Problem('equipment_error', 'S9F5')
  const { of, first } = await check({}, { ...HEALTHY, S1F11: problem, S2F17: problem })
  expect(first).toBeUndefined()
  expect([of('variables')?.mark, of('clock')?.mark]).toEqual(['note', 'note'])
})

test('an answer that does not come is wrong', async () => {
  const { first } = await check({}, { ...HEALTHY, S2F17: new Problem('reply_timeout', 'no reply') })
  expect(first).toMatchObject({ name: 'clock', kind: 'timeout', mend: 'secsctl explain reply_timeout' })
})

test('a viewer is told what was not asked', async () => {
  const problem = new Problem('forbidden', 'no')
  const { of, first } = await check({}, { S1F1: problem, S1F11: problem, S2F17: problem })
  expect(first).toBeUndefined()
  expect(of('reply')).toMatchObject({ mark: 'note', detail: expect.stringContaining('engineer') })
})

test('a clock that is off comes with the command that sets it; another time zone does not', async () => {
  const off = await check({}, { ...HEALTHY, S2F17: { TIME: '2026030108200000' } })
  expect(off.first?.mend).toBe('secsctl clock set etcher')
  const zone = await check({}, { ...HEALTHY, S2F17: { TIME: '2026030114000000' } })
  expect(zone.of('clock')).toMatchObject({ mark: 'note', detail: expect.stringContaining('time zone') })
})

test('of tapped equipment, why host and equipment do not talk, and nothing that only its host may do', async () => {
  const tap: Equipment['tap'] = {
    ...{ listen_port: 6000, host_address: '10.0.0.9', host_port: null },
    ...{ pause_seconds: 2, reads: 'short', writes: false },
  }
  const away = await check({ tap, connection_state: 'LISTENING', communication_state: 'NOT_COMMUNICATING' })
  expect(away.checks).toMatchObject([{ name: 'connection', mark: 'wrong' }])
  const quiet = await check({ tap, communication_state: 'NOT_COMMUNICATING' })
  expect(quiet.checks.at(-1)).toMatchObject({
    name: 'communication',
    detail: expect.stringContaining('host'),
  })
  const offline = { tap, control_state: 'EQUIPMENT_OFFLINE' } as const
  const { checks } = await check(offline, {
    ...HEALTHY,
    S1F3: { SV: '1' },
    S2F17: { TIME: '2026030107000000' },
  })
  const mends = checks.filter(({ name }) => name === 'control' || name === 'clock')
  expect(mends.map(({ mend }) => mend)).toEqual([undefined, undefined])
})
