import fc from 'fast-check'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import type { JournalQuery } from '../../../src/store/journal.js'

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()

const kinds = fc.record({ type: fc.constantFrom('message', 'alarm'), name: fc.constantFrom('a', 'b') })
const time = fc.integer({ min: 0, max: 20 }) // few of them, so that many are equal and many fall
const topic = fc.constantFrom('S1F1', 'S6F11', undefined)
export const someEntries = fc.array(fc.tuple(kinds, time, fc.constantFrom('e1', 'e2', 'e3'), topic), {
  maxLength: 40,
})
const optional = { requiredKeys: [] as [] }
export const someQueries = fc.tuple(
  fc.record({
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record(
    {
      kinds: fc.array(fc.oneof(kinds, fc.record({ type: fc.constantFrom('message', 'unknown') })), {
        maxLength: 2,
      }),
      key: fc.oneof(
        fc.constantFrom('e1', 'e2', 'nobody'),
        fc.subarray(['e1', 'e3', 'nobody']).map((keys) => new Set(keys)),
      ),
      topics: fc.subarray(['S1F1', 'S6F11', 'S9F9', '']).map((words) => new Set(words)),
      from: time.map(at),
      to: time.map(at),
      after: fc.integer({ min: 0, max: 45 }),
      before: fc.integer({ min: 0, max: 45 }),
      where: fc.constant((found: Entry) => found.seq % 3 === 0),
    },
    optional,
  ),
)

/** What looking at every entry finds. */
export function plainly(all: readonly Entry[], query: JournalQuery): readonly Entry[] {
  const found = all.filter(
    (one) =>
      (!query.kinds || query.kinds.some((k) => k.type === one.type && (k.name ?? one.name) === one.name)) &&
      (query.key === undefined ||
        (typeof query.key === 'string' ? one.key === query.key : query.key.has(one.key))) &&
      (!query.topics || query.topics.has(one.topic ?? '')) &&
      (query.from === undefined || one.at >= query.from) &&
      (query.to === undefined || one.at < query.to) &&
      one.seq > (query.after ?? 0) &&
      one.seq < (query.before ?? Number.POSITIVE_INFINITY) &&
      (!query.where || query.where(one)),
  )
  return (query.order === 'asc' ? found : found.reverse()).slice(0, query.limit)
}

type Given = typeof someEntries extends fc.Arbitrary<readonly (infer One)[]> ? One : never

export const madeOf = ([kind, ms, key, word]: Given): NewEntry => ({
  ...kind,
  key,
  ...(word && { topic: word }),
  at: at(ms),
  data: {},
})
