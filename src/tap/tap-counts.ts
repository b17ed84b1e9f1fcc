import type { Endpoints } from '../hsms/capture/wire.js'
import type { PairEnd, Side } from './side.js'

/** Since when, in milliseconds since 1970, a control message of a side has no response; its SType (SEMI E37). */
export interface Unanswered {
  readonly sType: number
  readonly at: number
}

/** What one side has sent while a pair was connected. */
export interface SideCounts {
  readonly bytes: number
  /** Of its data messages. */
  readonly primaries: number
  readonly replies: number
  readonly stream9: number
  /** Control messages, by their SType. */
  readonly control: Readonly<Record<number, number>>
  /** Of its last data message. */
  readonly sessionId: number | null
  /** When it sent last, in milliseconds since 1970. */
  readonly lastAt: number | null
  /** Its bytes were no HSMS from some point on. */
  readonly isUnreadable: boolean
  /** Milliseconds in which the other side's bytes waited since this one did not take them. */
  readonly heldMs: number
  /** Its oldest control message without a response. */
  readonly unanswered: Unanswered | null
}

/** Two connections that are, or were, one. Times are milliseconds since 1970. */
export interface PairCounts {
  readonly since: number
  readonly endpoints: Readonly<Record<Side, Endpoints>>
  readonly isSelected: boolean
  /** Of the last Select.rsp; null where none has passed. */
  readonly selectStatus: number | null
  readonly sides: Readonly<Record<Side, SideCounts>>
  /** Primaries of the host whose system bytes were replaced. */
  readonly mapped: number
  /** Primaries of the gateway, and what the equipment sent about them. */
  readonly own: { readonly sent: number; readonly replied: number }
  /** From reading bytes to having written them: how often, the sum, and the longest, in milliseconds. */
  readonly handling: { readonly times: number; readonly sumMs: number; readonly maxMs: number }
  /** Of one that is over. */
  readonly over: { readonly at: number; readonly first: Side; readonly how: PairEnd } | null
}

/** Connections from one address that were closed at once. */
export interface Refusals {
  readonly address: string
  readonly why: 'stranger' | 'in_use'
  readonly count: number
  readonly at: number
}

/** What has happened on a tap since it runs. */
export interface TapCounts {
  readonly since: number
  /** Null where it does not listen; then why. */
  readonly listening: number | null
  readonly fault: string | null
  readonly pairs: number
  readonly pair: PairCounts | null
  /** The last one that is over. */
  readonly last: PairCounts | null
  /** The newest of each address last. */
  readonly refused: readonly Refusals[]
  /** Pairs that did not begin, since the other side could not be dialled. */
  readonly notDialled: { readonly count: number; readonly detail: string; readonly at: number } | null
}
