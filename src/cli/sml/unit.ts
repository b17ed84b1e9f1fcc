import type { Header } from '../../hsms/frame/header.js'
import type { Item } from '../../secs2/item.js'

/** A body, message or frame in one of the notations. */
export type Unit = BodyUnit | MessageUnit | FrameUnit

/** A body without its message. */
export interface BodyUnit {
  readonly kind: 'body'
  readonly item: Item
}

/** A message without session ID and system bytes. */
export interface MessageUnit {
  readonly kind: 'message'
  readonly stream: number
  readonly function: number
  /** The W-bit. */
  readonly wait: boolean
  /** Undefined when the message is header-only. */
  readonly item: Item | undefined
}

/** Bytes that are nothing whole: of a body that cannot be read, or of an HSMS message that is cut. */
export interface BrokenUnit {
  readonly kind: 'broken'
  /** Why, and at which byte of what is read together. */
  readonly fault: string
  /** Of an HSMS message that is cut, what there is of it, from its length on. */
  readonly cut: Uint8Array | undefined
}

/** What is found where a unit is looked for. */
export type Found = Unit | BrokenUnit

/** An HSMS message, of whatever SType. */
export interface FrameUnit {
  readonly kind: 'frame'
  readonly header: Header
  readonly body: Uint8Array
}

export const NOTATIONS = ['hex', 'sml', 'json'] as const
export type Notation = (typeof NOTATIONS)[number]
