import type { Cancel, Clock } from '../../kit/clock.js'
import type { NewEntry } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'

/** Milliseconds for which entries are kept, to be written together. */
const GATHER_MS = 50
/** Milliseconds until what could not be written is tried again, and how many such entries are kept; the oldest are dropped. */
const AGAIN_MS = 1000
const MAX_KEPT = 10_000

/** Entries that nobody waits for but readers. */
export class LateEntries {
  #gathered: NewEntry[] = []
  /**
   * Those to which something may be added until they are written, by what they are about. A new one for each batch: a
   * `Map` that has lived for long keeps what was in it until the next full garbage collection.
   */
  #open = new Map<string, NewEntry>()
  /** What is being written, and what nobody knows of yet whether it is recorded. */
  readonly #batches = new Set<{ entries: readonly NewEntry[] }>()
  #cancel: Cancel | undefined
  /** Resolves when all are on disk, or the store has failed. */
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
  ) {}

  add(entry: NewEntry, about?: string): void {
    if (about !== undefined) this.#open.set(about, entry)
    this.#gathered.push(entry)
    this.#writeIn(GATHER_MS)
  }

  /** The entry about this, if it is not written yet. */
  about(subject: string): NewEntry | undefined {
    return this.#open.get(subject)
  }

  /** Drops entries of a type that are not written yet; those that are being written are not tried again. */
  drop(type: string): void {
    this.#gathered = this.#gathered.filter((entry) => entry.type !== type)
    for (const batch of this.#batches) batch.entries = batch.entries.filter((entry) => entry.type !== type)
  }

  /** What the store does not take is tried again, until it is closed. */
  write(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Writes for the last time. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.write()
  }

  #writeIn(ms: number): void {
    this.#cancel ??= this.clock.at(this.clock.now() + ms, () => void this.write())
  }

  async #writeAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      const batch = { entries: this.#gathered }
      this.#batches.add(batch)
      this.#gathered = []
      this.#open = new Map()
      const over = (isRecorded: boolean): void => {
        this.#batches.delete(batch)
        if (!isRecorded) this.#writeAgain(batch.entries)
        batch.entries = []
      }
      try {
        await this.journal.appendAll(batch.entries)
        over(true)
      } catch (error) {
        if (!(error instanceof Unsettled)) return over(false)
        void error.settled.then((recorded) => over(recorded !== undefined))
      }
    }
  }

  #writeAgain(entries: readonly NewEntry[]): void {
    this.#gathered = [...entries, ...this.#gathered].slice(-MAX_KEPT)
    this.#cancel?.()
    this.#cancel = undefined
    if (!this.#isClosed) this.#writeIn(AGAIN_MS)
  }
}
