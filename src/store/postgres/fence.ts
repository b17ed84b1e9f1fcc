import type { Entry } from '../entry.js'
import { NotOwner } from '../failure.js'

/** What this process owns, as far as it knows. */
export interface Fence {
  /** The epoch of the lease of a key that this process owns; 0 for a key that is another's, or nobody's at the moment. */
  epochOf(key: string): number
  /** True where the key is an owner's alone to write to. */
  isOwned(key: string): boolean
}

/** Of a journal that anyone may append to. */
export const NO_FENCE: Fence = { epochOf: () => 0, isOwned: () => false }

export const ownedElsewhere = (key: string, recorded?: readonly Entry[]): NotOwner =>
  new NotOwner(`Another process owns ${key} now.`, recorded)
