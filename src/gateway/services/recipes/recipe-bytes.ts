import { createHash } from 'node:crypto'
import { faultyRequest, type Problem } from '../../../contract/errors.js'
import { BODY_FORMATS, type BodyFormat, type Recipe } from '../../../contract/topics/recipes.js'
import { writtenInParts } from '../../../kit/text/json-parts.js'
import { nextTurn } from '../../../kit/turns.js'
import { decoded } from '../../../secs2/decode.js'
import { encodeItem } from '../../../secs2/encode.js'
import { FORMAT_CODES } from '../../../secs2/format.js'
import { chunks } from '../../../secs2/in-parts.js'
import type { Item } from '../../../secs2/item.js'
import { MAX_LENGTH } from '../../../secs2/limits.js'

/** Length bytes that suffice for any item. */
const LENGTH_BYTES = 3

/** Bytes whose Base64 is one part of JSON: it has no padding in between. */
const PART_BYTES = 96 * 1024

/** Bytes that are hashed before the event loop is given back. */
const STEP_BYTES = 1024 * 1024

/** The bytes of an item after its header: numbers big-endian, text in the equipment's encoding. */
export function bytesAfterHeader(item: Item): Uint8Array {
  const encoded = encodeItem(item)
  const lengthBytes = (encoded[0] ?? 0) & 3
  return encoded.subarray(1 + lengthBytes)
}

/** The item with these bytes after its header. Throws `invalid_message` for bytes that its format cannot have. */
export function itemOfBytes(format: BodyFormat, bytes: Uint8Array): Item {
  if (bytes.length > MAX_LENGTH) {
    throw wrong('/body', `has ${bytes.length} bytes: an item has room for ${MAX_LENGTH}`)
  }
  const encoded = Buffer.allocUnsafe(1 + LENGTH_BYTES + bytes.length)
  encoded[0] = (FORMAT_CODES[format] << 2) | LENGTH_BYTES
  encoded.writeUIntBE(bytes.length, 1, LENGTH_BYTES)
  encoded.set(bytes, 1 + LENGTH_BYTES)
  const { item } = decoded(encoded)
  if (item) return item
  throw wrong('/item_format', `is ${format}: ${bytes.length} bytes are not a multiple of its size`)
}

/** The bytes of Base64, padded as RFC 4648 has it. Throws `invalid_message` for any other text. */
export function bytesOfBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  throw wrong('/body', 'is not Base64 with padding, which has only A to Z, a to z, 0 to 9, +, / and =')
}

/** A recipe whose `body` is the Base64 of these bytes: its text is made when it is read, and its JSON comes in parts. */
export function recipeWith(bytes: Uint8Array, others: Omit<Recipe, 'body'>): Recipe {
  const { buffer, byteOffset, length } = bytes
  const body = Buffer.from(buffer, byteOffset, length)
  function* parts(): Generator<string> {
    yield `${JSON.stringify(others).slice(0, -1)},"body":"`
    for (const [from, to] of chunks(length, PART_BYTES)) yield body.toString('base64', from, to)
    yield '"}'
  }
  const recipe = {
    ...others,
    get body() {
      return body.toString('base64')
    },
  }
  return writtenInParts(recipe, parts)
}

/** How many bytes there are, and their SHA-256 in hex. The event loop is given back in between. */
export async function sumOf(bytes: Uint8Array): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + STEP_BYTES))
  }
  return { bytes: bytes.length, sha256: hash.digest('hex') }
}

export const isBodyFormat = (format: string): format is BodyFormat =>
  BODY_FORMATS.some((known) => known === format)

const wrong = (pointer: string, detail: string): Problem =>
  faultyRequest('invalid_message', [{ pointer, detail }])
