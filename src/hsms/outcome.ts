import type { DataMessage } from './message.js'

/** How a primary of ours ended. Every request has exactly one. */
export type Outcome =
  /** The secondary it asked for: same system bytes, stream, and function + 1. */
  | { readonly kind: 'replied'; readonly reply: DataMessage }
  /** SxF0: the peer will not answer. */
  | { readonly kind: 'aborted'; readonly reply: DataMessage }
  /** A secondary of another function, or a stream 9 message about it. */
  | { readonly kind: 'error'; readonly reply: DataMessage }
  /** T3. */
  | { readonly kind: 'timed_out' }
  /** Reject.req, with its reason code. */
  | { readonly kind: 'rejected'; readonly reason: number }
  /** The connection ended, or was never selected. */
  | { readonly kind: 'lost' }
