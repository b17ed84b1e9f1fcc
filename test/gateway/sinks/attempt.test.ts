import { expect, test } from 'vitest'
import { attempt, detailOf } from '../../../src/gateway/sinks/attempt.js'
import type { Producer } from '../../../src/gateway/sinks/kinds/kind.js'
import { retryAfterMs } from '../../../src/gateway/sinks/kinds/retry-after.js'
import { composed } from '../../../src/gateway/sinks/kinds/unsendable.js'
import { MAX_RETRY_MS, MIN_RETRY_MS, retryDelayMs } from '../../../src/gateway/sinks/retry-delay.js'

const refused = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' })
const nameless = Object.assign(new Error(''), { code: 'ECONNRESET' })

test.each<[error: unknown, detail: string]>([
  ['text', 'text'],
  [undefined, 'undefined'],
  [refused, 'connect refused'],
  [nameless, 'ECONNRESET'],
  [new TypeError(''), 'TypeError'],
  [new Error('fetch failed', { cause: refused }), 'fetch failed: connect refused'],
  [
    new Error('fetch failed', { cause: new Error('tls', { cause: nameless }) }),
    'fetch failed: tls: ECONNRESET',
  ],
  [new Error('fetch failed', { cause: 'unread' }), 'fetch failed'],
  [new Error('', { cause: refused }), 'connect refused'],
  [new AggregateError([refused, nameless]), 'connect refused'],
  [new AggregateError([nameless], 'all failed'), 'all failed: ECONNRESET'],
  [new AggregateError([], ''), 'AggregateError'],
])('%o is told as %s', (error, detail) => {
  expect(detailOf(error)).toBe(detail)
})

/** The result of an attempt at a target that does this. */
const attempted = (send: () => unknown) =>
  attempt({ send: async () => send() } as unknown as Producer, [], new AbortController().signal)

const throwing = (error: Error) => () => {
  throw error
}
const REJECTION = { isPermanent: true, detail: '400' }

test.each([
  ['accepts', () => undefined, undefined],
  ['rejects', () => REJECTION, REJECTION],
  ['cannot be reached', throwing(refused), { isPermanent: false, detail: 'connect refused' }],
  [
    'has no form for the message',
    () => composed(throwing(new Error('no name'))),
    { isPermanent: true, detail: expect.stringMatching(/: no name$/) },
  ],
])('an attempt at a target that %s', async (_, send, result) => {
  expect(await attempted(send)).toEqual(result)
})

test('a message that can be made is what it is made of', () => {
  expect(composed(() => 7)).toBe(7)
})

test.each([
  [0, 0, 1, MIN_RETRY_MS],
  [0, 0, 0, MIN_RETRY_MS],
  [1, 0, 1, 2000],
  [3, 0, 0, 4000],
  [3, 0, 0.5, 6000],
  [3, 7500, 0.5, 7500],
  [3, 10 * MAX_RETRY_MS, 0.5, MAX_RETRY_MS],
  [5000, 0, 1, MAX_RETRY_MS],
  [5000, 0, 0, MAX_RETRY_MS / 2],
])(
  'after %i attempts, asked for %i ms, with %d of the chance, the delay is %i ms',
  (attempts, asked, random, ms) => {
    expect(retryDelayMs(attempts, asked, random)).toBe(ms)
  },
)

test.each<[header: string | string[] | undefined, ms: number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', undefined],
  ['1', 1000],
  [' 120 ', 120_000],
  [['30'], 30_000],
  ['-5', undefined],
  ['9999999999', 9_999_999_999_000],
  ['1e3', undefined],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
  ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
])('Retry-After: %s is in %s ms', (header, ms) => {
  expect(retryAfterMs(header, new Date('2026-01-01T00:00:00Z'))).toBe(ms)
})
