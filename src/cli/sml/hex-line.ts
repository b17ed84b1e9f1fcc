import { wrongUsage } from '../errors/failure.js'

/** A line's bytes; of a hex dump, those of all lines that follow each other. */
export interface HexLine {
  /** From one. */
  readonly line: number
  readonly bytes: Uint8Array
}

/** What may stand between pairs of digits, and before them. */
const BETWEEN = /0x|\\x|[\s:,;-]+/gi

/** A byte as C writes it when its first digit is nought: `0xA`. */
const SHORT_BYTE = /0x(?=[0-9a-f](?![0-9a-f]))/gi

/** When a log says that its line was written: nothing in hex has both its hyphens and its colons. */
const TIME = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?:?\s+/

/** The digits of a line of plain hex, and whatever else is no separator. */
export const plainDigits = (line: string): string => withoutTime(line).replace(BETWEEN, '')

/** Columns stay as they are. */
const withoutTime = (line: string): string => line.replace(TIME, (time) => ' '.repeat(time.length))

/** The bytes of a line of plain hex. Throws a `Failure` that names line and column. */
export function plainBytes(line: string, number: number): Uint8Array {
  const digits = plainDigits(line)
  if (/[^0-9a-f]/i.test(digits)) {
    const at = withoutTime(line).search(/(?!0x|\\x|[0-9a-f\s:,;-])./i)
    const found = String.fromCodePoint(line.codePointAt(at) ?? 0)
    throw wrongUsage(`line ${number}, column ${at + 1}: expected hex, found ${found}`)
  }
  const padded = plainDigits(line.replace(SHORT_BYTE, '0x0'))
  if (padded.length % 2 !== 0) {
    throw wrongUsage(`line ${number}: an odd number of hex digits, ${digits.length}`)
  }
  return Buffer.from(padded, 'hex')
}

/** A string of bytes as Python and C write it: `b"\x00A"`, or without a b when `\x` is first. */
const OPENING = /^\s*(?:b(["'])|(["'])(?=\\x))/i
const CLOSING = /(["'])[\s;,]*$/

/** A byte in hex, one in octal, one that has a letter, one as it is, or what is none. */
const PIECE = /\\x([0-9a-fA-F]{2})|\\([0-3]?[0-7]{1,2})|\\([abfnrtv\\'"])|([ !#-&(-[\]-~])|./gsu

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }

export const isByteString = (line: string): boolean => OPENING.test(line)

/** The bytes of a line that is one string of bytes. Throws a `Failure` that names line and column. */
export function byteStringBytes(line: string, number: number): Uint8Array {
  const opening = OPENING.exec(line)
  const closing = CLOSING.exec(line)
  const quote = opening?.[1] ?? opening?.[2]
  const from = opening?.[0].length ?? 0
  if (quote === undefined || closing?.[1] !== quote || closing.index < from) {
    throw wrongUsage(`line ${number} is no string of bytes in quotes, such as b"\\x00\\x0a"`)
  }
  const bytes: number[] = []
  for (const piece of line.slice(from, closing.index).matchAll(PIECE)) {
    const byte = byteOf(piece, quote)
    if (byte === undefined) {
      const place = `line ${number}, column ${from + piece.index + 1}`
      throw wrongUsage(`${place}: expected a byte such as \\x0a, found ${piece[0]}`)
    }
    bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}

function byteOf([all, hex, octal, letter, plain]: RegExpExecArray, quote: string): number | undefined {
  if (hex !== undefined) return Number.parseInt(hex, 16)
  if (octal !== undefined) return Number.parseInt(octal, 8)
  if (letter !== undefined) return LETTERS[letter] ?? letter.charCodeAt(0)
  // The other quote needs no backslash.
  return plain !== undefined || (/^["']$/.test(all) && all !== quote) ? all.charCodeAt(0) : undefined
}
