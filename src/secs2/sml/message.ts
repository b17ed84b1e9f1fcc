import type { Item } from '../item.js'
import type { TextCodec } from '../text.js'

/** A message as SML writes it: without session ID and system bytes. */
export interface SmlMessage {
  readonly stream: number
  readonly function: number
  /** The W-bit. */
  readonly wait: boolean
  /** Undefined when the message is header-only. */
  readonly item: Item | undefined
}

export interface SmlOptions {
  /**
   * How the text of A items is read and written; Latin-1 when left out. Printing without it shows ASCII and
   * writes every other byte in hex. What is printed with a codec has to be parsed with the same.
   */
  readonly text?: TextCodec
  /** Of parsing: the bytes that the body of a message may have; any number when left out. */
  readonly maxBytes?: number
  /** Of parsing: how many messages a text may hold; any number when left out. */
  readonly maxMessages?: number
}
