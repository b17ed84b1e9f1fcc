import type { Side } from './side.js'

/** How a tap is set up. */
export interface TapSettings {
  /** Who dials the tap; the other side is dialled. */
  readonly caller: Side
  /** Where the caller dials. Port 0: any that is free. */
  readonly listen: { readonly host: string; readonly port: number }
  /** The only address that may call; undefined, anyone may. */
  readonly callerAddress: string | undefined
  readonly dial: { readonly host: string; readonly port: number }
  /** Milliseconds between the end of a pair and the next dial, which many tools need. */
  readonly pause: number
}
