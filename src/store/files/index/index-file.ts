import { crc32 } from 'node:zlib'
import { EntryIndex } from './entry-index.js'
import type { Subject, Subjects } from './subjects.js'

/** What binds an index to its segment: when any of it differs, the index is of something else. */
export interface Sealed {
  /** Version of the entries' data. */
  readonly version: number
  readonly first: number
  /** Bytes of the segment. */
  readonly size: number
  /** The CRC that the segment's last line carries. */
  readonly mark: string
}

export interface IndexFile {
  readonly sealed: Sealed
  readonly index: EntryIndex
}

interface Head extends Sealed {
  /** The subjects by the numbers they have in this file. */
  readonly subjects: readonly (readonly [key: string, type: string, name: string, topic: string])[]
}

/**
 * `SXI` and the version of the layout, in the machine's own byte order, as all numbers of the file are: one
 * from a machine of the other order is not taken for ours, and made again.
 */
const MAGIC = 0x53_58_49_02
/** Four numbers: magic, CRC-32 of all bytes after it, length of the head, count of entries. */
const PREFIX = 16
const CHECKED_FROM = 8

/** The index of a sealed segment as a file: prefix, head as JSON, then the times, offsets and subjects as columns. */
export function encodeIndex(index: EntryIndex, sealed: Sealed, subjects: Subjects): Buffer {
  const local = new Map([...index.present].map((number, at) => [number, at]))
  const head: Head = {
    ...sealed,
    subjects: [...local.keys()].map((number) => {
      const { key, type, name, topic = '' } = subjects.subject(number)
      return [key, type, name, topic]
    }),
  }
  const { length } = index
  const text = padded(Buffer.from(JSON.stringify(head)))
  const prefix = Uint32Array.of(MAGIC, 0, text.length, length)
  const bytes = Buffer.concat([
    bytesOf(prefix),
    text,
    bytesOf(index.times.subarray(0, length)),
    bytesOf(index.offsets.subarray(0, length)),
    bytesOf(index.subjects.subarray(0, length).map((number) => local.get(number) as number)),
  ])
  bytes.set(bytesOf(Uint32Array.of(crc32(bytes.subarray(CHECKED_FROM)))), 4)
  return bytes
}

/** What a file says; undefined when it is not, byte for byte, an index that was written by this version. */
export function decodeIndex(bytes: Buffer, subjects: Subjects): IndexFile | undefined {
  if (bytes.length < PREFIX) return undefined
  const [magic, crc, headLength, length] = new Uint32Array(copyOf(bytes, 0, PREFIX))
  if (magic !== MAGIC || headLength === undefined || length === undefined) return undefined
  if (crc32(bytes.subarray(CHECKED_FROM)) !== crc) return undefined
  const { subjects: words, ...sealed } = JSON.parse(
    bytes.toString('utf8', PREFIX, PREFIX + headLength),
  ) as Head
  const numbers = words.map(([key, type, name, topic]) =>
    subjects.number({ key, type, name, topic } satisfies Subject),
  )
  const times = PREFIX + headLength
  const offsets = times + length * 8
  const local = offsets + length * 4
  const index = new EntryIndex(
    new Float64Array(copyOf(bytes, times, offsets)),
    new Uint32Array(copyOf(bytes, offsets, local)),
    new Uint32Array(copyOf(bytes, local, local + length * 4)).map((at) => numbers[at] as number),
    length,
  )
  return { sealed, index }
}

export const isSameSeal = (one: Sealed, other: Sealed): boolean =>
  one.version === other.version &&
  one.first === other.first &&
  one.size === other.size &&
  one.mark === other.mark

/** Columns begin at a multiple of 8, as a view of numbers has to. */
const padded = (text: Buffer): Buffer => Buffer.concat([text, Buffer.alloc(-text.length & 7, ' ')])

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** A part of a buffer in memory of its own: where the buffer lies in memory is not known. */
const copyOf = (bytes: Buffer, from: number, to: number): ArrayBuffer =>
  Uint8Array.prototype.slice.call(bytes, from, to).buffer as ArrayBuffer
