import type { TextFormat } from './format.js'
import type { TextItem } from './item.js'
import {
  codecOfWord,
  ENCODING_WORD_LENGTH,
  encodingWord,
  jis8,
  LATIN1,
  type TextCodec,
  textCodec,
  UTF8_WORD,
} from './text.js'

/**
 * A text item's text: A in the equipment's encoding, J in JIS-8, C in the encoding that it names itself
 * (Latin-1 when we do not know it, so that nothing is lost to the eye).
 */
export function decodeText(item: TextItem, text: TextCodec = LATIN1): string {
  if (item.format === 'A') return text.decode(item.bytes)
  if (item.format === 'J') return jis8().decode(item.bytes)
  const word = encodingWord(item.bytes)
  if (word === undefined) return LATIN1.decode(item.bytes)
  return (codecOfWord(word) ?? LATIN1).decode(item.bytes.subarray(ENCODING_WORD_LENGTH))
}

/** A text item from text: a C item in UTF-8. TextEncodeError for a character that cannot be written. */
export function encodeText(format: TextFormat, value: string, text: TextCodec = LATIN1): TextItem {
  if (format === 'A') return { format, bytes: text.encode(value) }
  if (format === 'J') return { format, bytes: jis8().encode(value) }
  const encoded = textCodec('utf-8').encode(value)
  const bytes = new Uint8Array(ENCODING_WORD_LENGTH + encoded.length)
  bytes[1] = UTF8_WORD
  bytes.set(encoded, ENCODING_WORD_LENGTH)
  return { format, bytes }
}
