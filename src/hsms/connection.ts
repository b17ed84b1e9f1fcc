import type { ConnectionStateMachine } from './connection-state-machine.js'
import type { Fault } from './fault.js'
import type { FrameTap } from './frame/frame-tap.js'
import type { HsmsOutput } from './io.js'
import type { DataMessage } from './message.js'
import type { Deadline } from './timers/deadlines.js'
import type { Transactions } from './transactions.js'

/** The parts of an entity that its connection uses. */
export interface ConnectionOwner {
  readonly machine: ConnectionStateMachine
  readonly transactions: Transactions
  readonly tap: FrameTap
  emit(output: HsmsOutput): void
  /** So many bytes are held of messages that have arrived in part. */
  arriving(bytes: number): void
  /** Ends the connection; nothing of it may be used afterwards. */
  drop(fault: Fault): void
}

/** One connection from coming up to going down, in the words of one protocol. Times are on the receive clock. */
export interface Connection {
  /** The first of its timers. */
  readonly earliest: Deadline<string> | undefined
  /** No further primary can be sent now. */
  readonly isBusy: boolean
  open(now: number): void
  expire(timer: string, now: number): void
  /** The same peer has dialled again: this connection may be dead. */
  probe(now: number): void
  /** Reads `maxFrames` frames at most, and gives the rest of the bytes back as `unread`. */
  bytes(bytes: Uint8Array, now: number, maxFrames?: number): void
  /** Sends a primary with W-bit, and begins its transaction; `t3` in milliseconds. */
  request(message: DataMessage, t3: number, now: number): void
  /** Sends a secondary, or a primary without W-bit. */
  send(message: DataMessage, now: number): void
  /** This side ends the session. */
  end(): void
}
