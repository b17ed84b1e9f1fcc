import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { keptResponse, wholeResponse } from '../../src/gateway/idempotency/kept-response.js'
import { KnownEquipment } from '../../src/gateway/knowledge/known-equipment.js'
import { viewLater, viewMessage } from '../../src/gateway/messages/message-view.js'
import type { Reading } from '../../src/gateway/records/reading.js'
import type { JsonObject } from '../../src/kit/text/json.js'
import { jsonParts } from '../../src/kit/text/json-parts.js'
import { encodeItem } from '../../src/secs2/encode.js'
import { A, type Item, L, U4 } from '../../src/secs2/item.js'
import { textCodec } from '../../src/secs2/text.js'
import type { Entry } from '../../src/store/entry.js'
import { anyItem } from '../secs2/any-item.js'
import { longItem } from '../secs2/long-item.js'
import { messageEntry } from './wire/wire-records.js'

/** Where any item may stand: alone, as a value of a list, in a group of groups. */
const BODIES: readonly (readonly [stream: number, fn: number, body: (item: Item) => Item])[] = [
  [7, 27, (item) => item],
  [1, 4, (item) => L(item, item)],
  [6, 11, (item) => L(U4(1), U4(2), L(L(U4(3), L(item, A('x'))), L(U4(4), L())))],
  [7, 3, (item) => L(A('PPID'), item)],
]

const knowledge = new KnownEquipment()
knowledge.learnReport('3', ['10', '11'], 1)

const readings: fc.Arbitrary<Reading> = fc
  .record({
    encoding: fc.constantFrom('latin1', 'utf-8', 'gb18030', 'shift_jis'),
    known: fc.constantFrom({}, { knowledge }),
  })
  .map(({ encoding, known }) => ({
    ...{ catalogue: STANDARD_CATALOGUE, formats: {}, text: textCodec(encoding) },
    ...known,
  }))

function entryOf(stream: number, fn: number, bytes: Uint8Array, seq = 7): Entry {
  const message = { stream, function: fn, wait: false, sessionId: 1, systemBytes: 2, body: bytes }
  return { seq, ...messageEntry('received', 'eq_1', message, null, '2026-01-01T00:00:00.000Z') }
}

const FILL: Item = { format: 'B', value: new Uint8Array(20_000) }

test('a message written in parts is the JSON of the message', () => {
  const bodies = fc.tuple(
    fc.constantFrom(...BODIES),
    fc.oneof({ arbitrary: anyItem, weight: 1 }, { arbitrary: longItem, weight: 3 }),
    readings,
  )
  fc.assert(
    fc.property(bodies, ([[stream, fn, body], item, reading]) => {
      for (const whole of [body(item), L(body(item), FILL)]) {
        const message = viewLater(entryOf(stream, fn, encodeItem(whole)), reading, {
          outcome: 'not_expected',
        })
        expect([...jsonParts(message)].join('')).toBe(JSON.stringify(message))
      }
    }),
    { numRuns: 20 },
  )
})

test.each([
  ['that cannot be read', Uint8Array.of(0x41, 5, ...new Uint8Array(20_000))],
  ['with thousands of lists', encodeItem(L(...Array.from({ length: 20_000 }, () => L())))],
])('a long message %s is written in parts as it is at once', (_, bytes) => {
  const reading = { catalogue: STANDARD_CATALOGUE, formats: {}, text: textCodec('latin1') }
  const message = viewMessage(entryOf(9, 99, bytes), reading, undefined)
  const parts = [...jsonParts({ items: [message, message], next_cursor: null })]
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.join('')).toBe(JSON.stringify({ items: [message, message], next_cursor: null }))
})

test('what is kept of an answer names its long messages, and gives them again', async () => {
  const reading = { catalogue: STANDARD_CATALOGUE, formats: {}, text: textCodec('latin1') }
  const entries = [entryOf(7, 5, encodeItem(A('PPID')), 1), entryOf(7, 6, encodeItem(L(A('PPID'), FILL)), 2)]
  const [message, reply] = entries.map((entry) => viewMessage(entry, reading, { outcome: 'replied' }))
  const answer = { message, reply } as unknown as JsonObject
  const journal = { get: async (seq: number) => entries.find((entry) => entry.seq === seq) }
  const kept = keptResponse(answer)
  expect(kept.records).toEqual([2])
  expect(JSON.stringify(kept.body).length).toBeLessThan(2000)
  const onDisk = JSON.parse(JSON.stringify(kept))
  const again = await wholeResponse(onDisk, journal, () => reading)
  expect([...jsonParts(again)].join('')).toBe(JSON.stringify(answer))
  entries.pop()
  expect(await wholeResponse(onDisk, journal, () => reading)).toBeUndefined()
})
