import { expect, test } from 'vitest'
import { GATEWAY_STOPS } from '../../../src/contract/state-changes.js'
import type { NewEntry } from '../../../src/store/entry.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { until } from '../../support/until.js'
import { knownStates, mappedTool } from './mapped-tool.js'
import { differences, trueStates } from './true-states.js'

type Made = readonly [minute: number, name: string, data: Readonly<Record<string, unknown>>]

const time = (minute: number): string => new Date(Date.UTC(2026, 0, 31, 8, minute)).toISOString()
const link = (minute: number, name: string, from: string, to: string, cause = ''): Made => [
  minute,
  name,
  { from, to, cause },
]
const performs = (minute: number, to: string, object_id = 'PM1'): Made => [
  minute,
  'performance_state',
  {
    object_id,
    state: 'state',
    from: null,
    to,
    source: 'event',
    message_id: '1',
    details: { task: `task of ${to}` },
  },
]
/** The link is there from 8:00 on. */
const LINKED: readonly Made[] = [
  link(0, 'connecting', 'NOT_CONNECTED', 'CONNECTING'),
  link(0, 'selected', 'NOT_SELECTED', 'SELECTED'),
  link(0, 'communication_state', 'WAIT_CRA', 'COMMUNICATING'),
]
const typeOf = (name: string): string =>
  name.startsWith('message') ? 'message' : name.endsWith('_state') ? 'state' : 'connection'

async function recorded(...made: readonly Made[]) {
  const live = await LiveGateway.open({ hasMadeUpEvents: true })
  const { id } = await live.add({ port: 1, name: 'etcher' })
  await live.journal.appendAll(
    made.map(
      ([minute, name, data]): NewEntry => ({
        key: id,
        type: typeOf(name),
        name,
        at: time(minute),
        data: data as never,
      }),
    ),
  )
  const read = (from: number, to: number, query: object = {}) =>
    callsOf(live.gateway).getPerformance(
      { id },
      { query: { from: time(from), to: time(to), stretches: true, ...query } },
    )
  return { live, id, read }
}

const minuteOf = (at: string): number => (Date.parse(at) - Date.parse(time(0))) / 60_000

/** Such as `10-20 BUSY`. */
const stretches = async (read: ReturnType<Awaited<ReturnType<typeof recorded>>['read']>, module = 'PM1') =>
  (await read).items
    .find((one) => one.module === module)
    ?.stretches?.map(({ from, to, state }) => `${minuteOf(from)}-${minuteOf(to)} ${state}`)

const LOST: readonly (readonly [what: string, lostAt: number, made: readonly Made[]])[] = [
  ['the link is cut', 30, [link(30, 'disconnected', 'SELECTED', 'NOT_CONNECTED', 'connection_lost')]],
  ['the gateway stops', 30, [link(30, 'disconnected', 'SELECTED', 'NOT_CONNECTED', GATEWAY_STOPS)]],
  ['communication ends', 30, [link(30, 'communication_state', 'COMMUNICATING', 'WAIT_DELAY')]],
  ['the equipment goes offline', 30, [link(30, 'control_state', 'ONLINE_REMOTE', 'EQUIPMENT_OFFLINE')]],
  [
    'the gateway dies',
    25,
    [
      [25, 'tap_gap_that_is_none', {}],
      link(40, 'communication_state', 'DISABLED', 'NOT_COMMUNICATING'),
      link(40, 'connecting', 'NOT_CONNECTED', 'CONNECTING'),
      link(41, 'selected', 'NOT_SELECTED', 'SELECTED'),
    ],
  ],
  ['messages are not recorded', 30, [[45, 'tap_gap', { since: time(30), until: time(44), messages: 1 }]]],
]

test.each(LOST)('Where %s, the state is unknown until it is told again', async (_, lostAt, made) => {
  const { read } = await recorded(...LINKED, performs(10, 'BUSY'), ...made, performs(50, 'IDLE'))
  expect(await stretches(read(0, 60))).toEqual([
    '0-10 UNKNOWN',
    `10-${lostAt} BUSY`,
    `${lostAt}-50 UNKNOWN`,
    '50-60 IDLE',
  ])
  const inside = (await read(47, 49)).items[0]
  expect(inside).toMatchObject({ state: 'UNKNOWN', task: null, last_known: { state: 'BUSY' } })
  expect(inside?.shares.find(({ state }) => state === 'UNKNOWN')).toMatchObject({ seconds: 120, share: 1 })
})

test('What does not end the link changes nothing, and a state of long ago still holds', async () => {
  const { read, id, live } = await recorded(
    ...LINKED,
    performs(1, 'BUSY'),
    performs(2, 'IDLE', 'PM2'),
    link(20, 'control_state', 'ONLINE_LOCAL', 'ONLINE_REMOTE'),
    link(30, 'control_state', 'UNKNOWN', 'ONLINE_REMOTE'),
    performs(40, 'NO_STATE', 'PM2'),
  )
  const shown = await read(35, 45)
  expect(shown.items).toMatchObject([
    { module: 'PM1', state: 'BUSY', since: time(1), task: 'task of BUSY', last_known: null },
    { module: 'PM2', state: 'UNKNOWN', since: time(40), last_known: null },
  ])
  expect(await stretches(read(35, 45), 'PM2')).toEqual(['35-40 IDLE', '40-45 UNKNOWN'])
  expect((await read(35, 45, { module: 'PM2' })).items.map(({ module }) => module)).toEqual(['PM2'])
  expect(shown.note).toContain('no mapping')
  await expect(read(45, 45)).rejects.toMatchObject({ code: 'invalid_request' })
  const day = await callsOf(live.gateway).getPerformance({ id }, { query: { to: time(45) } })
  expect(Date.parse(day.to) - Date.parse(day.from)).toBe(24 * 3_600_000)
  expect(day.items[0]).not.toHaveProperty('stretches')
})

/** Minutes before 8:00 that a clock shows which is far behind. */
const FAR_BEHIND = -100_000

test('What is written while the clock is far behind hides no state that was told before', async () => {
  const told = Array.from({ length: 999 }, (_, at) => performs(40, at % 2 === 0 ? 'IDLE' : 'BUSY'))
  const { read } = await recorded(...LINKED, performs(5, 'BUSY'), performs(FAR_BEHIND, 'BLOCKED'), ...told)
  expect(await stretches(read(10, 60))).toEqual(['10-40 BUSY', '40-60 IDLE'])
})

test('What is written while the clock is far behind hides no loss of before', async () => {
  const cut = (minute: number) => link(minute, 'disconnected', 'SELECTED', 'NOT_CONNECTED', 'connection_lost')
  const linked = (minute: number) => LINKED.map(([, name, data]): Made => [minute, name, data])
  const changes = Array.from({ length: 196 }, (_, at) =>
    at % 2 === 0
      ? link(40, 'control_state', 'ONLINE_LOCAL', 'ONLINE_REMOTE')
      : link(40, 'control_state', 'ONLINE_REMOTE', 'ONLINE_LOCAL'),
  )
  const behind = [cut(FAR_BEHIND), ...linked(FAR_BEHIND + 1)]
  const { read } = await recorded(
    ...[...LINKED, performs(10, 'BUSY'), cut(20), ...linked(21)],
    ...[...behind, ...changes, performs(50, 'IDLE')],
  )
  expect(await stretches(read(5, 60))).toEqual(['5-10 UNKNOWN', '10-20 BUSY', '20-50 UNKNOWN', '50-60 IDLE'])
})

test('A gateway that dies while its clock is far behind hides neither that nor a loss of before', async () => {
  const { read } = await recorded(
    ...[...LINKED, performs(10, 'BUSY')],
    link(20, 'disconnected', 'SELECTED', 'NOT_CONNECTED', 'connection_lost'),
    ...LINKED.map(([, name, data]): Made => [21, name, data]),
    ...[performs(25, 'IDLE'), [30, 'tap_gap_that_is_none', {}] as const],
    [FAR_BEHIND, 'tap_gap_that_is_none', {}],
    link(40, 'communication_state', 'DISABLED', 'NOT_COMMUNICATING'),
    ...[link(40, 'connecting', 'NOT_CONNECTED', 'CONNECTING'), performs(50, 'IDLE')],
  )
  expect(await stretches(read(5, 60))).toEqual([
    '5-10 UNKNOWN',
    '10-20 BUSY',
    '20-25 UNKNOWN',
    '25-30 IDLE',
    '30-50 UNKNOWN',
    '50-60 IDLE',
  ])
})

test('Among all that is known, a module that may have changed since has no state until it is told again', async () => {
  const cut = link(30, 'disconnected', 'SELECTED', 'NOT_CONNECTED', 'connection_lost')
  const { live, id } = await recorded(...LINKED, performs(10, 'BUSY'), performs(11, 'IDLE', 'PM2'), cut)
  const listed = async () =>
    (await callsOf(live.gateway).listKnownObjects({ id }, { query: { kind: ['performance'] } })).items
  expect(await listed()).toMatchObject([
    {
      object_id: 'PM1',
      states: {
        state: { state: 'UNKNOWN', since: time(30), last_known: { state: 'BUSY', until: time(30) } },
      },
      details: {},
    },
    { object_id: 'PM2', states: { state: { state: 'UNKNOWN', last_known: { state: 'IDLE' } } } },
  ])
  const [minute, name, data] = performs(50, 'BLOCKED')
  await live.journal.append({ key: id, type: 'state', name, at: time(minute), data: data as never })
  const [told, lost] = await listed()
  expect(told).toMatchObject({ states: { state: { state: 'BLOCKED', since: time(50) } } })
  expect(told?.states['state']).not.toHaveProperty('last_known')
  expect(lost?.states['state']?.state).toBe('UNKNOWN')
})

test.each([
  ['asks for it', () => true, 'IDLE'],
  ['cannot ask for it', ({ state }: { readonly state: string }) => state !== 'performance', 'UNKNOWN'],
])('After the link was cut, a gateway that %s shows what it knows', async (_, isAsked, after) => {
  const { live, simulator, id, call, mapping } = await mappedTool()
  const status = mapping.status?.filter(isAsked) ?? []
  await call().applyGem300({ id }, { body: { ...mapping, status } })
  const telling = () => ({ messageId: '1', at: new Date().toISOString() })
  const idle = {
    kind: 'performance' as const,
    id: 'Chamber1',
    states: { state: 'IDLE' },
    details: { task: '' },
  }
  await live.gateway.objects.tell(id, [idle], telling())
  const chamber = async () =>
    await call().getPerformance({ id }, { query: { module: 'Chamber1', stretches: true } })
  expect((await chamber()).items).toMatchObject([{ state: 'IDLE' }])
  const before = live.gateway.objects.alignmentOf(id).aligned_at
  simulator.drop()
  await until(async () => (await live.gateway.equipment.get(id)).communication_state !== 'COMMUNICATING')
  expect((await chamber()).items).toMatchObject([{ state: 'UNKNOWN', last_known: { state: 'IDLE' } }])
  await until(() => {
    const { aligned_at: at } = live.gateway.objects.alignmentOf(id)
    return at !== null && at !== before
  })
  const { items, note } = await chamber()
  expect(items).toMatchObject([{ state: after }])
  expect(items[0]?.stretches?.map(({ state }) => state).slice(-2)).toEqual(
    after === 'IDLE' ? ['UNKNOWN', 'IDLE'] : ['IDLE', 'UNKNOWN'],
  )
  if (after === 'UNKNOWN') expect(note).toContain('status')
  // Told again, and no state has changed: it is recorded once.
  const changes = async () => (await live.events({ name: ['performance_state'] })).length
  const earlier = await changes()
  await live.gateway.objects.align(id)
  await live.gateway.objects.tell(id, [idle], telling())
  expect((await changes()) - earlier).toBe(after === 'IDLE' ? 0 : 1)
  await live.gateway.objects.tell(id, [idle], telling())
  expect((await changes()) - earlier).toBe(after === 'IDLE' ? 0 : 1)
  expect((await chamber()).items).toMatchObject([{ state: 'IDLE' }])
})

test('Equipment that comes online again on the same link is asked what it could not tell', async () => {
  const { live, simulator, tool, id, call } = await mappedTool()
  const chamber = async () =>
    (await call().getPerformance({ id }, { query: { module: 'Chamber1', stretches: true } })).items[0]
  await until(async () => (await chamber())?.state === 'IDLE')
  const control = async () => (await live.gateway.equipment.get(id)).control_state
  await simulator.equipment.operate('offline')
  await until(async () => (await control()) === 'EQUIPMENT_OFFLINE')
  expect(await chamber()).toMatchObject({ state: 'UNKNOWN', last_known: { state: 'IDLE' } })
  tool.load(1, 'FOUP7')
  const connects = async () => (await live.events({ name: ['selected'] })).length
  const before = await connects()
  await simulator.equipment.operate('online')
  await until(async () => (await chamber())?.state === 'IDLE')
  expect((await chamber())?.stretches?.map(({ state }) => state).slice(-3)).toEqual([
    'IDLE',
    'UNKNOWN',
    'IDLE',
  ])
  await until(() => differences(knownStates(live.gateway.objects, id), trueStates(tool)).length === 0)
  expect(await connects()).toBe(before)
})
