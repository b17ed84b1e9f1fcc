/** How much history is kept. Whole segments or partitions go, oldest first, when one of the two is passed. */
export interface RetentionPolicy {
  /** Milliseconds since the newest entry of a segment or partition. */
  readonly maxAge: number
  /** Bytes of all segments or partitions. */
  readonly maxBytes: number
}

export const DEFAULT_RETENTION: RetentionPolicy = {
  maxAge: 30 * 24 * 60 * 60 * 1000,
  maxBytes: 2 * 1024 ** 3,
}
