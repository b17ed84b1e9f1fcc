import { type Failure, wrongUsage } from '../errors/failure.js'
import { type HexLine, plainDigits } from './hex-line.js'

/**
 * A line of a hex dump, as `xxd`, `hexdump -C`, `od -tx1` and Wireshark write it: the offset, a colon or
 * spaces, and pairs of digits with a gap of two spaces at most. After a wider gap, or after the sixteenth
 * byte, the rest is text.
 */
const DUMP =
  /^(?<indent>\s*)(?<offset>[0-9a-f]{4,8})(?<gap>:\s*|\s+)(?<pairs>(?:[0-9a-f]{2}){1,16}(?:\s{1,2}(?:[0-9a-f]{2})+)*)/i
const DUMP_BYTES = 16
/** More than a line of a dump has before its text. */
const DUMP_COLUMNS = 200

/** The offset after the last byte, alone on its line. */
const BARE_OFFSET = /^\s*([0-9a-f]{4,8}):?\s*$/i

/** Stands for lines that repeat the one before. */
const SAME = '*'

/** A dump of 16-bit words, as `hexdump`, `od` and `od -x` write it: their bytes are swapped on most machines. */
const WORDS = /^\s*0[0-9a-f]{6}\s+(?:[0-9a-f]{4}|[0-7]{6})(?:\s|$)/i

/** The most bytes that repeated lines may stand for: twice what a body may have. */
const MAX_BYTES = 32 * 1024 * 1024

/** `od` writes seven digits, octal by default. */
const OD_DIGITS = 7

type DumpLine = Readonly<Record<'indent' | 'offset' | 'gap' | 'pairs', string>>

const dumpLine = (line: string | undefined): DumpLine | undefined =>
  DUMP.exec(line?.slice(0, DUMP_COLUMNS) ?? '')?.groups as DumpLine | undefined

const bytesOf = ({ pairs }: DumpLine): Buffer =>
  Buffer.from(pairs.replace(/\s/g, ''), 'hex').subarray(0, DUMP_BYTES)

/** Whether lines are a dump's by the first two that are not blank. Throws a `Failure` for one of words. */
export function isDump(lines: readonly string[]): boolean {
  const [first = '', second] = lines.filter((line) => line.trim() !== '').slice(0, 2)
  if (WORDS.test(first)) {
    throw wrongUsage('this is a dump of words: hexdump without -C swaps bytes; use -C (or od -tx1)')
  }
  const line = dumpLine(first)
  if (!line) return false
  if (second?.trim() === SAME || (mayBeOffset(line) && radixOf(line, dumpLine(second)) !== undefined))
    return true
  // A length that fits exactly may look like an offset.
  if (!line.offset.startsWith('00') || beginsMessage(first)) return false
  if (line.gap !== ' ') return true
  const isOffset = /^0+$/.test(line.offset) || line.offset.length === OD_DIGITS
  return isOffset && /^\S\S(?:\s{1,2}\S\S)*$/.test(line.pairs)
}

/** No body begins with 00, and none that begins with 0 has these lines: a list of n items has 2n bytes at least. */
const mayBeOffset = ({ offset, pairs }: DumpLine): boolean =>
  offset.startsWith('00') || (/^0..0$/.test(offset) && pairs.length >= 2 * DUMP_BYTES)

/** The base in which an offset is as many bytes before the next as its line has. */
const radixOf = (line: DumpLine, next: DumpLine | undefined): number | undefined =>
  next && [16, 8, 10].find((radix) => at(line, radix) + bytesOf(line).length === at(next, radix))

const at = ({ offset }: DumpLine, radix: number): number => Number.parseInt(offset, radix)

/** Whether a line as plain hex begins with the length of an HSMS message that is all there. */
function beginsMessage(line: string): boolean {
  const digits = plainDigits(line)
  if (!/^[0-9a-f]{8}/i.test(digits) || /[^0-9a-f]/i.test(digits)) return false
  const length = Number.parseInt(digits.slice(0, 8), 16)
  return length > 0 && length <= (digits.length - 8) / 2
}

/** Lines at one indentation, each at the offset that the one before leads to. */
interface Run {
  readonly line: number
  readonly indent: string
  readonly parts: Buffer[]
  next: number
}

/** The bytes of a dump, a paragraph for each of its runs. Throws a `Failure` for a line that is none of it. */
export function readDump(lines: readonly string[]): HexLine[][] {
  const found = lines.map(dumpLine)
  const [first, second] = found.filter((line) => line !== undefined)
  const radix = (first && radixOf(first, second)) ?? (first?.offset.length === OD_DIGITS ? 8 : 16)
  const runs: Run[] = []
  let same: number | undefined
  for (const [index, text] of lines.entries()) {
    const number = index + 1
    const line = found[index]
    if (text.trim() === '') continue
    if (text.trim() === SAME) {
      same = number
      continue
    }
    const offset = line?.offset ?? BARE_OFFSET.exec(text)?.[1]
    if (offset === undefined) {
      throw wrongUsage(`line ${number} is not a line of a hex dump, unlike the lines before it`)
    }
    const from = Number.parseInt(offset, radix)
    if (same !== undefined) repeat(runs.at(-1), from, same)
    same = undefined
    if (line) takeLine(runs, line, from, number)
  }
  if (same !== undefined) throw unknownRepeat(same)
  return runs.map(({ line, parts }) => [{ line, bytes: Buffer.concat(parts) }])
}

function takeLine(runs: Run[], line: DumpLine, from: number, number: number): void {
  const bytes = bytesOf(line)
  const run = runs.at(-1)
  if (run?.indent === line.indent && run.next === from) {
    run.parts.push(bytes)
    run.next += bytes.length
  } else {
    runs.push({ line: number, indent: line.indent, parts: [bytes], next: from + bytes.length })
  }
}

/** Adds a run's last line as often as it takes to reach an offset. */
function repeat(run: Run | undefined, offset: number, number: number): void {
  const last = run?.parts.at(-1)
  const missing = offset - (run?.next ?? 0)
  if (!run || !last || missing <= 0 || missing % last.length !== 0) throw unknownRepeat(number)
  if (missing > MAX_BYTES) {
    throw wrongUsage(`line ${number}: * stands for ${missing} bytes: ${MAX_BYTES} are taken`)
  }
  run.parts.push(Buffer.alloc(missing, last))
  run.next = offset
}

const unknownRepeat = (number: number): Failure =>
  wrongUsage(`line ${number}: * stands for repeated lines, but the offset after it does not say how many`)
