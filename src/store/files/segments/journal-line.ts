import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../../kit/text/json.js'
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

export const DATA_MEMBER = ',"data":'
const CRC_MEMBER = ',"crc":"'
/** `,"crc":"89abcdef"}` */
const SEAL_LENGTH = CRC_MEMBER.length + 8 + 2

/** A text, in parts where it is long. */
export type LineText = string | readonly (string | Base64)[]

/** In characters, but for what is made Base64: that in bytes. */
export const sizeOf = (text: LineText): number =>
  typeof text === 'string'
    ? text.length
    : text.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.bytes.length), 0)

const fourDigits = (half: number): string => half.toString(16).padStart(4, '0')

/** The CRC as it is in a line. In halves, since V8 writes a number of more than 31 bits by way of floating point. */
export const markText = (crc: number): string => fourDigits(crc >>> 16) + fourDigits(crc & 0xffff)

/** The end of a line whose other bytes have this CRC. */
export const sealText = (crc: number): string => `${CRC_MEMBER}${markText(crc)}"}`

const sealOf = (bytes: Uint8Array): string => sealText(crc32(bytes))

/** The first of the members of a line that say of which subject its entry is. */
export const keyMember = (key: string): string => `"key":${JSON.stringify(key)},`

/** The other ones, and the name of the member that follows. */
export function wordMembers({ type, name, topic }: Pick<NewEntry, 'type' | 'name' | 'topic'>): string {
  const members = JSON.stringify({ type, name, ...(topic !== '' && { topic }) })
  return `${members.slice(1, -1)}${DATA_MEMBER}`
}

/** A line but for its beginning and its seal. `data`: the text of a JSON object. */
export const lineContent = (at: string, members: string, data: LineText): LineText =>
  withStart(`"at":"${at}",${members}`, data)

export const withStart = (start: string, text: LineText): LineText =>
  typeof text === 'string' ? start + text : [start, ...text]

/** A whole line as one of a batch that lost its lines before `first` and after `last`. */
export function lineWithin(line: Buffer, first: number, last: number): Buffer {
  const { seq, batch, end } = decodeHead(line) as LineHead
  const content = line.toString('utf8', lineStart(seq, batch, end).length, line.length - SEAL_LENGTH)
  return sealedLine(`${lineStart(seq, Math.max(batch, first), Math.min(end, last))}${content}`)
}

export const lineStart = (seq: number, batch: number, end: number): string =>
  `{"seq":${seq},"batch":${batch},"end":${end},`

/** The bytes of a line, its newline with it: a JSON object that is not closed yet, then its CRC. */
export function sealedLine(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes, Buffer.from(`${sealOf(bytes)}\n`)])
}

/** The line that begins there, without its newline; empty where none follows. */
export const lineFrom = (bytes: Buffer, offset = 0): Buffer =>
  bytes.subarray(offset, Math.max(offset, bytes.indexOf(NEWLINE, offset)))

/** True when the line (without its newline) is byte for byte what was written. */
export const isWhole = (line: Buffer): boolean => isSealedWith(line, crc32(line.subarray(0, sealStart(line))))

/** The same, where `crc` is that of the bytes before its seal. */
export const isSealedWith = (line: Buffer, crc: number): boolean =>
  sealStart(line) > 0 && line.toString('latin1', sealStart(line)) === sealText(crc)

/** Where the seal of a line (without its newline) begins; below zero in a line that is too short for one. */
export const sealStart = (line: Buffer): number => line.length - SEAL_LENGTH

/** The CRC that a line (without its newline) carries. */
export const markOf = (line: Buffer): string => line.toString('latin1', line.length - 10, line.length - 2)

/** The head of a line; undefined when it is not one of an entry. Only where the line is whole is it what was written. */
export function decodeHead(line: Buffer): LineHead | undefined {
  // A quotation mark within a string is escaped, so this is the member and no part of a value before it.
  const data = line.indexOf(DATA_MEMBER)
  if (data < 0) return undefined
  return parse(`${line.toString('utf8', 0, data)}}`) as LineHead | undefined
}

/** The entry of a line (without its newline); undefined when the line is not whole. */
export function decodeEntry(line: Buffer): Entry | undefined {
  if (!isWhole(line)) return undefined
  return entryOf(`${line.toString('utf8', 0, sealStart(line))}}`)
}

/** The entry of the JSON that a line is without its CRC. */
export function entryOf(text: string): Entry {
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
