import { type Deferred, deferred } from '../../kit/deferred.js'
import { Fifo } from '../../kit/fifo.js'

/** Counts what a tap told, in its order, as soon as it is recorded, or need not be. */
export class TapRecordings {
  /** Of each, in their order: whether it is recorded. */
  readonly #waiting = new Fifo<{ isRecorded: boolean }>()
  #counted: Deferred<void> | undefined
  /** How many were told so far. */
  told = 0

  constructor(private readonly recorded: (count: number) => void) {}

  /** `recording` settles when it is on disk, or will not be. */
  add(recording: Promise<unknown>): void {
    this.told += 1
    const one = { isRecorded: false }
    this.#waiting.add(one)
    const done = (): void => {
      one.isRecorded = true
      this.#count()
    }
    recording.then(done, done)
  }

  /** Resolves once all that was told is counted. */
  async counted(): Promise<void> {
    if (this.#waiting.length === 0) return
    this.#counted ??= deferred()
    await this.#counted.promise
  }

  #count(): void {
    let count = 0
    for (; this.#waiting.first?.isRecorded; count++) this.#waiting.take()
    if (count > 0) this.recorded(count)
    if (this.#waiting.length === 0) this.#counted?.resolve()
  }
}
