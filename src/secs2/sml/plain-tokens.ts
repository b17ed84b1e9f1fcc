import type { Token } from './token.js'

/** Characters of the longest number or word: an F8 in full has 1,078. */
export const MAX_WORD_LENGTH = 2048
/** A decimal integer of so many characters is an exact number. */
const EXACT_DIGITS = 15
/** A hexadecimal integer of so many characters, `0x` among them, is an exact number. */
const EXACT_HEX = 2 + 13

/** White space beyond ASCII. */
const SPACE = /[\s\ufeff]/

export const [NEWLINE, RETURN, BACKSLASH] = [0x0a, 0x0d, 0x5c]
const [TAB, SPACE_CODE] = [0x09, 0x20]
const [HASH, STAR, SLASH, ZERO, X] = [0x23, 0x2a, 0x2f, 0x30, 0x78]
const [LESS, GREATER, COMMA, RIGHT_BRACKET] = [0x3c, 0x3e, 0x2c, 0x5d]
const [HYPHEN, UNDERSCORE] = [0x2d, 0x5f]
const LAST_ASCII = 0x7f
/** Letters of either case differ in it. */
const LOWER = 0x20
/** How numbers without digits begin, and who sends, as in `H->E` and `E<-H`. */
const NO_WORD = /^(inf|nan|[he]-)/i

const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39
const isLetter = (code: number): boolean => (code | LOWER) >= 0x61 && (code | LOWER) <= 0x7a
const isHexDigit = (code: number): boolean =>
  isDigit(code) || ((code | LOWER) >= 0x61 && (code | LOWER) <= 0x66)
const isWordPart = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code === UNDERSCORE || code === HYPHEN

/** Whether a number ends before `code`, whatever follows. */
const endsNumber = (code: number): boolean =>
  code === SPACE_CODE ||
  code === GREATER ||
  (code >= TAB && code <= RETURN) ||
  code === COMMA ||
  code === RIGHT_BRACKET ||
  code === LESS ||
  Number.isNaN(code)

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== NEWLINE) at++
  return at
}

/** The position after the end of a comment; undefined where the comment does not end. */
function commentEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text.charCodeAt(at) === STAR && text.charCodeAt(at + 1) === SLASH) return at + 2
  }
  return undefined
}

/** The most frequent tokens, without a regular expression: integers and words in ASCII. */
export function plainToken(source: string, at: number): Token | undefined {
  const first = source.charCodeAt(at)
  let end = at
  if (isDigit(first)) {
    const second = source.charCodeAt(at + 1) | LOWER
    if (first === ZERO && second === X) {
      end += 2
      while (isHexDigit(source.charCodeAt(end))) end++
      if (end === at + 2 || end - at > EXACT_HEX || !endsNumber(source.charCodeAt(end))) return undefined
    } else {
      while (isDigit(source.charCodeAt(end))) end++
      if (end - at > EXACT_DIGITS || !endsNumber(source.charCodeAt(end))) return undefined
    }
    const text = source.slice(at, end)
    return { kind: 'number', text, at, value: Number(text) }
  }
  if (!isLetter(first)) return undefined
  while (isWordPart(source.charCodeAt(end)) && end - at <= MAX_WORD_LENGTH) end++
  const text = source.slice(at, end)
  if (text.length > MAX_WORD_LENGTH || source.charCodeAt(end) > LAST_ASCII || NO_WORD.test(text))
    return undefined
  if (source.charCodeAt(at + 1) === LESS) return undefined
  return { kind: 'word', text, at }
}

/** The position after the white space and the comments at `from`: `//`, `#` and `*` (PEER Group's) to the end of the line, and as in C. */
export function spaceEnd(source: string, from: number): number {
  for (let at = from; ; ) {
    const code = source.charCodeAt(at)
    if (code === SPACE_CODE || (code >= TAB && code <= RETURN)) at++
    else if (code === HASH || code === STAR) at = lineEnd(source, at)
    else if (code === SLASH && source.charCodeAt(at + 1) === SLASH) at = lineEnd(source, at)
    else if (code === SLASH && source.charCodeAt(at + 1) === STAR) {
      const end = commentEnd(source, at + 2)
      if (end === undefined) return at
      at = end
    } else if (code > LAST_ASCII && SPACE.test(source.charAt(at))) at++
    else return at
  }
}
