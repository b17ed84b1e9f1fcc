import { deferred } from '../kit/deferred.js'
import type { Entry } from './entry.js'

/** It cannot be written now. On files for good, since the disk has failed: the process has to end. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** Another process owns the key, or none does any more. Nothing was written, unless `recorded` says what. */
export class NotOwner extends StoreUnavailable {
  override readonly name = 'NotOwner'

  /** `recorded`: the entries that were written, where another process became the owner while they were. */
  constructor(
    message: string,
    readonly recorded?: readonly Entry[],
  ) {
    super(message)
  }
}

/** Another process has changed the record that was to be changed: nothing was written, and nothing is wrong with the store. */
export class ChangedElsewhere extends StoreUnavailable {
  override readonly name = 'ChangedElsewhere'

  /** `what`: the id or the name of the record. */
  constructor(what: string) {
    super(`Another process has changed ${what} meanwhile.`)
  }
}

/** Changes of others took too long, so this one has not begun: nothing was written, and nothing is wrong with the store. */
export class NotBegun extends StoreUnavailable {
  override readonly name = 'NotBegun'

  constructor() {
    super('Other changes of records take too long.')
  }
}

/** The caller does not wait any longer, and nobody knows yet whether the entries are recorded. */
export class Unsettled extends StoreUnavailable {
  override readonly name = 'Unsettled'

  /**
   * `settled` resolves once it is known: with the entries, after they are shown like all others, or with undefined where
   * they are not recorded and never will be. It stays open when the store is closed before.
   */
  constructor(
    cause: Error,
    readonly settled: Promise<readonly Entry[] | undefined>,
  ) {
    super(cause.message, { cause })
  }
}

/**
 * What is appended, once it is certain whether it is: for who can wait as long as a slow store takes. Rejects where it is not
 * recorded and never will be.
 */
export async function certain(appending: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await appending
  } catch (error) {
    const entries = error instanceof Unsettled ? await error.settled : undefined
    if (entries) return entries
    throw error
  }
}

/** A decision came too late: another process has appended an entry of that key and kind meanwhile. Nothing was written. */
export class Overtaken extends StoreUnavailable {
  override readonly name = 'Overtaken'

  /** `seq`: the number of the other's entry. */
  constructor(readonly seq: number) {
    super('Another process has decided this at the same time.')
  }
}

/**
 * `lost`: bytes are gone, or are not what was written; `--accept-loss` continues without them. `edited`: a document can be
 * read, and secsctl did not write it so; `--accept-edits` takes it. `unreadable`: a document is not JSON of this form.
 * `invalid`: records of a document cannot be served; they have to be corrected first. `newer`: a newer secsctl wrote it.
 * `sealed`: nothing is damaged, but the key that opens it was not given. `unread`: the disk does not give the bytes, which may
 * be there still.
 */
export type DamageKind = 'lost' | 'unreadable' | 'edited' | 'invalid' | 'newer' | 'sealed' | 'unread'

/**
 * What is on disk is not what was written, and no crash explains it. Nothing has been changed.
 * `offset` is where in the file, in bytes, when that is known.
 */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged'

  constructor(
    readonly file: string,
    readonly offset: number | undefined,
    readonly why: string,
    readonly kind: DamageKind = 'lost',
  ) {
    super(`${file}${offset === undefined ? '' : ` is damaged at byte ${offset}`}: ${why}`)
  }
}

/** Why records could be read and would be misunderstood; undefined where they would not. */
export const newerFault = (version: number, newest: number): string | undefined =>
  version > newest ? `version ${version} is of a newer secsctl than this (${newest})` : undefined

/** Throws `StoreDamaged` for such records. */
export function refuseNewer(file: string, version: number, newest: number): void {
  const fault = newerFault(version, newest)
  if (fault !== undefined) throw new StoreDamaged(file, undefined, fault, 'newer')
}

/**
 * Shared by all that write to one data folder: after the first failure none of them acknowledges
 * anything again. A failed sync is never tried again, since the kernel may have dropped what it could not
 * write and would call the second attempt a success.
 */
export class FailStop {
  readonly #failed = deferred<StoreUnavailable>()
  #failure: StoreUnavailable | undefined

  /** Resolves with the first failure; never rejects. */
  get failed(): Promise<StoreUnavailable> {
    return this.#failed.promise
  }

  /** The first failure; undefined while all is well. */
  get failure(): StoreUnavailable | undefined {
    return this.#failure
  }

  /** Throws `StoreUnavailable` once something has failed. */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  /** Ends all acknowledging. The first cause stands. */
  stop(cause: unknown): StoreUnavailable {
    if (!this.#failure) {
      const detail = cause instanceof Error ? cause.message : String(cause)
      this.#failure = new StoreUnavailable(`The data folder cannot be written: ${detail}`, { cause })
      this.#failed.resolve(this.#failure)
    }
    return this.#failure
  }
}
