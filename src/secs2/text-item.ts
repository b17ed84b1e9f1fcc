import { atOnce } from '../kit/turns.js'
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
  if (item.format === 'A') return text.decode(item.value)
  if (item.format === 'J') return jis8().decode(item.value)
  const word = encodingWord(item.value)
  if (word === undefined) return item.value
  return (codecOfWord(word) ?? LATIN1).decode(item.value.slice(ENCODING_WORD_LENGTH))
}

/** A text item from text: a C item in UTF-8. TextEncodeError for a character that cannot be written. */
export const encodeText = (format: TextFormat, value: string, text: TextCodec = LATIN1): TextItem =>
  atOnce(encodeTextSteps(format, value, text))

/** The same in steps. */
export function* encodeTextSteps(
  format: TextFormat,
  value: string,
  text: TextCodec = LATIN1,
): Generator<void, TextItem> {
  if (format === 'A') return { format, value: yield* text.encodeSteps(value) }
  if (format === 'J') return { format, value: yield* jis8().encodeSteps(value) }
  const wire = yield* textCodec('utf-8').encodeSteps(value)
  return { format, value: String.fromCharCode(0, UTF8_WORD) + wire }
}
