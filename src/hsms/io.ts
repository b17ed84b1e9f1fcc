import type { WireRecord } from './capture/wire.js'
import type { ConnectionState } from './connection-states.js'
import type { Fault } from './fault.js'
import type { DataMessage, PrimaryName } from './message.js'
import type { Outcome } from './outcome.js'

/** The inputs of the protocol. */
export type HsmsInput =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  /** The port is bound (passive). */
  | { readonly kind: 'listening' }
  /** The TCP connection is established, by our dial or by the peer's. */
  | { readonly kind: 'connected' }
  /** The dial failed, or the port could not be bound. */
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** TCP is down, and not because of a `close` of ours. */
  | { readonly kind: 'disconnected'; readonly detail: string }
  /** A second connection was refused, since there is one already (passive). */
  | { readonly kind: 'surplus' }
  /** `maxFrames`: after so many the rest is given back as `unread`; left out, all are read. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly maxFrames?: number }
  /** A primary with W-bit and reserved system bytes; `t3` in milliseconds shortens the timer. */
  | { readonly kind: 'request'; readonly message: DataMessage; readonly t3?: number | undefined }
  /** A secondary, or a primary without W-bit. */
  | { readonly kind: 'send'; readonly message: DataMessage }
  /** Ends this primary with an outcome that the layer above knows; nothing happens unless it is open. */
  | { readonly kind: 'end'; readonly primary: PrimaryName; readonly outcome: Outcome }
  /** We do not read the socket until `resume`. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** Whether frames that pass are to be reported as `passed`. */
  | { readonly kind: 'watch'; readonly on: boolean }
  /** `deadline` has come. */
  | { readonly kind: 'tick' }

/** The outputs of the protocol, to be carried out in this order. */
export type HsmsOutput =
  | { readonly kind: 'dial' }
  | { readonly kind: 'listen' }
  | { readonly kind: 'unlisten' }
  /**
   * `isReply`: it is caused by a message of the peer: a secondary, or a control message. `body`: what follows the bytes, of
   * a frame that is long.
   */
  | {
      readonly kind: 'write'
      readonly bytes: Uint8Array
      readonly body?: Uint8Array
      readonly isReply: boolean
    }
  /** Bytes beyond `maxFrames`: the next `bytes` begins with them. */
  | { readonly kind: 'unread'; readonly bytes: Uint8Array }
  /** Ends the TCP connection after what was written, or gives up the dial. */
  | { readonly kind: 'close' }
  | ({ readonly kind: 'changed' } & StateChange)
  | ({ readonly kind: 'attempt_failed' } & AttemptFailed)
  | { readonly kind: 'received'; readonly received: Received }
  /** So many bytes are held of long messages that have arrived in part; 0 when there are none any more. */
  | { readonly kind: 'arriving'; readonly bytes: number }
  /** Something passed on the wire; only while it is watched. */
  | { readonly kind: 'passed'; readonly record: WireRecord }
  /** A request has ended. Each ends once. */
  | { readonly kind: 'ended'; readonly systemBytes: number; readonly outcome: Outcome }

export interface StateChange {
  readonly from: ConnectionState
  readonly to: ConnectionState
  /** For people; a fault's code where there is one. */
  readonly cause: string
  /** What ended the connection, unless `stop` did. */
  readonly fault?: Fault
}

/** A dial that failed; the state stays CONNECTING. */
export interface AttemptFailed {
  readonly fault: Fault
  /** Failed dials since the entity was started or last connected, this one included. */
  readonly attempts: number
}

export interface Received {
  /**
   * `primary`: has an odd function. `stray`: a secondary without an open primary of ours, such as one after
   * T3. `other_device`: for another device ID; to be recorded, never answered.
   */
  readonly kind: 'primary' | 'stray' | 'other_device'
  readonly message: DataMessage
}
