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
