import type { Entry, Kind } from '../../store/entry.js'
import type { Journal, JournalQuery } from '../../store/journal.js'
import type { Ending } from '../messages/message-view.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { NOT_SENT_TOPIC, topicOf } from '../records/message-topics.js'
import { messageOf } from '../records/recorded-message.js'

/** Entries read at once: where the end follows closely, and where it does not; and their bytes, since messages may be large. */
const FEW = 2
const MANY = 256
const BYTES = 1024 * 1024
/** Milliseconds after a primary until the end of one that never left is not sought any more where another end is known. */
const NOT_SENT_WITHIN_MS = 60 * 60_000

interface EndedData {
  readonly outcome: Ending['outcome']
  readonly reply_id: string | null
  readonly latency_ms: number | null
  readonly s9: string | null
}

/** The ending in an entry of the kind `message_ended`. */
export function endingIn({ data }: Entry): Ending {
  const { outcome, reply_id, latency_ms, s9 } = data as unknown as EndedData
  return {
    outcome,
    ...(reply_id !== null && { reply_id }),
    ...(latency_ms !== null && { latency_ms }),
    ...(s9 !== null && { s9 }),
  }
}

/** We replied to the equipment's primary: with its secondary, or with SxF0. */
const endingByOurReply = (reply: Entry): Ending => ({
  outcome: messageOf(reply).function === 0 ? 'aborted' : 'replied',
  reply_id: String(reply.seq),
})

/** Searches the journal after the primaries for their endings, by sequence number. Primaries without an end are left out. */
export async function searchEndings(
  journal: Journal,
  primaries: readonly Entry[],
): Promise<ReadonlyMap<number, Ending>> {
  const found = new Map<number, Ending>()
  const sorted = [...primaries].sort((a, b) => a.seq - b.seq)
  for (const search of [OURS, THEIRS]) {
    const all = sorted.filter(({ name }) => name === search.primary.name)
    const keys = new Set(all.map(({ key }) => key))
    await searchAmong(journal, all, search, found)
    for (const key of keys) {
      const mine = all.filter((entry) => entry.key === key)
      await searchAfter(journal, mine, search, found)
    }
  }
  const lost = sorted.filter(({ seq }) => found.get(seq)?.outcome === 'lost')
  if (lost.length > 0) await searchNotSent(journal, lost, found)
  return found
}

/** A process that could not reach the store says later that its message never left. `lost`: oldest first. */
async function searchNotSent(
  journal: Journal,
  lost: readonly Entry[],
  found: Map<number, Ending>,
): Promise<void> {
  const sought = new Set(lost.map(({ seq }) => seq))
  const latest = Math.max(...lost.map(({ at }) => Date.parse(at)))
  const ends = await journal.query({
    kinds: [MESSAGE_ENDED],
    topics: new Set([NOT_SENT_TOPIC]),
    after: lost[0]?.seq ?? 0,
    to: new Date(latest + NOT_SENT_WITHIN_MS).toISOString(),
    order: 'asc',
    limit: lost.length,
    where: (entry) => sought.has(OURS.endedBy(entry) ?? 0),
  })
  for (const entry of ends) found.set(OURS.endedBy(entry) ?? 0, endingIn(entry))
}

/** Most ends are among the primaries or soon after them: one query over all equipment. */
async function searchAmong(
  journal: Journal,
  primaries: readonly Entry[],
  search: Search,
  found: Map<number, Ending>,
): Promise<void> {
  const [first] = primaries
  if (!first || primaries.length <= FEW) return
  const limit = Math.min(2 * primaries.length, MANY)
  const query = { ...search.ends(primaries), after: first.seq, order: 'asc', limit, bytes: BYTES } as const
  for (const entry of await journal.query(query)) {
    const primary = search.endedBy(entry)
    if (primary !== null) found.set(primary, search.endingIn(entry))
  }
}

/** How to find the ends of the primaries of one side. */
interface Search {
  readonly primary: Kind
  /** A query for the entries that may end them. */
  ends(primaries: readonly Entry[]): Pick<JournalQuery, 'kinds' | 'topics' | 'key'>
  /** The number of the primary that an entry ends. */
  endedBy(entry: Entry): number | null
  endingIn(entry: Entry): Ending
  /** The end is at most this many milliseconds after its primary; the search stops there. */
  readonly within: number
  /** They end in the order in which they came: after the end of a later one there is no end of an earlier one. */
  readonly inOrder: boolean
}

const onlyKeyOf = ([first, ...others]: readonly Entry[]): { readonly key?: string } =>
  first && others.every(({ key }) => key === first.key) ? { key: first.key } : {}

/** The topics of secondaries and of SxF0; the empty word is among them, of entries that have none. */
const repliesTo = (primaries: readonly Entry[]): ReadonlySet<string> =>
  new Set([
    '',
    ...primaries
      .map(messageOf)
      .flatMap(({ stream, function: fn }) => [topicOf(stream, fn + 1), topicOf(stream, 0)]),
  ])

const OURS: Search = {
  primary: MESSAGE_SENT,
  ends: (primaries) => ({ kinds: [MESSAGE_ENDED], ...onlyKeyOf(primaries) }),
  endedBy: ({ data }) => Number(data['message_id']),
  endingIn,
  within: Number.POSITIVE_INFINITY,
  inOrder: false,
}

const THEIRS: Search = {
  primary: MESSAGE_RECEIVED,
  ends: (primaries) => ({ kinds: [MESSAGE_SENT], topics: repliesTo(primaries), ...onlyKeyOf(primaries) }),
  endedBy: (entry) => messageOf(entry).replyTo,
  endingIn: endingByOurReply,
  within: 10 * 60_000,
  inOrder: true,
}

/** `primaries`: of one equipment, oldest first. */
async function searchAfter(
  journal: Journal,
  primaries: readonly Entry[],
  { ends, endedBy, endingIn: read, within, inOrder }: Search,
  found: Map<number, Ending>,
): Promise<void> {
  let seen = 0
  let ended = 0
  const matching = ends(primaries)
  for (const { seq, at } of primaries) {
    const to = Number.isFinite(within) ? { to: new Date(Date.parse(at) + within).toISOString() } : {}
    seen = Math.max(seen, seq)
    for (let limit = FEW; !found.has(seq) && !(inOrder && ended > seq); limit = Math.min(limit * 2, MANY)) {
      const query = { ...matching, after: seen, ...to, limit, bytes: BYTES } as const
      const entries = await journal.query({ ...query, order: 'asc' })
      for (const entry of entries) {
        const primary = endedBy(entry)
        if (primary === null) continue
        found.set(primary, read(entry))
        ended = Math.max(ended, primary)
      }
      const last = entries.at(-1)
      if (!last) break
      seen = last.seq
    }
  }
}
