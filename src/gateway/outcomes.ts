import type { Entry, Journal } from '../store/journal.js'
import { MESSAGE_ENDED, MESSAGE_SENT } from './journal-kinds.js'
import { isPrimaryEntry, messageOf } from './message-entry.js'
import { type Ending, endingAtFirst } from './message-view.js'

/** How many endings are kept in memory; the others are read from the journal. */
const KEPT = 10_000
/** A reply to the equipment follows its primary closely: further on it is not looked for. */
const REPLY_WINDOW_MS = 10 * 60_000
/** Entries read at once, and their bytes: a message may be large. */
const PAGE = 1000
const PAGE_BYTES = 4 * 1024 * 1024

interface EndedData {
  readonly message_id: string
  readonly outcome: Ending['outcome']
  readonly reply_id: string | null
  readonly latency_ms: number | null
  readonly s9: string | null
}

/** What became of each primary: a view of the journal. */
export class Outcomes {
  /** Primaries of ours without an end, with their equipment. */
  readonly #open = new Map<number, string>()
  /** Primaries of equipment that are being answered. */
  readonly #answering = new Set<number>()
  readonly #endings = new Map<number, Ending>()

  constructor(readonly journal: Journal) {
    journal.appended.on((entry) => this.#see(entry))
  }

  /** Reads what the journal holds; the primaries of ours that had no end when the process died are left open. */
  async restore(): Promise<void> {
    let after = this.journal.first - 1
    for (;;) {
      const entries = await this.journal.query({
        kinds: [MESSAGE_SENT, MESSAGE_ENDED],
        after,
        order: 'asc',
        limit: PAGE,
        bytes: PAGE_BYTES,
      })
      for (const entry of entries) this.#see(entry)
      const last = entries.at(-1)
      if (!last) return
      after = last.seq
    }
  }

  /** Primaries of ours without an end: sequence number and equipment. */
  open(): readonly (readonly [seq: number, equipmentId: string])[] {
    return [...this.#open]
  }

  async of(entry: Entry): Promise<Ending | undefined> {
    const first = endingAtFirst(messageOf(entry))
    if (first?.outcome === 'not_expected') return this.#endings.get(entry.seq) ?? first
    if (first?.outcome !== 'pending') return first
    if (this.#open.has(entry.seq) || this.#answering.has(entry.seq)) return first
    return this.#endings.get(entry.seq) ?? (await this.#search(entry))
  }

  /** The equipment's primary will get no answer: the connection it came by is gone. */
  unanswered(seq: number): void {
    if (this.#answering.delete(seq)) this.#keep(seq, { outcome: 'lost' })
  }

  #see(entry: Entry): void {
    if (entry.type !== MESSAGE_SENT.type) return
    if (entry.name === MESSAGE_ENDED.name) return this.#ended(entry)
    const message = messageOf(entry)
    const ours = entry.name === MESSAGE_SENT.name
    if (ours && message.reply_to !== null) this.#answered(message.reply_to, entry)
    if (!isPrimaryEntry(message) || !message.w_bit) return
    if (ours) this.#open.set(entry.seq, entry.key)
    else this.#answering.add(entry.seq)
  }

  #answered(primary: number, reply: Entry): void {
    this.#answering.delete(primary)
    this.#keep(primary, endingByOurReply(reply))
  }

  #ended(entry: Entry): void {
    const data = entry.data as unknown as EndedData
    this.#open.delete(Number(data.message_id))
    this.#keep(Number(data.message_id), endingIn(data))
  }

  #keep(seq: number, ending: Ending): void {
    this.#endings.set(seq, ending)
    if (this.#endings.size <= KEPT) return
    for (const oldest of this.#endings.keys()) {
      this.#endings.delete(oldest)
      break
    }
  }

  /** The entry that ended a primary comes soon behind it. */
  async #search(entry: Entry): Promise<Ending> {
    const ours = entry.name === MESSAGE_SENT.name
    const until = new Date(Date.parse(entry.at) + REPLY_WINDOW_MS).toISOString()
    const [found] = await this.journal.query({
      kinds: [ours ? MESSAGE_ENDED : MESSAGE_SENT],
      key: entry.key,
      after: entry.seq,
      ...(!ours && { to: until }),
      order: 'asc',
      limit: 1,
      where: ({ data }) => (ours ? data['message_id'] === String(entry.seq) : data['reply_to'] === entry.seq),
    })
    if (!found) return { outcome: 'lost' }
    return ours ? endingIn(found.data as unknown as EndedData) : endingByOurReply(found)
  }
}

const endingIn = (data: EndedData): Ending => ({
  outcome: data.outcome,
  ...(data.reply_id !== null && { reply_id: data.reply_id }),
  ...(data.latency_ms !== null && { latency_ms: data.latency_ms }),
  ...(data.s9 !== null && { s9: data.s9 }),
})

/** We answered the equipment's primary: with its secondary, or with SxF0. */
const endingByOurReply = (reply: Entry): Ending => ({
  outcome: messageOf(reply).function === 0 ? 'aborted' : 'replied',
  reply_id: String(reply.seq),
})
