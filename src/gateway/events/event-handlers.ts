import { Problem } from '../../contract/errors.js'
import type { eventEndpoints, StreamQuery } from '../../contract/topics/events.js'
import type { JournalEntry, journalEndpoints } from '../../contract/topics/journal.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import type { Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import { timeOf } from '../records/time-range.js'

type Events = Pick<Gateway['events'], 'last' | 'list' | 'isKnown'>

export const eventHandlers: Handlers<typeof eventEndpoints & typeof journalEndpoints> = {
  listEvents: async ({ query }, { events, equipment }) =>
    events.list(query, equipment.labels.selection(query)()),

  async streamEvents({ query, lastEventId, signal }, { events, equipment, clock }) {
    const keys = equipment.labels.selection(query)
    // A browser sends `Last-Event-ID` by itself, so it takes precedence.
    const wanted = lastEventId === undefined ? query : { ...query, after: lastEventId }
    const after = await startOf(wanted, events)
    const over = query.to === undefined ? undefined : endAt(query.to, clock, signal)
    return { after, parts: events.follow({ ...wanted, after }, signal, keys, over) }
  },

  async exportJournal({ query, signal }, { journalExport, equipment }) {
    const keys = equipment.labels.selection(query)
    const pages = journalExport.entries(query, signal, keys)[Symbol.asyncIterator]()
    // As long as nothing is sent, a failure can be the response.
    const first = await pages.next()
    return { parts: inFileOrder(first, pages), finite: true }
  },
}

/** Milliseconds after its time until an event is on disk, at most. */
const RECORDED_WITHIN_MS = 5000
/** The longest time that a timer can wait at once, in milliseconds. */
const LONGEST_WAIT_MS = 24 * 3600_000

/** Aborts when no event before `to` can come any more. */
function endAt(to: string, clock: Clock, signal: AbortSignal): AbortSignal {
  const over = new AbortController()
  const end = Date.parse(timeOf(to) ?? to) + RECORDED_WITHIN_MS
  let cancel: Cancel = () => undefined
  const look = (): void => {
    const left = end - clock.date().getTime()
    if (left <= 0) return over.abort()
    cancel = clock.at(clock.now() + Math.min(left, LONGEST_WAIT_MS), look)
  }
  look()
  signal.addEventListener('abort', () => cancel(), { once: true })
  return over.signal
}

/**
 * The id after which a stream starts. By default that is the newest event, and with `from` the last one before that
 * time: it has a name, so that the stream can be resumed from its start. Where retention has removed every event, it
 * is the newest number.
 */
async function startOf({ after, from }: StreamQuery, events: Events): Promise<string> {
  const { last } = events
  const { items } = await events.list({ limit: 1 })
  const newest = items[0]?.id ?? String(last)
  if (after === undefined) return (await lastBefore(from, events)) ?? newest
  // After an id that does not exist yet, the client would miss all events before that id without notice.
  if (Number(after) > Number(newest))
    throw new Problem('invalid_cursor', `There is no event ${after} yet: the newest is ${newest}.`)
  if (await events.isKnown(Number(after))) return after
  throw new Problem(
    'invalid_cursor',
    `There is no event ${after}: it was recorded after the backup that was restored.`,
  )
}

/** Undefined where there is no event since `from` yet. */
async function lastBefore(from: string | undefined, events: Events): Promise<string | undefined> {
  if (from === undefined) return undefined
  const { items } = await events.list({ from, order: 'asc', limit: 1 })
  return items[0] && String(Number(items[0].id) - 1)
}

/** Entries with their members in the order of the files, whatever made the entry. */
async function* inFileOrder(
  first: IteratorResult<readonly JournalEntry[]>,
  rest: AsyncIterator<readonly JournalEntry[]>,
): AsyncGenerator<readonly JournalEntry[]> {
  for (let page = first; !page.done; page = await rest.next()) {
    yield page.value.map(({ seq, at, key, type, name, topic, data }) => ({
      seq,
      at,
      key,
      type,
      name,
      ...(topic !== undefined && { topic }),
      data,
    }))
  }
}
