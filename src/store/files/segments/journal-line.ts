import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../../kit/text/json.js'
import { nextTurn } from '../../../kit/turns.js'
import type { Base64, Entry, NewEntry } from '../../entry.js'

/** All of a line but `data`. A batch is what one write and one sync put on disk. */
export interface LineHead {
  readonly seq: number
  /** The first and the last sequence number of the batch. */
  readonly batch: number
  readonly end: number
  readonly at: string
  readonly key: string
  readonly type: string
  readonly name: string
  readonly topic?: string
}

export const LINE_START = Buffer.from('{"seq":')
export const NEWLINE = 0x0a

const DATA_MEMBER = ',"data":'
const CRC_MEMBER = ',"crc":"'
/** `,"crc":"89abcdef"}` */
const SEAL_LENGTH = CRC_MEMBER.length + 8 + 2

/** Characters of a line before which the event loop is given back. */
const LONG_LINE_LENGTH = 256 * 1024

/** Bytes that are written as Base64 before the event loop is given back; their Base64 has no padding in between. */
const BASE64_STEP_BYTES = 384 * 1024

/** A text, in parts where it is long. */
export type LineText = string | readonly (string | Base64)[]

const sealed = (crc: number): string => `${CRC_MEMBER}${crc.toString(16).padStart(8, '0')}"}`

const sealOf = (bytes: Uint8Array): string => sealed(crc32(bytes))

/** The members of a line that say of which subject its entry is, and the name of the member that follows. */
export function subjectMembers({
  key,
  type,
  name,
  topic = '',
}: Pick<NewEntry, 'key' | 'type' | 'name' | 'topic'>): string {
  const members = JSON.stringify({ key, type, name, ...(topic !== '' && { topic }) })
  return `${members.slice(1, -1)}${DATA_MEMBER}`
}

/** A line but for its beginning and its seal. `data`: the text of a JSON object. */
export const lineContent = (at: string, members: string, data: LineText): LineText =>
  after(`"at":"${at}",${members}`, data)

const after = (start: string, text: LineText): LineText =>
  typeof text === 'string' ? start + text : [start, ...text]

/** The lines that one write and one sync put on disk. */
export interface Batch {
  /** The lines, and room after them. */
  readonly bytes: Buffer
  /** Of the lines. */
  readonly length: number
  /** Where each line begins. */
  readonly starts: readonly number[]
  /** The CRC of the last line. */
  readonly mark: string
}

/** Gives the event loop back before and in each long line. `roomAfter`: bytes of room after lines of so many bytes. */
export async function encodeBatch(
  first: number,
  contents: readonly LineText[],
  roomAfter: (length: number) => number = () => 0,
): Promise<Batch> {
  const last = first + contents.length - 1
  const texts = contents.map((content, at) => after(lineStart(first + at, first, last), content))
  const length = texts.reduce((sum, text) => sum + lineLength(text), 0)
  const bytes = Buffer.allocUnsafe(length + roomAfter(length))
  const starts: number[] = []
  let end = 0
  for (const text of texts) {
    starts.push(end)
    if (typeof text === 'string') {
      if (text.length > LONG_LINE_LENGTH) await nextTurn()
      end = writeLine(bytes, end, text)
    } else end = await writeLongLine(bytes, end, text)
  }
  bytes.fill(NEWLINE, length)
  return { bytes, length, starts, mark: markOf(bytes.subarray(0, length - 1)) }
}

/** A whole line as one of a batch that lost its lines before `first` and after `last`. */
export function lineWithin(line: Buffer, first: number, last: number): Buffer {
  const { seq, batch, end } = decodeHead(line) as LineHead
  const content = line.toString('utf8', lineStart(seq, batch, end).length, line.length - SEAL_LENGTH)
  return sealedLine(`${lineStart(seq, Math.max(batch, first), Math.min(end, last))}${content}`)
}

const lineStart = (seq: number, batch: number, end: number): string =>
  `{"seq":${seq},"batch":${batch},"end":${end},`

/** The bytes of a line, its newline with it: a JSON object that is not closed yet, then its CRC. */
export function sealedLine(text: string): Buffer {
  const line = Buffer.allocUnsafe(lineLength(text))
  writeLine(line, 0, text)
  return line
}

const lineLength = (text: LineText): number =>
  [text].flat().reduce((sum, part) => sum + partLength(part), 0) + SEAL_LENGTH + 1

const partLength = (part: string | Base64): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : 4 * Math.ceil(part.bytes.length / 3)

/** Returns where the line ends. */
function writeLine(to: Buffer, start: number, text: string): number {
  const end = start + to.write(text, start)
  return writeSeal(to, end, sealOf(to.subarray(start, end)))
}

/** The same in steps, with the event loop given back in between. */
async function writeLongLine(
  to: Buffer,
  start: number,
  parts: readonly (string | Base64)[],
): Promise<number> {
  let end = start
  let crc = 0
  const write = (text: string): void => {
    const from = end
    end += to.write(text, from)
    crc = crc32(to.subarray(from, end), crc)
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      write(part)
      continue
    }
    const { buffer, byteOffset, length } = part.bytes
    const bytes = Buffer.from(buffer, byteOffset, length)
    for (let at = 0; at < length; at += BASE64_STEP_BYTES) {
      await nextTurn()
      write(bytes.toString('base64', at, Math.min(at + BASE64_STEP_BYTES, length)))
    }
  }
  return writeSeal(to, end, sealed(crc))
}

function writeSeal(to: Buffer, end: number, seal: string): number {
  to.write(seal, end, 'latin1')
  to[end + SEAL_LENGTH] = NEWLINE
  return end + SEAL_LENGTH + 1
}

/** True when the line (without its newline) is byte for byte what was written. */
export function isWhole(line: Buffer): boolean {
  const length = line.length - SEAL_LENGTH
  return length > 0 && line.toString('latin1', length) === sealOf(line.subarray(0, length))
}

/** The CRC that a line (without its newline) carries. */
export const markOf = (line: Buffer): string => line.toString('latin1', line.length - 10, line.length - 2)

/** The head of a line that is whole; undefined when it is not one of ours. */
export function decodeHead(line: Buffer): LineHead | undefined {
  // A quotation mark within a string is escaped, so this is the member and no part of a value before it.
  const data = line.indexOf(DATA_MEMBER)
  if (data < 0) return undefined
  const head = parse(`${line.toString('utf8', 0, data)}}`) as Partial<LineHead> | undefined
  return head && isHead(head) ? head : undefined
}

/** The entry of a line (without its newline); undefined when the line is not whole. */
export function decodeEntry(line: Buffer): Entry | undefined {
  if (!isWhole(line)) return undefined
  const text = `${line.toString('utf8', 0, line.length - SEAL_LENGTH)}}`
  const { batch: _, end: __, ...entry } = JSON.parse(text) as LineHead & { readonly data: JsonObject }
  return entry
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isHead = (head: Partial<LineHead>): head is LineHead =>
  Number.isSafeInteger(head.seq) &&
  Number.isSafeInteger(head.batch) &&
  Number.isSafeInteger(head.end) &&
  typeof head.at === 'string' &&
  typeof head.key === 'string' &&
  typeof head.type === 'string' &&
  typeof head.name === 'string' &&
  (head.topic === undefined || typeof head.topic === 'string')
