import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { Event, EventQuery, StreamQuery } from '../../contract/topics/events.js'
import { deferred } from '../../kit/deferred.js'
import type { Entry } from '../../store/entry.js'
import type { Journal, JournalQuery, JournalRead } from '../../store/journal.js'
import { type Keys, keysOf, readPage, readSifted } from '../records/journal-page.js'
import type { Reading } from '../records/reading.js'
import { timeOf } from '../records/time-range.js'
import { searchedBy, siftOf } from './event-filters.js'
import { EventViews } from './event-views.js'

/** Entries that a follower reads at once, and keeps in memory while its reader is slow. */
const READ_AHEAD = 32
const READ_AHEAD_BYTES = 256 * 1024

const overtaken = (): Problem =>
  new Problem('cursor_expired', 'Retention has removed events after this id. Start again without it.')

/** The journal's entries as events. */
export class JournaledEvents {
  readonly #views: EventViews
  /** Reads of followers that are under way, by what they ask for. */
  readonly #reads = new Map<string, Promise<JournalRead>>()

  constructor(
    readonly journal: Journal,
    readingOf: (equipmentId: string) => Reading,
  ) {
    this.#views = new EventViews(journal, readingOf)
  }

  /** An entry as an event. */
  of(entry: Entry): Event {
    return this.#views.of(entry)
  }

  /** The newest number given in the journal, to an event or to something else: the next event's id is higher. */
  get last(): number {
    return this.journal.last
  }

  /**
   * True where a stream may start after this number. A number between two entries is one of another history: of what was
   * recorded after the backup that was restored, or before a failover.
   */
  async isKnown(after: number): Promise<boolean> {
    const { journal } = this
    if (after < journal.first || after >= journal.last) return true
    return (await journal.get(after)) !== undefined || (await journal.get(after + 1)) !== undefined
  }

  /** `keys`: the equipment, where the query alone does not say it. */
  async list(
    query: EventQuery,
    keys: Keys | undefined = query.equipment_id && keysOf(query.equipment_id),
  ): Promise<Page<Event>> {
    const sift = siftOf(query)
    const searched = searchedBy(query)
    const { entries, next_cursor } = sift
      ? await readSifted(this.journal, 'events', query, searched, keys, async (all) =>
          all.filter((entry) => sift(this.#views.of(entry).data)),
        )
      : await readPage(this.journal, 'events', query, searched, keys)
    return { items: entries.map((entry) => this.#views.of(entry)), next_cursor }
  }

  /**
   * Every event after `after` (only new ones when it is left out), then each new event once it is on disk, until
   * `signal` aborts. Yields events in bounded groups. Reads only when the next group is requested, so a slow reader
   * costs nothing. `keys` is called before each read. Once `over` aborts, it ends with the last event that there is.
   */
  follow(
    query: StreamQuery,
    signal: AbortSignal,
    keys: () => Keys | undefined = () => query.equipment_id && keysOf(query.equipment_id),
    over?: AbortSignal,
  ): AsyncIterable<readonly Event[]> {
    const { journal } = this
    const after = query.after === undefined ? journal.last : Number(query.after)
    if (after < journal.first - 1) throw overtaken()
    return this.#follow(query, after, signal, keys, over)
  }

  async *#follow(
    query: StreamQuery,
    start: number,
    signal: AbortSignal,
    keys: () => Keys | undefined,
    over: AbortSignal | undefined,
  ): AsyncGenerator<readonly Event[]> {
    const from = timeOf(query.from)
    const to = timeOf(query.to)
    const searched = searchedBy(query)
    let after = start
    while (!signal.aborted) {
      // Before the read: what was recorded when it was over is read.
      const isOver = over?.aborted === true
      const end = this.journal.last
      const key = keys()
      const { entries, readTo, first } = await this.#readTogether(query, {
        ...searched,
        ...(key !== undefined && { key }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        after,
        order: 'asc',
        limit: READ_AHEAD,
        bytes: READ_AHEAD_BYTES,
      })
      // Retention may have removed the next entries, before or during this read.
      if (after < first - 1) throw overtaken()
      if (entries.length > 0) yield entries.map((entry) => this.#views.of(entry))
      after = Math.max(after, readTo)
      if (isOver && after >= end) return
      if (this.journal.last <= after) await this.#more(over ? AbortSignal.any([signal, over]) : signal)
    }
  }

  /**
   * Followers of the same that are at the same place share a read, and what it has found: a new event wakes them all at
   * once, and each would have a long message of its own in memory.
   */
  #readTogether(query: StreamQuery, read: JournalQuery): Promise<JournalRead> {
    if (typeof read.key === 'object') return this.journal.read(read)
    const asked = JSON.stringify({ ...query, key: read.key, after: read.after })
    const known = this.#reads.get(asked)
    if (known) return known
    const own = this.journal.read(read)
    this.#reads.set(asked, own)
    const forget = (): void => void this.#reads.delete(asked)
    own.then(forget, forget)
    return own
  }

  /** Resolves at the next entry, or when `signal` aborts. */
  async #more(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = deferred<void>()
    const wake = (): void => resolve()
    const unsubscribe = this.journal.appended.on(wake)
    signal.addEventListener('abort', wake)
    if (!signal.aborted) await promise
    unsubscribe()
    signal.removeEventListener('abort', wake)
  }
}
