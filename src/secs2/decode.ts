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
  const item = reader.item(0)
  const left = bytes.length - reader.at
  if (left > 0)
    throw new Secs2DecodeError(
      'trailing_bytes',
      reader.at,
      `${counted(left, 'byte')} after the end of the item`,
    )
  return item
}

/** A message's item, or undefined when it is header-only. Throws as `decodeItem` does. */
export const decodeBody = (bytes: Uint8Array): Item | undefined =>
  bytes.length === 0 ? undefined : decodeItem(bytes)
