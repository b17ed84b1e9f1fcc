import type { Signal } from '../kit/signal.js'
import type { JsonObject } from '../kit/text/json.js'

/** A process that works on the store. */
export interface StoreNode {
  /** Another one each time the process starts. */
  readonly id: string
  /** Such as its host name. */
  readonly name: string
  /** Where the others reach it; null until it has said so. */
  readonly url: string | null
  readonly version: string
  /** ISO 8601. */
  readonly started_at: string
  /** It gives what it has to others, and takes nothing. */
  readonly draining: boolean
  /** Milliseconds until its leases end, unless it renews them; negative or 0 where they have ended. */
  readonly expires_in: number
  /** How many keys it owns. */
  readonly keys: number
  /** Entries that it has not read yet. */
  readonly lag: number
}

/** What works on the keys that a process owns. */
export interface LeaseHolder {
  /** These keys are this process's from now on. */
  take(keys: readonly string[]): Promise<void>
  /**
   * These keys go to another process: resolves once nothing more is appended for them. `isLost`: they may be another's
   * already, so nothing can be appended for them any more.
   */
  give(keys: readonly string[], isLost: boolean): Promise<void>
}

/** The duties that one process has for all of them. */
export const SITE_KEY = 'site'

/**
 * Which process may append entries of a key and change the record with that id. The keys are the ids of the records in
 * owned collections, and `SITE_KEY`. One process at a time owns a key.
 */
export interface Ownership {
  /** The id of this process; null where no other can work on the store. */
  readonly self: string | null
  owns(key: string): boolean
  /** Milliseconds in which no other process can own what this one does; undefined where no other can work on the store. */
  readonly safeFor: number | undefined
  /** Emits when that has become longer. */
  readonly renewed: Signal<void>
  /** The process that owns the key; undefined where none does. */
  ownerOf(key: string): StoreNode | undefined
  nodes(): readonly StoreNode[]
  /** Looks at once whether the others still renew their leases; after `start` that is done regularly. */
  look(): Promise<void>
  /**
   * Begins to own keys. Resolves once the holder has taken those that are free. Without a holder the process is in standby: it
   * owns nothing, and others do not leave anything for it.
   */
  start(holder: LeaseHolder | undefined): Promise<void>
  /** Where other processes reach this one. */
  announce(url: string): Promise<void>
  /** What other processes show of a key that this one owns. Written within half a second. */
  publish(key: string, state: JsonObject): void
  /** What the owner of a key has published last. */
  published(key: string): JsonObject | undefined
  /** False once the store has been silent for so long that what others publish may have changed unseen. */
  readonly isCurrent: boolean
  /** The process gives what it owns to others and takes nothing, or no longer. False where it is not there. */
  drain(id: string, draining: boolean): Promise<boolean>
  /** Emits a key that has another owner, none any more, or another published state, once `ownerOf` and `published` know it. */
  readonly changed: Signal<string>
  /** Gives all keys back, in order. */
  stop(): Promise<void>
}
