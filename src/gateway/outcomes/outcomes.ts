import type { Clock } from '../../kit/clock.js'
import { RecentCache } from '../../kit/recent-cache.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { Ownership } from '../../store/ownership.js'
import { type Ending, endingAtFirst } from '../messages/message-view.js'
import { OwedEntries } from '../owed-entries.js'
import { MESSAGE_ENDED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { NOT_SENT_TOPIC } from '../records/message-topics.js'
import { messageOf } from '../records/recorded-message.js'
import { throwBug } from '../store-problem.js'
import { LateReplies } from './late-replies.js'
import type { OpenTransactions } from './open-transactions.js'
import { OurReplies } from './our-replies.js'
import { endingIn, searchEndings } from './search-endings.js'

/** How many endings are kept in memory; the others are read from the journal. */
const MAX_REMEMBERED = 10_000
/** Milliseconds after which the reply of another process, which is sent once the primary is recorded, is not expected any more. */
const REPLIED_WITHIN_MS = 5000
/** The same for a reply of this process, which may wait for other replies and for the store. */
const REPLIED_AT_ALL_MS = 10 * 60_000

/** The ending of each primary, read from the journal; the newest are kept in memory. */
export class Outcomes {
  /** Primaries of equipment whose replies this process prepares. */
  readonly #awaitingReply = new Set<number>()
  /** Those whose replies other processes may prepare, and until when at most, on the clock that never goes back; the oldest first. */
  readonly #elsewhere = new Map<number, number>()
  readonly #endings = new RecentCache<Ending>(MAX_REMEMBERED)
  readonly #ourReplies = new OurReplies()
  /** Replies that come after T3. */
  readonly late: LateReplies
  readonly #owed: OwedEntries

  /** `open` is attached to the journal. */
  constructor(
    readonly journal: Journal,
    readonly open: OpenTransactions,
    /** With the equipment that this process drives. */
    readonly world: { readonly clock: Clock; readonly ownership: Pick<Ownership, 'owns'> },
  ) {
    this.late = new LateReplies(journal)
    this.#owed = new OwedEntries(journal, world.clock)
    journal.appended.on((entry) => this.#see(entry))
  }

  /** The ending of each of these messages, in their order; undefined for a secondary. */
  async of(entries: readonly Entry[]): Promise<readonly (Ending | undefined)[]> {
    const known = entries.map((entry) => this.#known(entry))
    if (!known.includes('search')) return known as readonly (Ending | undefined)[]
    const searched = await searchEndings(
      this.journal,
      entries.filter((_, at) => known[at] === 'search'),
    )
    for (const [seq, ending] of searched) this.#keep(seq, ending)
    return known.map((ending, at) =>
      ending === 'search' ? (searched.get(entries[at]?.seq ?? 0) ?? { outcome: 'lost' }) : ending,
    )
  }

  /** No message before this one is pending; undefined where none is. */
  get oldestPending(): number | undefined {
    // Each has its oldest first.
    const oldest = [this.open.pinned(), this.#awaitingReply, this.#elsewhere.keys()].flatMap((seqs) => {
      const [first] = seqs
      return first ?? []
    })
    return oldest.length === 0 ? undefined : Math.min(...oldest)
  }

  /** The equipment's primary will get no reply: the connection it came by is gone. */
  willHaveNoReply(seq: number): void {
    if (this.#awaitingReply.delete(seq)) this.#keep(seq, { outcome: 'lost' })
  }

  /**
   * An end that could not be recorded is written when the store takes it, unless another process has ended it by then: that
   * one does not know whether the message was sent.
   */
  endLater(end: NewEntry, failure: unknown): void {
    const seq = Number(end.data['message_id'])
    const isOwed = (): boolean => end.topic === NOT_SENT_TOPIC || this.open.has(seq)
    this.#owed.add(end, isOwed, failure).catch(throwBug)
  }

  close(): void {
    this.#owed.close()
  }

  #known(entry: Entry): Ending | undefined | 'search' {
    const first = endingAtFirst(messageOf(entry))
    if (!first) return undefined
    // A reply of ours may be recorded after the store said that it was not.
    const kept = this.#ourReplies.of(entry.seq) ?? this.#endings.get(entry.seq)
    if (first.outcome !== 'pending') return kept ?? first
    if (this.open.has(entry.seq) || this.#awaitsReply(entry)) return first
    return kept ?? 'search'
  }

  #see(entry: Entry): void {
    if (entry.type !== MESSAGE_SENT.type) return
    if (entry.name === MESSAGE_ENDED.name) {
      const seq = Number(entry.data['message_id'])
      if (this.#endings.get(seq)?.outcome !== 'not_sent') this.#keep(seq, endingIn(entry))
      return
    }
    const message = messageOf(entry)
    const ours = entry.name === MESSAGE_SENT.name
    if (ours && message.replyTo !== null) {
      this.#awaitingReply.delete(message.replyTo)
      this.#elsewhere.delete(message.replyTo)
      this.#ourReplies.keep(message.replyTo, entry)
    }
    if (!ours && message.isPrimary && message.wait) this.#expectReply(entry)
  }

  #expectReply({ seq, key }: Entry): void {
    if (this.world.ownership.owns(key)) return void this.#awaitingReply.add(seq)
    const now = this.world.clock.now()
    for (const [earlier, until] of this.#elsewhere) {
      if (until > now) break
      this.#elsewhere.delete(earlier)
    }
    this.#elsewhere.set(seq, now + REPLIED_WITHIN_MS)
  }

  #awaitsReply({ seq, at }: Entry): boolean {
    const { clock } = this.world
    if (clock.now() < (this.#elsewhere.get(seq) ?? Number.NEGATIVE_INFINITY)) return true
    if (!this.#awaitingReply.has(seq)) return false
    // One that is on disk although the store said that it was not never gets a reply.
    const isLate = clock.date().getTime() - Date.parse(at) > REPLIED_AT_ALL_MS
    if (isLate) this.#awaitingReply.delete(seq)
    return !isLate
  }

  #keep(seq: number, ending: Ending): void {
    this.#endings.put(seq, ending, 1)
  }
}
