import { type Deferred, deferred } from '../kit/deferred.js'
import type { Entry, NewEntry } from './entry.js'
import { type StoreUnavailable, Unsettled } from './failure.js'

/** Milliseconds for which a caller waits for the disk or the database, unless its entries say otherwise. */
export const PATIENCE_MS = 3000

/** How long the caller of an append waits, in milliseconds. */
export const patienceOf = (entries: readonly NewEntry[]): number =>
  entries.find(({ patience }) => patience !== undefined)?.patience ?? PATIENCE_MS

/** Who waits for entries to be recorded, and not after `due`. */
export class WaitingCaller {
  #settled: Deferred<readonly Entry[] | undefined> | undefined

  /** `since` and `due`: on a clock that stands still while this process does. */
  constructor(
    readonly since: number,
    readonly due: number,
    private readonly resolve: (entries: readonly Entry[]) => void,
    readonly reject: (error: Error) => void,
  ) {}

  /** The caller does not wait any longer, and the entries may be recorded later. */
  leave(problem: StoreUnavailable): void {
    if (this.#settled) return
    this.#settled = deferred()
    this.reject(new Unsettled(problem, this.#settled.promise))
  }

  recorded(entries: readonly Entry[]): void {
    this.resolve(entries)
    this.#settled?.resolve(entries)
  }
}
