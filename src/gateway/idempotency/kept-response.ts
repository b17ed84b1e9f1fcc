import type { Message } from '../../contract/topics/messages.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { isInParts } from '../../kit/text/json-parts.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { type Ending, viewLater } from '../messages/message-view.js'
import type { Reading } from '../records/reading.js'

/** A response as it is recorded. */
export interface KeptResponse {
  readonly body: JsonObject | null
  /** The entries of its long messages, which are not written a second time. */
  readonly records: readonly number[]
}

/** A placeholder for a long message in a response's body. */
interface Stand {
  readonly record: number
  readonly ending: Ending | null
}

export function keptResponse(body: JsonObject | null): KeptResponse {
  const records: number[] = []
  if (body === null) return { body, records }
  const members = Object.entries(body).map(([name, member]): readonly [string, Json] => {
    if (typeof member !== 'object' || member === null || !isInParts(member)) return [name, member]
    const { id, outcome, reply_id, latency_ms, s9 } = member as object as Message
    records.push(Number(id))
    const ending = outcome === undefined ? null : { outcome, reply_id, latency_ms, s9 }
    return [name, { record: Number(id), ending } as unknown as JsonObject]
  })
  return records.length === 0 ? { body, records } : { body: Object.fromEntries(members), records }
}

/** The whole response again; undefined when the entry of one of its messages was deleted. */
export async function wholeResponse(
  { body, records }: KeptResponse,
  journal: Pick<Journal, 'get'>,
  readingOf: (equipmentId: string) => Reading,
): Promise<JsonObject | null | undefined> {
  if (body === null || records.length === 0) return body
  const entries = new Map<number, Entry>()
  for (const seq of records) {
    const entry = await journal.get(seq)
    if (!entry) return undefined
    entries.set(seq, entry)
  }
  const members = Object.entries(body).map(([name, member]): readonly [string, Json] => {
    const { record, ending } = (member ?? {}) as unknown as Partial<Stand>
    const entry = record === undefined ? undefined : entries.get(record)
    if (!entry) return [name, member]
    return [name, viewLater(entry, readingOf(entry.key), ending ?? undefined) as unknown as JsonObject]
  })
  return Object.fromEntries(members)
}
