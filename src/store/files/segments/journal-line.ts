import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../../kit/text/json.js'
import type { Entry, NewEntry } from '../../entry.js'

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

const DATA_MEMBER = Buffer.from(',"data":')
const CRC_MEMBER = ',"crc":"'
/** `,"crc":"89abcdef"}` */
const SEAL_LENGTH = CRC_MEMBER.length + 8 + 2

const sealOf = (bytes: Uint8Array): string => `${CRC_MEMBER}${crc32(bytes).toString(16).padStart(8, '0')}"}`

const isInstant = (text: string): boolean => {
  const time = Date.parse(text)
  return Number.isFinite(time) && new Date(time).toISOString() === text
}

/** What a line says of its entry, before its place is known. Throws `TypeError` for what could not be read back. */
export function lineContent({ at, key, type, name, topic, data }: NewEntry): string {
  if (!isInstant(at)) throw new TypeError(`Not an ISO 8601 time in UTC with milliseconds: ${at}`)
  const content = JSON.stringify({ at, key, type, name, topic, data }).slice(1, -1)
  if (!content.includes(',"data":{')) throw new TypeError('The data of an entry has to be an object.')
  return content
}

/** The bytes of one line, its newline with it. `content` is from `lineContent`. */
export const encodeLine = (seq: number, batch: number, end: number, content: string): Buffer =>
  sealedLine(`${lineStart(seq, batch, end)}${content}`)

/** A whole line as one of a batch that lost its lines before `first` and after `last`. */
export function lineWithin(line: Buffer, first: number, last: number): Buffer {
  const { seq, batch, end } = decodeHead(line) as LineHead
  const content = line.toString('utf8', lineStart(seq, batch, end).length, line.length - SEAL_LENGTH)
  return encodeLine(seq, Math.max(batch, first), Math.min(end, last), content)
}

const lineStart = (seq: number, batch: number, end: number): string =>
  `{"seq":${seq},"batch":${batch},"end":${end},`

/** The bytes of a line, its newline with it: a JSON object that is not closed yet, then its CRC. */
export function sealedLine(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const line = Buffer.allocUnsafe(length + SEAL_LENGTH + 1)
  line.write(text)
  line.write(sealOf(line.subarray(0, length)), length, 'latin1')
  line[length + SEAL_LENGTH] = NEWLINE
  return line
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
