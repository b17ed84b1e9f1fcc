/** How many keys a process gives up at once. */
const MOVED = 4

export const movedAtOnce = (above: number): number => Math.min(above, MOVED)

export interface Sharer {
  readonly keys: number
  /** It has been there for longer than a lease: a process that only restarts takes nothing from the others. */
  readonly isSettled: boolean
}

/**
 * How many keys a process may take now, or, negative, gives up: above a fair share of all it gives to another process that
 * has less, a few at a time.
 */
export function movesOf(all: number, own: number, others: readonly Sharer[]): number {
  const share = Math.ceil(all / (others.length + 1))
  if (own <= share) return share - own
  const isWanted = others.some(({ keys, isSettled }) => isSettled && keys < share)
  return isWanted ? -movedAtOnce(own - share) : 0
}
