import type { Clock } from '../kit/clock.js'
import type { Entry, NewEntry, Revive } from '../store/entry.js'
import type { Journal, JournalQuery } from '../store/journal.js'
import type { View } from '../store/view.js'

/** A journal that measures how long appends wait for the disk. */
export class MeasuredJournal implements Journal {
  /** Start times of the appends that are not on disk yet, oldest first. */
  readonly #waiting = new Set<{ readonly since: number }>()

  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
  ) {}

  /** Milliseconds that the oldest append has waited for the disk; 0 when none waits. */
  get lag(): number {
    for (const { since } of this.#waiting) return this.clock.now() - since
    return 0
  }

  /** How many appends wait for the disk. */
  get waiting(): number {
    return this.#waiting.size
  }

  get first(): number {
    return this.journal.first
  }

  get last(): number {
    return this.journal.last
  }

  get appended(): Journal['appended'] {
    return this.journal.appended
  }

  get failure(): Error | undefined {
    return this.journal.failure
  }

  append(entry: NewEntry): Promise<Entry> {
    return this.#measured(() => this.journal.append(entry))
  }

  appendAll(make: (first: number) => readonly NewEntry[]): Promise<readonly Entry[]> {
    return this.#measured(() => this.journal.appendAll(make))
  }

  get(seq: number): Promise<Entry | undefined> {
    return this.journal.get(seq)
  }

  query(query: JournalQuery): Promise<readonly Entry[]> {
    return this.journal.query(query)
  }

  attach(views: readonly View[], revive?: Revive): Promise<void> {
    return this.journal.attach(views, revive)
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  async #measured<T>(append: () => Promise<T>): Promise<T> {
    const own = { since: this.clock.now() }
    this.#waiting.add(own)
    try {
      return await append()
    } finally {
      this.#waiting.delete(own)
    }
  }
}
