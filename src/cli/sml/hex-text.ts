import { isDump, readDump } from './hex-dump.js'
import { byteStringBytes, type HexLine, isByteString, plainBytes, plainDigits } from './hex-line.js'

/** An array of bytes as C, and many other languages, write it. JSON has no 0x. */
const ARRAY = /^[\s\ufeff]*[{[]\s*0x/i

/**
 * Whether a text is hex by its first line: it begins with a digit, which no SML does, has no other letter, or
 * is an array or a string of bytes of a programming language.
 */
export function isHex(text: string): boolean {
  if (ARRAY.test(text)) return true
  const first = /\S.*/.exec(text)?.[0] ?? ''
  return /^(?:\d|\\x)/.test(first) || isByteString(first) || /^[0-9a-f]+$/i.test(plainDigits(first))
}

/**
 * The bytes of a text in hex, in paragraphs: what blank lines part, or a dump's runs of one direction each.
 * Throws a `Failure` that names the line.
 */
export function readHex(text: string): HexLine[][] {
  const lines = (ARRAY.test(text) ? text.replace(/[{}[\]]/g, ' ') : text).split(/\r\n|\r|\n/)
  return isDump(lines) ? readDump(lines) : readPlain(lines)
}

function readPlain(lines: readonly string[]): HexLine[][] {
  const paragraphs: HexLine[][] = [[]]
  for (const [at, line] of lines.entries()) {
    const read = isByteString(line) ? byteStringBytes : plainBytes
    if (line.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push({ line: at + 1, bytes: read(line, at + 1) })
  }
  return paragraphs.filter(({ length }) => length > 0)
}
