import { expect, test } from 'vitest'
import type { Message } from '../../src/contract/topics/messages.js'
import { filterOf, queryOf, streamFunction } from '../../src/web/equipment/message-history/message-filter.js'
import { MessageHistory } from '../../src/web/equipment/message-history/message-history.js'
import type { GatewayCalls } from '../../src/web/gateway/call.js'

const never = new AbortController().signal
const message = (id: number): Message => ({ id: String(id) }) as Message

test.each([
  ['S6F11', { stream: 6, function: 11 }],
  ['s6 f11', { stream: 6, function: 11 }],
  ['S6', { stream: 6 }],
  ['S128', undefined],
  ['S1F256', undefined],
  ['6/11', undefined],
  ['', undefined],
])('%s is stream and function', (text, read) => {
  expect(streamFunction(text)).toEqual(read)
})

test('the address is the filter, and the filter the query', () => {
  const filter = filterOf(
    new URLSearchParams(
      'message=S6F11&direction=received&after=2026-01-31T08:00Z&before=2026-01-31T09:00Z&errors=1',
    ),
  )
  expect(queryOf(filter)).toMatchObject({
    ...{ stream: 6, function: 11, direction: 'received' },
    ...{ from: '2026-01-31T08:00:00.000Z', to: '2026-01-31T09:00:00.000Z' },
    outcome: expect.arrayContaining(['timed_out', 'error']),
  })
  expect(queryOf(filterOf(new URLSearchParams('direction=host')))).toEqual({ from_side: 'host' })
  const none = filterOf(new URLSearchParams('direction=up&after=yesterday&sml=1'))
  expect([none.isSet, none.showsSml, queryOf(none)]).toEqual([false, true, {}])
  expect(filterOf(new URLSearchParams('message=hello'))).toMatchObject({ isSet: true, isBad: true })
})

/** Pages of messages, one after the other, and the cursors that were asked for. */
function paged(pages: readonly (readonly Message[])[]) {
  const asked: unknown[] = []
  const call = async (_: unknown, { query }: { query: { cursor?: string } }) => {
    asked.push(query.cursor)
    const at = Number(query.cursor ?? 0)
    return { items: pages[at] ?? [], next_cursor: at + 1 < pages.length ? String(at + 1) : null }
  }
  return { asked, calls: { call } as unknown as Pick<GatewayCalls, 'call'> }
}

test('empty pages are passed over, and new messages and results come without a gap or a repeat', async () => {
  const pages = [[message(9), message(8)], [], [message(3)]]
  const { asked, calls } = paged(pages)
  const history = new MessageHistory(calls, 'eq_1', filterOf(new URLSearchParams()))
  const ids = () => history.messages.value.map(({ id }) => id).join(' ')
  await history.readOlder(never)
  expect([ids(), history.hasOlder.value]).toEqual(['9 8', true])
  await history.readOlder(never)
  expect([ids(), history.hasOlder.value, asked]).toEqual(['9 8 3', false, [undefined, '1', '2']])
  pages.unshift([message(12), message(11)], [message(10), { ...message(9), outcome: 'timed_out' }])
  await history.readNewer(never)
  expect(ids()).toBe('12 11 10 9 8 3')
  expect(history.messages.value.find(({ id }) => id === '9')?.outcome).toBe('timed_out')
})
