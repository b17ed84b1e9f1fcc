import type { Frame } from './frame.js'

/** What passed on one connection, in order. */
export type WireRecord =
  /** TCP is up. `local` and `remote` are `address:port`, IPv6 in brackets. */
  | { readonly kind: 'opened'; readonly local: string; readonly remote: string }
  | { readonly kind: 'frame'; readonly direction: 'in' | 'out'; readonly frame: Frame }
  /** Bytes from the peer that are no frame; the connection ends because of them. */
  | { readonly kind: 'unreadable'; readonly bytes: Uint8Array; readonly detail: string }
  | { readonly kind: 'closed'; readonly detail: string }
