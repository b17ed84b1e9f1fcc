import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { JournaledEvents } from '../../../src/gateway/events/event-log.js'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'
import { IDENTITY } from '../../../src/gateway/records/journal-kinds.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { SinkMessages } from '../../../src/gateway/sinks/sink-messages.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, F4, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { type NewEntry, numbered } from '../../../src/store/entry.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { entryOf } from './open-sinks.js'

const AT = '2026-01-01T00:00:00.000Z'
const TRACED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function knowledge(): KnownEquipment {
  const known = new KnownEquipment()
  const row = (id: string, name: string, unit: string) => [id, { name, unit, kind: 'data' }] as const
  known.learnVariables('data', [row('8', 'Pressure', 'Pa'), row('9', 'Lot', ''), row('10', 'Lot', '')], true)
  known.learnEvents([['2', { name: 'Started', variables: [] }]], true)
  return known
}

function scene(isKnown = true) {
  const [journal, clock] = [new MemoryJournal(), new ManualClock()]
  const plain = plainReading(STANDARD_CATALOGUE)
  const reading = { ...plain, name: 'etcher', ...(isKnown && { knowledge: knowledge() }) }
  const readingOf = () => reading
  const parts = { journalId: 'j', journal, events: new JournaledEvents(journal, readingOf), readingOf, clock }
  return { messages: new SinkMessages(parts), parts }
}

const wire = (stream: number, fn: number, item: Item): NewEntry =>
  new RecordedMessage(
    { direction: 'received', equipmentId: 'eq_a' },
    { sessionId: 0, stream, function: fn, wait: true, systemBytes: 1, body: encodeBody(item) },
  ).entry(AT)

/** An S6F13, which names its variables. */
const report = (...values: [vid: number, value: Item][]) =>
  wire(6, 13, L(U4(1), U4(2), L(L(U4(5), L(...values.map(([vid, value]) => L(U4(vid), value)))))))

const flat = async (entry: NewEntry, isKnown = true) => {
  const { message, fault } = await scene(isKnown).messages.of(numbered(entry, 7), 'flat')
  expect(fault).toBeUndefined()
  return message?.event
}

test.each<[what: string, entry: NewEntry, isKnown: boolean, expected: object]>([
  [
    'has names and units',
    report([8, F4(2.5)], [9, A('L1')]),
    true,
    { event: 'Started', values: { Pressure: 2.5, Lot: 'L1' }, units: { Pressure: 'Pa' }, whole: true },
  ],
  [
    'has ids where no names are known',
    report([8, F4(2.5)]),
    false,
    { event: '2', values: { 8: 2.5 }, units: {}, whole: true },
  ],
  [
    'has all values of one name',
    report([9, A('a')], [10, A('b')], [9, U1(3)]),
    true,
    { values: { Lot: ['a', 'b', 3] }, units: {} },
  ],
  [
    'has text of a list, and several numbers as they are',
    report([9, L(U1(1), A('x'))], [8, U1(1, 2)], [11, L()]),
    true,
    { values: { Lot: '[1, x]', Pressure: [1, 2], 11: '[]' } },
  ],
  [
    'of a message without values says so',
    wire(5, 1, L(B(4), U4(7), A('Hot'))),
    true,
    { message: 'S5F1', event: null, values: {}, units: {}, whole: false },
  ],
  [
    'of values in an unknown report says so',
    wire(6, 11, L(U4(1), U4(2), L(L(U4(5), L(A('x')))))),
    true,
    { message: 'S6F11', event: 'Started', values: {}, whole: false },
  ],
  [
    'of an event without reports is whole',
    wire(6, 11, L(U4(1), U4(3), L())),
    true,
    { message: 'S6F11', event: '3', values: {}, whole: true },
  ],
  [
    'of values in a reply has no event',
    wire(1, 4, L()),
    true,
    { message: 'S1F4', event: null, values: {}, whole: true },
  ],
  [
    'of another event has its members, without the trace context',
    { ...entryOf('eq_a', 4), data: { alid: '7', traceparent: TRACED } },
    true,
    { message: null, event: null, values: { alid: '7' }, units: {}, whole: true },
  ],
])('a flat message %s', async (_, entry, isKnown, expected) => {
  const head = { id: '7', name: entry.name, equipment_id: 'eq_a', equipment_name: 'etcher', at: entry.at }
  const event = await flat(entry, isKnown)
  expect(event).toMatchObject({ ...head, ...expected })
  expect(event).not.toHaveProperty('values.traceparent')
  for (const [name, value] of Object.entries(expected)) expect(event).toHaveProperty(name, value)
})

test('a message is a CloudEvent about its equipment, with its trace context', async () => {
  const { messages, parts } = scene()
  const entry = numbered({ ...entryOf('eq_a', 0), data: { alid: '7', traceparent: TRACED } }, 7)
  const { message } = await messages.of(entry, 'event')
  expect(message).toMatchObject({ id: 'j-7', type: 'secsctl.alarm_set' })
  expect(JSON.parse(message?.text ?? '')).toEqual({
    ...{ specversion: '1.0', id: 'j-7', source: 'urn:secsctl:j', type: 'secsctl.alarm_set', time: AT },
    ...{ subject: 'eq_a', partitionkey: 'eq_a', traceparent: TRACED, datacontenttype: 'application/json' },
    data: parts.events.of(entry),
  })
  const { message: untraced } = await messages.of(numbered(entryOf('eq_a', 0), 7), 'event')
  expect(JSON.parse(untraced?.text ?? '')).not.toHaveProperty('traceparent')
})

test('a change of equipment is a message without text', async () => {
  const before = { name: 'etcher', labels: {} }
  const entry = numbered({ ...IDENTITY, key: 'eq_a', at: AT, data: { before, now: null } }, 7)
  expect(await scene().messages.of(entry, 'event')).toEqual({
    message: { id: 'j-7', type: 'secsctl.identity', text: '', change: { equipmentId: 'eq_a', before } },
  })
})

test('messages about a gap and of a test are CloudEvents', async () => {
  const { messages } = scene()
  const head = { specversion: '1.0', source: 'urn:secsctl:j', time: AT, datacontenttype: 'application/json' }
  const gap = await messages.gap(3, 5)
  expect(gap).toMatchObject({ id: 'j-3..5', type: 'secsctl.gap' })
  expect(JSON.parse(gap.text)).toEqual({ ...head, id: gap.id, type: gap.type, data: { from: '3', to: '5' } })
  expect(messages.test('mes')).toEqual({
    ...{ ...head, id: `j-test-${Date.parse(AT)}`, type: 'secsctl.test', data: { sink: 'mes' } },
  })
})

test.each([
  [4 * 1024 * 1024 + 1, true],
  [4 * 1024 * 1024 - 1000, false],
])('a text of %i characters is too long for a message: %s', async (length, isTooLong) => {
  const entry = numbered({ ...entryOf('eq_a', 0), data: { text: 'x'.repeat(length) } }, 7)
  const { message, fault } = await scene().messages.of(entry, 'event')
  expect([message === undefined, fault !== undefined]).toEqual([isTooLong, isTooLong])
})

test('what cannot be made of an entry is its fault, and what the store fails with is thrown', async () => {
  const { parts } = scene()
  const failing = (error: Error) =>
    new SinkMessages({
      ...parts,
      events: {
        of: () => {
          throw error
        },
      },
    }).of(numbered(entryOf('eq_a', 0), 7), 'event')
  for (const error of [
    new TypeError('no map'),
    new RangeError('x'),
    new ReferenceError('x'),
    new URIError('x'),
  ])
    expect(await failing(error)).toEqual({ fault: expect.stringContaining(error.message) })
  await expect(failing(new Error('away'))).rejects.toThrow('away')
})
