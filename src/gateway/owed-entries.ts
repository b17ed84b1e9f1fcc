import type { Clock } from '../kit/clock.js'
import type { NewEntry } from '../store/entry.js'
import { NotOwner, StoreUnavailable, Unsettled } from '../store/failure.js'
import type { Journal } from '../store/journal.js'

/** Milliseconds after which an entry that the store did not take is tried again. */
const AGAIN_MS = 1000

/**
 * Milliseconds for which the store may be away before what equipment has told is not recorded, where nobody waits for that.
 * Most leases end earlier: then the equipment connects anew, and is asked again.
 */
export const TOLD_PATIENCE_MS = 60_000

/** Entries that have to be recorded although nobody waits for them any more: tried again until the gateway closes. */
export class OwedEntries {
  /** What ends the wait of each; there may be thousands. */
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(
    private readonly journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the entry is recorded, or not owed any more. `failure`: why the first attempt failed; left out, there was
   * none. What another process owns is recorded by that process.
   */
  async add(entry: NewEntry, isOwed: () => boolean = () => true, failure?: unknown): Promise<void> {
    for (let error = failure; ; ) {
      if (error instanceof NotOwner) return
      if (error instanceof Unsettled && (await error.settled)) return
      if (error !== undefined) await this.#again()
      if (this.#isClosed || !isOwed()) return
      try {
        await this.journal.append(entry)
        return
      } catch (next) {
        if (!(next instanceof StoreUnavailable)) throw next
        error = next
      }
    }
  }

  close(): void {
    this.#isClosed = true
    for (const end of [...this.#waiting]) end()
  }

  /** Resolves when it is time to try again, or it is closed. */
  #again(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        this.#waiting.delete(end)
        resolve()
      }
      const cancel = this.clock.at(this.clock.now() + AGAIN_MS, end)
      this.#waiting.add(end)
    })
  }
}
