import { expect, test } from 'vitest'
import { eventHandlers } from '../../../src/gateway/events/event-handlers.js'
import { ManualClock } from '../../support/manual-clock.js'

/** Where a stream starts over a journal of seven entries, of which these are events; those since `from` are the second list. */
async function startOf(call: object, all = ['5', '4', '3'], since: readonly string[] = []) {
  const list = async ({ from }: { readonly from?: string }) => ({
    items: (from === undefined ? all : since).map((id) => ({ id })),
  })
  const gateway = {
    // 2 is left out after a restored backup.
    events: { last: 7, list, follow: () => [], isKnown: async (id: number) => id !== 2 },
    equipment: { labels: { selection: () => () => undefined } },
    clock: new ManualClock(),
  }
  const given = { query: {}, signal: new AbortController().signal, ...call }
  const { after } = await eventHandlers.streamEvents(given as never, gateway as never)
  return after
}

test('a stream starts after the event that is named, else before a time, else after the newest event', async () => {
  const from = '2026-01-01T00:00:00Z'
  expect(await startOf({ query: { after: '3' } })).toBe('3')
  expect(await startOf({ query: { after: '5' } })).toBe('5')
  expect(await startOf({ query: { after: '3' }, lastEventId: '4' })).toBe('4')
  expect(await startOf({ query: { from } }, undefined, ['4', '5'])).toBe('3')
  expect(await startOf({ query: { from } })).toBe('5')
  expect(await startOf({})).toBe('5')
  expect(await startOf({}, [])).toBe('7')
  for (const after of ['2', '6'])
    await expect(startOf({ query: { after } }), after).rejects.toMatchObject({ code: 'invalid_cursor' })
})

const DAY = 24 * 3_600_000

/** When a stream until `to` is over, from 2026-01-01 on, in milliseconds of the clock's time. */
async function overAfter(to: string | undefined, steps: readonly number[]) {
  const [clock, signal] = [new ManualClock(), new AbortController()]
  let over: AbortSignal | undefined
  let asked: object = {}
  const follow = (query: object, _: unknown, __: unknown, end: AbortSignal | undefined) => {
    asked = query
    over = end
    return []
  }
  const gateway = {
    events: { last: 7, list: async () => ({ items: [] }), follow, isKnown: async () => true },
    equipment: { labels: { selection: () => () => undefined } },
    clock,
  }
  const query = { ...(to && { to }) }
  await eventHandlers.streamEvents({ query, signal: signal.signal } as never, gateway as never)
  const found = steps.map((ms) => {
    clock.advance(ms)
    return over?.aborted
  })
  return { found, asked, end: () => signal.abort(), clock }
}

test.each<[to: string | undefined, steps: number[], found: (boolean | undefined)[]]>([
  [undefined, [DAY], [undefined]],
  ['2026-01-01T00:00:10Z', [14_999, 1], [false, true]],
  ['2026-01-01T01:00:10+01:00', [14_999, 1], [false, true]],
  ['2025-12-31T23:59:55Z', [0], [true]],
  ['2026-01-03T00:00:00Z', [DAY, DAY, 4999, 1], [false, false, false, true]],
])('a stream until %s is over 5 s later', async (to, steps, found) => {
  expect((await overAfter(to, steps)).found).toEqual(found)
})

test('a stream whose reader is gone has no timer left, and begins where it was told', async () => {
  const { end, clock, asked } = await overAfter('2026-01-03T00:00:00Z', [DAY])
  end()
  expect([clock.scheduled, asked]).toMatchObject([0, { after: '7' }])
})

test('events are listed of the equipment that is selected', async () => {
  const gateway = {
    events: { list: async (...given: unknown[]) => given },
    equipment: { labels: { selection: () => () => 'eq_1' } },
  }
  expect(await eventHandlers.listEvents({ query: { limit: 3 } } as never, gateway as never)).toEqual([
    ...[{ limit: 3 }, 'eq_1'],
  ])
})

/** An export of pages; a page may be a failure. */
const exported = (...all: readonly (readonly object[] | Error)[]) => {
  async function* entries() {
    for (const page of all) {
      if (page instanceof Error) throw page
      yield page
    }
  }
  const gateway = { journalExport: { entries }, equipment: { labels: { selection: () => () => undefined } } }
  return eventHandlers.exportJournal({ query: {}, signal: undefined } as never, gateway as never)
}

test('an export has the members of entries in the order of the files, and ends', async () => {
  const [at, key, data] = ['t', 'k', { a: 1 }]
  const made = { data, name: 'n', type: 'y', key, at, seq: 1, other: true }
  const { parts, finite } = await exported([made], [{ ...made, seq: 2, topic: 'S1F1' }])
  const found: unknown[] = []
  for await (const part of parts) found.push(...part)
  expect(finite).toBe(true)
  expect(JSON.stringify(found)).toBe(
    '[{"seq":1,"at":"t","key":"k","type":"y","name":"n","data":{"a":1}},' +
      '{"seq":2,"at":"t","key":"k","type":"y","name":"n","topic":"S1F1","data":{"a":1}}]',
  )
})

test('a failure before anything is sent is the response, a later one breaks it off', async () => {
  await expect(exported(new Error('damaged'))).rejects.toThrow('damaged')
  const { parts } = await exported([], new Error('damaged'))
  const read = async () => {
    for await (const _ of parts);
  }
  await expect(read()).rejects.toThrow('damaged')
})
