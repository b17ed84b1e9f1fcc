import type { Frame } from '../frame/frame.js'

export type Direction = 'in' | 'out'

/** The two ends of a TCP connection, each `address:port`, IPv6 in brackets. */
export interface Endpoints {
  readonly local: string
  readonly remote: string
}

/** An event on one connection. */
export type WireRecord =
  /** TCP is up. */
  | ({ readonly kind: 'opened' } & Endpoints)
  /** `peer`: of tapped equipment, who sent it, or gets it. */
  | {
      readonly kind: 'frame'
      readonly direction: Direction
      readonly peer?: 'host' | 'gateway'
      readonly frame: Frame
    }
  /** SECS-I: one character of the line protocol, or the bytes of a block, as they passed. */
  | { readonly kind: 'line'; readonly direction: Direction; readonly bytes: Uint8Array }
  /** Bytes from the peer that are no frame; the connection ends because of them. */
  | { readonly kind: 'unreadable'; readonly bytes: Uint8Array; readonly detail: string }
  | { readonly kind: 'closed'; readonly detail: string }
