import { Secs2DecodeError } from './errors.js'
import type { Item } from './item.js'
import { ItemReader } from './item-reader.js'
import { counted } from './wording.js'

/**
 * The one item that `bytes` are. Values are copied: the item holds nothing of `bytes`. Throws
 * Secs2DecodeError and nothing else. No length is believed before as many bytes are there.
 */
export function decodeItem(bytes: Uint8Array): Item {
  const reader = new ItemReader(bytes)
  const [item] = reader.items(1, 0)
  refuseTrailing(bytes, reader)
  return item as Item
}

/** A body that was passed over without making its items. */
export interface PassedBody {
  /** To read in it from its beginning. */
  readonly reader: ItemReader
  /** How many it has. */
  readonly items: number
}

/** Passes over a body that is not empty, giving way now and then. Throws as `decodeItem` does. */
export function* passBody(bytes: Uint8Array): Generator<undefined, PassedBody> {
  const reader = new ItemReader(bytes)
  const items = yield* reader.pass(1)
  refuseTrailing(bytes, reader)
  return { reader, items }
}

/** As `decodeBody`, giving way now and then: a body may have a million items. */
export function* decodeBodyInParts(bytes: Uint8Array): Generator<undefined, Item | undefined> {
  if (bytes.length === 0) return undefined
  const reader = new ItemReader(bytes)
  const item = yield* reader.inParts()
  refuseTrailing(bytes, reader)
  return item
}

function refuseTrailing(bytes: Uint8Array, { at }: ItemReader): void {
  const left = bytes.length - at
  if (left === 0) return
  throw new Secs2DecodeError('trailing_bytes', at, `${counted(left, 'byte')} after the end of the item`)
}

/** A message's item, or undefined when it is header-only. Throws as `decodeItem` does. */
export const decodeBody = (bytes: Uint8Array): Item | undefined =>
  bytes.length === 0 ? undefined : decodeItem(bytes)

/** A body as its item, undefined for an empty body; or the reason why the bytes are no valid SECS-II. */
export interface Decoded {
  readonly item: Item | undefined
  readonly fault?: string
}

/** As `decodeBody`, with the fault as a value: never throws for what the bytes are. */
export function decoded(bytes: Uint8Array): Decoded {
  try {
    return { item: decodeBody(bytes) }
  } catch (error) {
    return unreadable(error)
  }
}

/** As `decoded`, giving way now and then. */
export function* decodedInParts(bytes: Uint8Array): Generator<undefined, Decoded> {
  try {
    return { item: yield* decodeBodyInParts(bytes) }
  } catch (error) {
    return unreadable(error)
  }
}

/** The reason why bytes are no valid SECS-II. */
export function unreadable(error: unknown): Decoded {
  if (error instanceof Secs2DecodeError) return { item: undefined, fault: error.message }
  throw error
}
