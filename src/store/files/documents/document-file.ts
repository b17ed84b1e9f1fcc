import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { parseJsonText } from '../../../kit/text/json-text.js'
import { isWhole, markOf, NEWLINE, sealedLine } from '../segments/journal-line.js'

/** A document, or a secret, as it is on disk. */
export interface DocumentState {
  /** Rises by one with every write. 0: written by a version that did not count. */
  readonly generation: number
  /** CRC-32 of its content, hexadecimal. */
  readonly crc: string
}

/** What a collection's file holds. Its last member is the CRC-32 of the bytes before it. */
export interface StoredDocument {
  /** Version of the records. */
  readonly version: number
  /** Rises by one with every write. 0: written by a version that did not count. */
  readonly generation: number
  readonly records: readonly unknown[]
}

/** A file that has the form of a document. */
export interface FoundDocument extends StoredDocument {
  readonly state: DocumentState
  /** It carries a checksum; documents of earlier versions do not. */
  readonly isSealed: boolean
  /** False where the checksum is not that of the content. */
  readonly isWhole: boolean
}

export const encodeStored = (document: StoredDocument): Buffer =>
  sealedLine(JSON.stringify(document, undefined, 2).slice(0, -2))

/** The CRC-32 of bytes, as a checkpoint has it. */
export const crcOf = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0')

/** Undefined for bytes that are no document. */
export function decodeStored(bytes: Buffer): FoundDocument | undefined {
  const found = parsed(bytes.toString('utf8'))
  if (!isObject(found)) return undefined
  const { version, generation, records, crc } = found
  if (!isCount(version) || version < 1 || !Array.isArray(records)) return undefined
  const isSealed = generation !== undefined || crc !== undefined
  if (!isSealed) {
    const state = { generation: 0, crc: crcOf(bytes) }
    return { version, generation: 0, records, state, isSealed, isWhole: true }
  }
  if (!isCount(generation)) return undefined
  const line = bytes.subarray(0, -1)
  const isIntact = bytes.at(-1) === NEWLINE && isWhole(line)
  const state = { generation, crc: isIntact ? markOf(line) : '' }
  return { version, generation, records, state, isSealed, isWhole: isIntact }
}

/** Why these bytes are no document. */
export function formFault(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) return 'it is not UTF-8'
  const text = bytes.toString('utf8')
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark (BOM); save it as UTF-8 without one'
  try {
    parseJsonText(text)
    return 'it is no document of secsctl, which has "version" (1 or more), "generation" and "records" (an array)'
  } catch (error) {
    return `it is not valid JSON: ${(error as Error).message}`
  }
}

/** Why a document is not the one that was written last; undefined where it is, as far as known. */
export function documentFault(found: FoundDocument, known: DocumentState | undefined): string | undefined {
  const { state } = found
  if (!found.isWhole) return 'its checksum does not match its content'
  if (known && !found.isSealed && known.generation > 0)
    return 'it has no checksum, and what was written had one'
  if (known && state.generation < known.generation) {
    return `it is generation ${state.generation}, and generation ${known.generation} was written: an older file has taken its place`
  }
  if (known?.generation === state.generation && known.crc !== state.crc) return 'it is not what was written'
  return undefined
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
