import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { carrierAt, EquipmentObjects } from '../../../src/gateway/gem300/view/equipment-objects.js'
import { KnownObjects } from '../../../src/gateway/gem300/view/known-objects.js'
import { objectHistory } from '../../../src/gateway/gem300/view/object-history.js'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'
import type { Gateway } from '../../../src/gateway/open-gateway.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import type { ObjectKind } from '../../../src/gem300/object-states.js'
import { A, type Item, itemsIn, L, U1 } from '../../../src/secs2/item.js'
import { LATIN1 } from '../../../src/secs2/text.js'
import { callsOf } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import type { ScriptedEquipment } from '../../support/scripted-equipment.js'
import { until } from '../../support/until.js'
import { answering } from '../services/answering.js'
import { NO_SUCH_TYPE, object, objects, row } from './object-items.js'

const job = (id: string, state: number): Item => L(A(id), U1(state))
const port = (id: string, transfer: number): Item =>
  object(id, row('PortTransferState', U1(transfer)), row('AccessMode', U1(1)))
const carrier = (id: string, status: number): Item =>
  object(id, row('CarrierIDStatus', U1(status)), row('CarrierAccessingStatus', U1(1)))

const GONE_SEEN = { kind: 'substrate', id: 'W2', states: { state: 'AT_DESTINATION' } } as const

/** The replies to S14F1 by type; equipment does not know the others. */
const byType =
  (types: Readonly<Record<string, Item>>) =>
  (asked: Item | undefined): Item => {
    const type = itemsIn(asked)[1]
    return types[type?.format === 'A' ? type.value : ''] ?? NO_SUCH_TYPE
  }

/** The states of all objects of one kind. */
const states = (gateway: Gateway, id: string, kind: ObjectKind) =>
  Object.fromEntries(
    gateway.objects
      .of(id)
      .list(kind)
      .map(({ id, states }) => [
        id,
        Object.fromEntries(Object.entries(states).map(([name, { state }]) => [name, state])),
      ]),
  )

const TYPES = {
  Port: objects(port('LP1', 1), port('LP2', 2)),
  Carrier: objects(carrier('FOUP7', 1)),
  ControlJob: objects(object('CJ-1', row('State', U1(9)))),
  Substrate: objects(object('W1', row('SubstState', U1(1)), row('SubstLocID', A('PM1')))),
}

test('The objects of equipment are known once it is asked, with the source of each state', async () => {
  const { live, id } = await answering({ S16F19: L(job('PJ-1', 3), job('PJ-2', 5)), S14F1: byType(TYPES) })
  const { gateway } = live
  expect(await gateway.objects.align(id)).toMatchObject({ refused: [], missing: [], error: null })
  expect(states(gateway, id, 'port')).toEqual({
    1: { transfer: 'TRANSFER_BLOCKED', access_mode: 'AUTO' },
    2: { transfer: 'READY_TO_LOAD', access_mode: 'AUTO' },
  })
  expect(states(gateway, id, 'carrier')).toEqual({
    FOUP7: { id_status: 'WAITING_FOR_HOST', accessing_status: 'IN_ACCESS' },
  })
  expect(states(gateway, id, 'job')).toEqual({
    'PJ-1': { state: 'PROCESSING' },
    'PJ-2': { state: 'unknown (5)' },
  })
  expect(states(gateway, id, 'control_job')).toEqual({ 'CJ-1': { state: 'unknown (9)' } })
  const [wafer] = gateway.objects.of(id).list('substrate')
  expect(wafer).toMatchObject({ details: { location: 'PM1' }, states: { state: { source: 'query' } } })
  const events = await live.events({ name: ['job_state'] })
  expect(events.map(({ data }) => data)).toMatchObject([
    { object_id: 'PJ-1', state: 'state', from: null, to: 'PROCESSING', source: 'query' },
    { object_id: 'PJ-2', to: 'unknown (5)' },
  ])
  const reply = await gateway.messages.get(String(events[0]?.data['message_id']))
  expect(reply).toMatchObject({ stream: 16, function: 20 })
  // Nothing is new: nothing is recorded.
  const before = (await live.events()).filter(({ type }) => type === 'state').length
  await gateway.objects.align(id)
  expect((await live.events()).filter(({ type }) => type === 'state')).toHaveLength(before)
})

test('An object that is gone has ended, with an unknown result unless it was over', async () => {
  let jobs = L(job('PJ-1', 3), job('PJ-2', 4))
  const { live, id } = await answering({ S16F19: () => jobs })
  await live.gateway.objects.align(id)
  jobs = L(job('PJ-3', 0))
  await live.gateway.objects.align(id)
  expect(states(live.gateway, id, 'job')).toEqual({ 'PJ-3': { state: 'QUEUED_POOLED' } })
  const ends = (await live.events({ name: ['job_state'] })).filter(({ data }) => data['to'] === 'NO_STATE')
  expect(ends.map(({ data }) => [data['object_id'], data['from'], data['result']])).toEqual([
    ['PJ-1', 'PROCESSING', 'unknown'],
    ['PJ-2', 'PROCESS_COMPLETE', undefined],
  ])
})

test('Equipment that knows neither message says so, and is asked each once', async () => {
  const { live, id, asked } = await answering({})
  expect(await live.gateway.objects.align(id)).toMatchObject({
    refused: ['S16F19', 'S14F1'],
    missing: ['job', 'port', 'carrier', 'control_job', 'substrate'],
  })
  expect(asked().filter((sml) => /S1[46]F/.test(sml))).toHaveLength(2)
})

test('A refused type leaves what is known of it, and others are asked for', async () => {
  let types: Readonly<Record<string, Item>> = TYPES
  const { live, id } = await answering({ S16F19: L(), S14F1: (asked) => byType(types)(asked) })
  await live.gateway.objects.align(id)
  types = { ControlJob: objects() }
  expect((await live.gateway.objects.align(id)).missing).toEqual(['port', 'carrier', 'substrate'])
  expect(states(live.gateway, id, 'carrier')).toHaveProperty('FOUP7')
  expect(states(live.gateway, id, 'control_job')).toEqual({})
})

const telling = (at = '2026-01-31T08:00:00.000Z') => ({ messageId: '1', at })

test('What an event has told holds against an attribute, and the difference is shown until the two agree', async () => {
  let status = 0
  const { live, id } = await answering({
    S16F19: L(),
    S14F1: byType({
      get Carrier() {
        return objects(carrier('FOUP7', status))
      },
    }),
  })
  const { objects: known } = live.gateway
  await known.align(id)
  await known.tell(
    id,
    [{ kind: 'carrier', id: 'FOUP7', states: { id_status: 'ID_VERIFICATION_OK' } }],
    telling(),
  )
  await known.align(id)
  const shown = () => known.of(id).get('carrier', 'FOUP7')?.states['id_status']
  expect(shown()).toMatchObject({
    state: 'ID_VERIFICATION_OK',
    source: 'event',
    since: '2026-01-31T08:00:00.000Z',
    object_has: 'ID_NOT_READ',
  })
  const { items } = await callsOf(live.gateway).listKnownObjects({ id }, { query: { kind: ['carrier'] } })
  expect(items).toMatchObject([{ object_id: 'FOUP7', states: { id_status: { object_has: 'ID_NOT_READ' } } }])
  status = 2
  await known.align(id)
  expect(shown()).toEqual({
    state: 'ID_VERIFICATION_OK',
    source: 'event',
    since: '2026-01-31T08:00:00.000Z',
    message_id: '1',
  })
})

test('An event while the equipment is asked is newer than the reply', async () => {
  const { live, id } = await answering({
    S16F19: () => {
      void live.gateway.objects.tell(
        id,
        [
          { kind: 'job', id: 'PJ-1', states: {}, isGone: true },
          { kind: 'job', id: 'PJ-9', states: { state: 'QUEUED_POOLED' } },
        ],
        telling(),
      )
      return L(job('PJ-1', 4), job('PJ-2', 3))
    },
  })
  await live.gateway.objects.tell(
    id,
    [{ kind: 'job', id: 'PJ-1', states: { state: 'PROCESSING' } }],
    telling(),
  )
  await live.gateway.objects.align(id)
  expect(states(live.gateway, id, 'job')).toEqual({
    'PJ-9': { state: 'QUEUED_POOLED' },
    'PJ-2': { state: 'PROCESSING' },
  })
})

/** What is known of an equipment on made-up time, whose only substrate is where its last event will say. */
async function queuing(place: string) {
  const clock = new ManualClock()
  const journal = new MemoryJournal()
  const known = new KnownObjects()
  await journal.attach([known])
  const knowledge = new KnownEquipment()
  const reading = { name: 'etcher', catalogue: STANDARD_CATALOGUE, formats: {}, text: LATIN1, knowledge }
  const substrate = object('W1', row('SubstState', U1(1)), row('SubstLocID', A(place)))
  const asked: string[] = []
  const asking = {
    reading: () => reading,
    exchange: async (_: string, subject: string, item: Item | undefined) => {
      asked.push(subject)
      const body = subject === 'S16F19' ? L() : byType({ Substrate: objects(substrate) })(item)
      return { body, ids: { message_id: '8', reply_id: '9' }, reading, subject }
    },
  }
  const view = new EquipmentObjects({
    ...{ journal, clock, known, decisions: new Decisions(journal, clock) },
    asking: asking as unknown as Asking,
    planOf: () => ({ mapping: undefined, knowledge }),
  })
  const tell = async (location: string): Promise<void> => {
    const told = { kind: 'substrate' as const, id: 'W1', states: { state: 'AT_WORK' }, details: { location } }
    await view.tell('eq_1', [told], telling(clock.date().toISOString()))
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(150)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const way = async () => {
    const subject = { equipmentId: 'eq_1', kind: 'substrate' as const }
    const { items } = await objectHistory(journal, subject, { order: 'asc' })
    return items.flatMap(({ details }) => details?.['location'] ?? [])
  }
  return { view, journal, clock, asked, tell, way }
}

test('What events tell while an earlier one is recorded is recorded together, in its order and with its time', async () => {
  const { view, journal, way } = await queuing('Chamber2')
  let writes = 0
  const { appendAll } = journal
  journal.appendAll = (entries) => {
    writes++
    return appendAll.call(journal, entries)
  }
  const places = Array.from({ length: 20 }, (_, n) => `Slot${n}`)
  const told = places.map((location, n) =>
    view.tell(
      'eq_1',
      [{ kind: 'substrate', id: 'W1', states: { state: 'AT_WORK' }, details: { location } }],
      { messageId: String(n), at: new Date(n).toISOString() },
    ),
  )
  await told[0]
  expect(await way()).toContain('Slot0')
  await Promise.all(told)
  expect(await way()).toEqual(places)
  expect(writes).toBeLessThan(places.length / 4)
  const { items } = await objectHistory(journal, { equipmentId: 'eq_1', kind: 'substrate' }, { order: 'asc' })
  expect(items.map(({ at, message_id }) => [Date.parse(at), message_id])).toEqual(
    places.map((_, n) => [n, String(n)]),
  )
})

test('An event about the carrier at a port is of the one that the event before it has told of, which is not recorded yet', async () => {
  const { view, journal } = await queuing('Chamber2')
  const telling = { messageId: '1', at: new Date(0).toISOString() }
  const states = { id_status: 'WAITING_FOR_HOST' }
  const told = [
    // This one is under way when the others come.
    view.tell('eq_1', [{ kind: 'substrate', id: 'W1', states: { state: 'AT_WORK' } }], telling),
    view.tell('eq_1', [{ kind: 'carrier', id: 'FOUP7', states, details: { port: '1' } }], telling),
    view.tellLater(
      'eq_1',
      (known) => {
        const id = carrierAt(known, '1')
        return id === undefined ? [] : [{ kind: 'carrier', id, states: { id_status: 'ID_VERIFICATION_OK' } }]
      },
      telling,
    ),
    view.tell('eq_1', [{ kind: 'carrier', id: 'FOUP7', states: {}, isGone: true }], telling),
    view.tellLater('eq_1', (known) => (carrierAt(known, '1') ? [] : [GONE_SEEN]), telling),
  ]
  await Promise.all(told)
  const changes = await journal.query({ order: 'asc', limit: 20, key: 'eq_1' })
  const of = changes.flatMap(({ name, data }) => (name === 'carrier_state' ? [data['to']] : []))
  expect(of).toEqual(['WAITING_FOR_HOST', 'ID_VERIFICATION_OK', 'NO_STATE'])
  expect(view.of('eq_1').get('substrate', GONE_SEEN.id)?.states['state']?.state).toBe('AT_DESTINATION')
})

test('What an event has told and could not be recorded does not hold against what the equipment says then', async () => {
  const { view, journal, clock } = await queuing('Chamber2')
  const tell = (state: string) =>
    view.tell('eq_1', [{ kind: 'substrate', id: 'W1', states: { state } }], telling())
  await tell('AT_SOURCE')
  journal.failure = new Error('the disk is full')
  await expect(tell('AT_WORK')).rejects.toThrow('disk')
  journal.failure = undefined
  const aligned = view.align('eq_1')
  clock.advance(1000)
  await aligned
  expect(view.of('eq_1').get('substrate', 'W1')?.states['state']).toMatchObject({
    state: 'AT_WORK',
    source: 'query',
  })
})

test('Equipment is asked once its queue of events has come: the way of a substrate has no place twice', async () => {
  const places = ['Aligner', 'Chamber1', 'Chamber2']
  const { view, clock, asked, tell, way } = await queuing('Chamber2')
  const [first = '', ...queued] = places
  await tell(first)
  const aligned = view.align('eq_1')
  for (const place of queued) await tell(place)
  expect(asked).toEqual([])
  clock.advance(1000)
  await aligned
  expect(asked.length).toBeGreaterThan(0)
  expect(await way()).toEqual(places)
  // What nothing has told the question tells.
  const moved = await queuing('Chamber2')
  await moved.tell('Aligner')
  moved.clock.advance(1000)
  await moved.view.align('eq_1')
  expect(await moved.way()).toEqual(['Aligner', 'Chamber2'])
})

test('Equipment whose events never end is asked all the same', async () => {
  const { view, asked, tell } = await queuing('Chamber2')
  await tell('Aligner')
  const aligned = view.align('eq_1')
  let events = 0
  while (asked.length === 0 && events < 100) await tell(`Chamber${events++ % 2}`)
  expect(events).toBeGreaterThan(1)
  expect(events).toBeLessThan(100)
  await aligned
})

test('Objects, their details and their changes are the same after a restart, and go with the equipment', async () => {
  const { live, id } = await answering({ S16F19: L(job('PJ-1', 3)), S14F1: byType(TYPES) })
  const seen: string[] = []
  live.gateway.objects.changed.on(({ change }) => seen.push(`${change.object_id} ${change.to}`))
  await live.gateway.objects.align(id)
  expect(seen).toContain('PJ-1 PROCESSING')
  const all = () =>
    (['port', 'carrier', 'job', 'control_job', 'substrate'] as const).flatMap((kind) =>
      live.gateway.objects.of(id).list(kind),
    )
  const before = all()
  await live.reopen()
  expect(all()).toEqual(before)
  // The same from the lines of a snapshot.
  const [one, other] = [new KnownObjects(), new KnownObjects()]
  for (const entry of await live.journal.query({ kinds: one.kinds, order: 'asc', limit: 1000 }))
    one.apply(entry)
  for (const line of one.lines()) other.load(JSON.parse(JSON.stringify(line)))
  expect(other.lines()).toEqual(one.lines())
  await live.gateway.equipment.delete(id)
  expect(all()).toEqual([])
})

test('Equipment without a mapping is asked nothing by itself, and equipment with one each time it connects', async () => {
  const { live, id } = await answering({})
  const reply: ScriptedEquipment['reply'] = ({ stream, function: fn }) =>
    stream === 16 ? { function: fn + 1, item: L(job('PJ-1', 3)) } : { function: 0 }
  const { equipment, id: mapped } = await live.connectScripted({ name: 'mapped', gem_startup: false })
  equipment.reply = reply
  await live.store.records('gem300').put({
    id: mapped,
    mapping: {},
    applied_at: '2026-01-31T08:00:00.000Z',
    applied_by: 'ada@fab.example',
  } as never)
  expect(live.gateway.objects.alignmentOf(mapped).aligned_at).toBeNull()
  await live.reopen()
  await until(() => live.gateway.objects.alignmentOf(mapped).aligned_at !== null)
  await until(() => live.gateway.equipment.known(id)?.communication_state === 'COMMUNICATING')
  expect(states(live.gateway, mapped, 'job')).toEqual({ 'PJ-1': { state: 'PROCESSING' } })
  expect(live.gateway.objects.alignmentOf(id).aligned_at).toBeNull()
})

test('An ID that is too long, and one too many, cost nothing', async () => {
  const { live, id } = await answering({})
  const many = Array.from({ length: 300 }, (_, at) => ({
    kind: 'carrier' as const,
    id: `F${at}`,
    states: { id_status: 'ID_NOT_READ' },
  }))
  await live.gateway.objects.tell(id, [{ ...many[0], id: 'x'.repeat(300) } as never, ...many], telling())
  const known = live.gateway.objects.of(id).list('carrier')
  expect(known).toHaveLength(250)
  expect(known[0]?.id).toBe('F50')
})
