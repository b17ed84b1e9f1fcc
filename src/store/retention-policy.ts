/** How much history is kept. Whole segments or partitions go, oldest first, when one of the two is passed. */
export interface RetentionPolicy {
  /** Milliseconds since the newest entry of a segment or partition. */
  readonly maxAge: number
  /** Bytes of all segments or partitions. */
  readonly maxBytes: number
  /** What is added to both limits for entries that are held. */
  readonly held?: { readonly maxAge: number; readonly maxBytes: number }
}

/** Resolves with the first entry that somebody has not read yet; `Infinity` where there is none. */
export type FirstHeld = () => Promise<number>

/** The limits for entries of which the last one is `last`. */
export function limitsOf(
  { maxAge, maxBytes, held }: RetentionPolicy,
  last: number,
  firstHeld: number,
): Pick<RetentionPolicy, 'maxAge' | 'maxBytes'> {
  if (!held || last < firstHeld) return { maxAge, maxBytes }
  return { maxAge: maxAge + held.maxAge, maxBytes: maxBytes + held.maxBytes }
}

/** 30 days, 2 GiB. The flags of the daemon have the same (cli/daemon/retention-flags), the audit its own (gateway/audit). */
export const DEFAULT_RETENTION: RetentionPolicy = {
  maxAge: 30 * 24 * 60 * 60 * 1000,
  maxBytes: 2 * 1024 ** 3,
  held: { maxAge: 7 * 24 * 60 * 60 * 1000, maxBytes: 1024 ** 3 },
}

/** A hundred years: for a journal that is only read. */
export const KEEP_ALL: RetentionPolicy = {
  maxAge: 100 * 365 * 24 * 60 * 60 * 1000,
  maxBytes: Number.MAX_SAFE_INTEGER,
}
