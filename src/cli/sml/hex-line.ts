import { Failure } from '../errors/failure.js'

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
    throw new Failure('usage', `line ${number}, column ${at + 1}: expected hex, found ${found}`)
  }
  const padded = plainDigits(line.replace(SHORT_BYTE, '0x0'))
  if (padded.length % 2 !== 0) {
    throw new Failure('usage', `line ${number}: an odd number of hex digits, ${digits.length}`)
  }
  return Buffer.from(padded, 'hex')
}
