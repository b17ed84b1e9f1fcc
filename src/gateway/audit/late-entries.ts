import type { Cancel, Clock } from '../../kit/clock.js'
import type { NewEntry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'

/** Milliseconds for which entries are kept, to be written together. */
const GATHER_MS = 50

/** Entries that nobody waits for but readers. */
export class LateEntries {
  #gathered: NewEntry[] = []
  /** Those to which something may be added until they are written, by what they are about. */
  readonly #open = new Map<string, NewEntry>()
  #cancel: Cancel | undefined
  /** Resolves when those that were written so far are on disk. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
  ) {}

  add(entry: NewEntry, about?: string): void {
    if (about !== undefined) this.#open.set(about, entry)
    this.#gathered.push(entry)
    this.#cancel ??= this.clock.at(this.clock.now() + GATHER_MS, () => void this.write())
  }

  /** The entry about this, if it is not written yet. */
  about(subject: string): NewEntry | undefined {
    return this.#open.get(subject)
  }

  /** If the disk fails, the gateway ends. */
  write(): Promise<unknown> {
    this.#cancel?.()
    this.#cancel = undefined
    const entries = this.#gathered
    this.#gathered = []
    this.#open.clear()
    if (entries.length > 0) this.#written = this.journal.appendAll(entries).catch(() => {})
    return this.#written
  }
}
