import type { Catalogue } from '../catalogue/catalogue.js'
import type { NamedValues } from '../catalogue/values/read.js'
import type { ItemView } from '../catalogue/view.js'
import type { Item } from '../secs2/item.js'

/** A SECS message without its transport. */
export interface SecsMessage {
  readonly stream: number
  readonly function: number
  readonly item: Item | undefined
}

/** A received primary. */
export interface Primary extends SecsMessage {
  /** The W-bit: the peer wants a reply. */
  readonly wait: boolean
  /** Why the body is no valid SECS-II; `item` is then undefined. */
  readonly fault?: string | undefined
  /**
   * Given where the body has so many items that they are not made (`Catalogue.readBodySteps`): its named values, null
   * where it does not fit. `item` is then undefined.
   */
  readonly values?: NamedValues | null
  /** The bytes of a short body: its named values may be read of these, so that `item` need not be decoded. */
  readonly body?: Uint8Array
}

/** The reply to a primary. */
export type PrimaryReply =
  | { readonly kind: 'reply'; readonly message: SecsMessage }
  /** SxF0. */
  | { readonly kind: 'abort' }
  /** No reply: there was no W-bit, or the state does not allow one. */
  | { readonly kind: 'none' }

/** The outcome of a primary that was sent, with its decoded reply. */
export type Exchange =
  | { readonly kind: 'replied'; readonly item: Item | undefined }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'timed_out' }
  /** Reject.req, with its reason code. */
  | { readonly kind: 'rejected'; readonly reason: number }
  /** Stream 9 about it, another function than the one asked for, or a reply that does not decode: `unreadable`. */
  | { readonly kind: 'error'; readonly unreadable?: true }
  /** The connection ended, or there was none. */
  | { readonly kind: 'lost' }
  /** Not sent: too many transactions are open. */
  | { readonly kind: 'busy' }

/** How GEM behaviour reaches the peer; implemented by the owner of the connection. */
export interface Conversation {
  /**
   * Sends a primary with W-bit. Never rejects: what cannot be sent ends as `lost` or `busy`. `ended` is called
   * at the end of the transaction, in one order with the ends of all other primaries. `t3` in milliseconds shortens T3.
   */
  request(message: SecsMessage, ended?: (exchange: Exchange) => void, t3?: number): Promise<Exchange>
}

/** How one peer differs: its messages, the formats of its items and the encoding of its text. */
export interface PeerView extends ItemView {
  readonly catalogue: Catalogue
}

/** A change of one of E30's state machines. */
export interface GemChange {
  readonly machine: 'communication_state' | 'control_state'
  readonly from: string
  readonly to: string
  readonly cause: string
}
