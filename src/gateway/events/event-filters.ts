import { EVENT_NAMES_OF, EVENT_TYPES, type EventQuery, type EventType } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { Entry, Kind } from '../../store/entry.js'
import type { JournalQuery } from '../../store/journal.js'
import { MESSAGES } from '../records/journal-kinds.js'
import { topicsOf } from '../records/message-topics.js'
import { messageOf } from '../records/recorded-message.js'

type Filters = Pick<EventQuery, 'type' | 'name' | 'message' | 'ceid' | 'alid'>

/** Messages that carry a CEID. */
const REPORTING = [3, 9, 11, 13, 16, 18]

/** By what the journal is searched. */
export function searchedBy(query: Filters): Pick<JournalQuery, 'kinds' | 'topics' | 'where'> {
  const { message, ceid, alid } = query
  if (message === undefined && ceid === undefined) {
    const kinds = kindsOf(query)
    return { kinds: alid === undefined ? kinds : kinds.filter(({ type }) => type === 'alarm') }
  }
  const [, stream, fn] = /^S(\d+)(?:F(\d+))?$/.exec(message ?? 'S6') ?? []
  const fns = ceid === undefined ? [fn === undefined ? undefined : Number(fn)] : REPORTING
  const kinds = kindsOf(query).flatMap(({ type, name }) =>
    type !== 'message' || alid !== undefined
      ? []
      : MESSAGES.filter((one) => name === undefined || one.name === name),
  )
  const isWanted = (entry: Entry): boolean => {
    const given = messageOf(entry)
    return given.stream === Number(stream) && (fn === undefined || given.function === Number(fn))
  }
  const topics = new Set(fns.flatMap((one) => [...topicsOf(Number(stream), one)]))
  return { kinds, topics, where: isWanted }
}

/** By what the journal is searched for events of these types and names, and for any of these messages where they are given. */
export function searchedByMessages(
  query: Pick<EventQuery, 'type' | 'name'>,
  messages: readonly string[] | null,
): ReturnType<typeof searchedBy> {
  if (messages === null) return { kinds: kindsOf(query) }
  const each = messages.map((message) => searchedBy({ ...query, message }))
  return {
    kinds: each[0]?.kinds ?? [],
    topics: new Set(each.flatMap(({ topics = [] }) => [...topics])),
    where: (entry) => each.some(({ where }) => where?.(entry) === true),
  }
}

/** Whether an event is of the collection event and the alarm; undefined where neither is asked for. */
export function siftOf({
  ceid,
  alid,
}: Filters): ((data: Readonly<Record<string, unknown>>) => boolean) | undefined {
  if (ceid === undefined && alid === undefined) return undefined
  return (data) => {
    if (alid !== undefined && String(data['alid']) !== alid) return false
    return ceid === undefined || (data as Partial<Message>).collection_event?.ceid === ceid
  }
}

function kindsOf({ type, name: names }: Filters): readonly Kind[] {
  const types: readonly EventType[] = type ?? EVENT_TYPES
  if (names === undefined) return types.map((type) => ({ type }))
  return types.flatMap((type) =>
    names.filter((name) => EVENT_NAMES_OF[type].includes(name)).map((name) => ({ type, name })),
  )
}
