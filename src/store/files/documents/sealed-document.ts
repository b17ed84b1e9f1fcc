import { crc32 } from 'node:zlib'
import type { JsonObject } from '../../../kit/text/json.js'
import { replaceFileBy } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { isWhole, lineFrom, NEWLINE, sealedLine } from '../segments/journal-line.js'

/** A file that is replaced as a whole: a head line, and NDJSON. */
export interface SealedDocument {
  readonly head: JsonObject
  readonly body: Buffer
}

/** Bytes that are made and written at once: about a millisecond's work. */
const PIECE_LENGTH = 128 * 1024
/** More than any head has. */
const MAX_HEAD_LENGTH = 64 * 1024

/** As long for one CRC as for any other, so that it is known where the body begins before the body is. */
const headLine = (head: JsonObject, body: number): Buffer =>
  sealedLine(`${JSON.stringify(head).slice(0, -1)},"body":${String(body).padStart(10)}`)

/** Where the body begins under this head, in bytes. */
export const bodyStart = (head: JsonObject): number => headLine(head, 0).length

/**
 * Puts a document in the place of a file, one piece of whole lines after the other, so that one of any length
 * takes little memory and no long turn. Resolves once it is on disk.
 */
export async function replaceDocument(
  fs: FileSystem,
  path: string,
  head: JsonObject,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  await replaceFileBy(fs, path, async (file) => {
    let end = bodyStart(head)
    let crc = 0
    for await (const piece of pieces) {
      await file.write(piece, end)
      crc = crc32(piece, crc)
      end += piece.length
    }
    await file.write(headLine(head, crc), 0)
  })
}

/** Values as lines, in pieces. */
export function* inPieces(values: Iterable<object>): Generator<Buffer> {
  let lines = ''
  for (const value of values) {
    lines += `${JSON.stringify(value)}\n`
    if (lines.length < PIECE_LENGTH) continue
    yield Buffer.from(lines)
    lines = ''
  }
  if (lines.length > 0) yield Buffer.from(lines)
}

/** Undefined when it is not byte for byte what was written. */
export function decodeDocument(bytes: Buffer): SealedDocument | undefined {
  const found = decodeHead(bytes)
  if (!found) return undefined
  const { body: crc, ...head } = found.head
  const body = bytes.subarray(found.end)
  return crc32(body) === crc ? { head, body } : undefined
}

/** What the head of a file says, its body unread; undefined when there is no such file, or the head is not whole. */
export async function readHead(fs: FileSystem, path: string): Promise<JsonObject | undefined> {
  const file = await fs.open(path, 'read')
  try {
    return decodeHead(await file.read(0, MAX_HEAD_LENGTH))?.head
  } finally {
    await file.close()
  }
}

function decodeHead(bytes: Buffer): { readonly head: JsonObject; readonly end: number } | undefined {
  const line = lineFrom(bytes)
  if (!isWhole(line)) return undefined
  const { crc: _, ...head } = JSON.parse(line.toString('utf8')) as JsonObject
  return { head, end: line.length + 1 }
}

/** The values of a body. */
export function* linesOf(body: Buffer): Generator<unknown> {
  for (const { offset, length } of placesIn(body))
    yield JSON.parse(body.toString('utf8', offset, offset + length))
}

/** Where a line is, in bytes, without its newline. */
export interface Place {
  readonly offset: number
  readonly length: number
}

/** Where the lines of some bytes are. */
export function* placesIn(bytes: Buffer): Generator<Place> {
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, offset)
    const end = newline < 0 ? bytes.length : newline
    yield { offset, length: end - offset }
    offset = end + 1
  }
}
