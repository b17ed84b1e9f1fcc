/** The part of all keys that is given up at once. */
const GIVEN_PART = 1 / 20

export interface Sharer {
  readonly keys: number
  /** It has been there for longer than a lease: a process that only restarts takes nothing from the others. */
  readonly isSettled: boolean
}

/**
 * How many keys a process may take now, or, negative, gives up: above a fair share of all it gives to another process that
 * has less, slowly.
 */
export function movesOf(all: number, own: number, others: readonly Sharer[]): number {
  const share = Math.ceil(all / (others.length + 1))
  if (own <= share) return share - own
  const isWanted = others.some(({ keys, isSettled }) => isSettled && keys < share)
  return isWanted ? -Math.min(own - share, Math.max(1, Math.ceil(all * GIVEN_PART))) : 0
}
