import { type Deferred, deferred } from '../../src/kit/deferred.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { Unsettled } from '../../src/store/failure.js'
import { MemoryJournal, madeFrom } from './memory-journal.js'

/** A journal whose disk stops and goes on, or fails, when the test says so. Numbers are given at once, as on disk. */
export class HeldJournal extends MemoryJournal {
  #next: number
  #held: Deferred<void> | undefined
  #waiting = 0
  #patience = deferred<void>()

  /** `kept`: what a process that died left on disk. */
  constructor(kept: readonly Entry[] = []) {
    super()
    this.entries.push(...kept)
    this.#next = this.last + 1
  }

  /** Entries that were handed over and are not on disk yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** From now on nothing reaches the disk. */
  hold(): void {
    this.#held ??= deferred()
  }

  /** What waits reaches the disk, in its order. */
  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  /** Whoever waits is told that the store takes too long: what they handed over is recorded at `release`, or not if it fails. */
  losePatience(): void {
    this.#patience.resolve()
    this.#patience = deferred()
  }

  /** The disk fails, for what waits and for all that follows. */
  fail(failure: Error): void {
    this.failure = failure
    this.release()
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    if (this.failure) throw this.failure
    const first = this.#next
    const made = madeFrom(entries, first)
    this.#next += made.length
    this.#waiting += made.length
    const recorded = this.#record(made)
    if (!this.#held) return recorded
    const settled = recorded.catch(() => undefined)
    const impatient = this.#patience.promise.then(() => {
      throw new Unsettled(new Error('The database does not answer.'), settled)
    })
    return Promise.race([recorded, impatient])
  }

  async #record(made: readonly Entry[]): Promise<readonly Entry[]> {
    await this.#held?.promise
    this.#waiting -= made.length
    if (this.failure) throw this.failure
    this.entries.push(...made)
    for (const entry of made) this.appended.emit(entry)
    return made
  }
}
