import { expect, test } from 'vitest'
import type { Event } from '../../src/contract/topics/events.js'
import { Refused, refusal } from '../../src/web/gateway/call.js'
import { EventFeed } from '../../src/web/gateway/event-feed.js'
import { ManualClock } from '../support/manual-clock.js'
import { turns, until } from '../support/until.js'

const eventOf = (id: number): Event => ({
  id: String(id),
  type: 'state',
  name: 'control_state',
  at: '2026-01-31T08:00:00.000Z',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  data: {},
})
const text = (...ids: number[]): string =>
  ids.map((id) => `id: ${id}\nevent: state\ndata: ${JSON.stringify(eventOf(id))}\n\n`).join('')

/** A gateway whose stream answers with one script after the other; a body that is not closed stays open. */
function streaming(
  ...answers: readonly (Response | Error | { readonly body: string; readonly open?: boolean })[]
) {
  const asked: string[] = []
  const left = [...answers]
  const request = async (_: string, url: string, __: object, signal: AbortSignal): Promise<Response> => {
    asked.push(url)
    const answer = left.shift() ?? { body: '', open: true }
    if (answer instanceof Error) throw answer
    if (answer instanceof Response) return answer
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(answer.body))
        if (!answer.open) controller.close()
        signal.addEventListener('abort', () => {
          if (answer.open) controller.error(signal.reason)
        })
      },
    })
    return new Response(body)
  }
  return { asked, request }
}

function following(calls: ReturnType<typeof streaming>) {
  const clock = new ManualClock()
  const received: string[] = []
  const opened: boolean[] = []
  const lost: unknown[] = []
  const feed = new EventFeed({
    calls,
    clock,
    query: { label_selector: 'bay=3' },
    onOpen: (resumed) => opened.push(resumed),
    onHeard: () => undefined,
    onEvents: (events) => received.push(...events.map(({ id }) => id)),
    onLost: (error) => {
      lost.push(error)
      // The next attempt is due.
      setTimeout(() => clock.advance(10_000))
    },
  })
  const end = new AbortController()
  return { feed, received, opened, lost, end, ended: feed.run(end.signal) }
}

test('a stream that breaks is continued after its last event, without a gap or a repeat', async () => {
  const half = text(3).slice(0, 20)
  const calls = streaming({ body: `id: 1\n\n${text(2)}${half}` }, new TypeError('away'), {
    body: text(3, 4),
    open: true,
  })
  const { received, opened, end, ended } = following(calls)
  await until(() => received.length === 3)
  expect(received).toEqual(['2', '3', '4'])
  expect(opened).toEqual([false, true])
  const query = '/api/v1/events/stream?label_selector=bay%3D3'
  expect(calls.asked).toEqual([query, `${query}&after=2`, `${query}&after=2`])
  end.abort()
  await ended
})

test('the place where a stream started is known before its first event', async () => {
  const calls = streaming({ body: 'id: 41\n\n' }, { body: text(42), open: true })
  const { received, end, ended } = following(calls)
  await until(() => received.length === 1)
  expect(calls.asked[1]).toContain('after=41')
  end.abort()
  await ended
})

test('events that retention has deleted are given up, and the stream starts anew', async () => {
  const gone = new Refused(410, 'cursor_expired', 'gone')
  const calls = streaming({ body: text(2) }, gone, { body: text(90), open: true })
  const { received, opened, end, ended } = following(calls)
  await until(() => received.length === 2)
  expect(opened).toEqual([false, false])
  expect(calls.asked[2]).not.toContain('after')
  end.abort()
  await ended
})

test('a problem in the stream ends it as one in the answer does', async () => {
  const problem = { status: 410, code: 'cursor_expired', detail: 'gone' }
  const calls = streaming(
    { body: `${text(2)}event: problem\ndata: ${JSON.stringify(problem)}\n\n` },
    { body: text(90), open: true },
  )
  const { received, lost, end, ended } = following(calls)
  await until(() => received.length === 2)
  expect(lost[0]).toMatchObject({ code: 'cursor_expired' })
  expect(calls.asked[1]).not.toContain('after')
  end.abort()
  await ended
})

test('a token that is no longer taken ends the feed', async () => {
  const calls = streaming({ body: text(2) }, new Refused(401, 'token_expired', 'expired'))
  const { ended } = following(calls)
  await ended
  expect(calls.asked).toHaveLength(2)
})

test('a connection that is silent is given up for another', async () => {
  const calls = streaming({ body: text(2), open: true }, { body: text(3), open: true })
  const { feed, received, end, ended } = following(calls)
  await until(() => received.length === 1)
  feed.reconnect()
  await until(() => received.length === 2)
  expect(calls.asked[1]).toContain('after=2')
  end.abort()
  await ended
})

test('a gateway that says after how many seconds to ask again is not asked before', async () => {
  const clock = new ManualClock()
  const refused = Response.json({}, { status: 503, headers: { 'retry-after': '20' } })
  const asked: string[] = []
  const request = async (_: string, url: string): Promise<Response> => {
    asked.push(url)
    throw await refusal(refused.clone())
  }
  const none = (): void => undefined
  const options = { onOpen: none, onHeard: none, onEvents: none, onLost: none }
  const end = new AbortController()
  const ended = new EventFeed({ calls: { request }, clock, query: {}, ...options }).run(end.signal)
  await until(() => asked.length === 1 && clock.next === 20_000)
  clock.advance(19_999)
  await turns()
  expect(asked).toHaveLength(1)
  clock.advance(1)
  await until(() => asked.length === 2)
  end.abort()
  await ended
})
