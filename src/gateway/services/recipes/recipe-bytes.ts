import { createHash } from 'node:crypto'
import { faultyRequest, type Problem } from '../../../contract/errors.js'
import { BODY_FORMATS, type BodyFormat, type Recipe } from '../../../contract/topics/recipes.js'
import { writtenInParts } from '../../../kit/text/json-parts.js'
import { nextTurn } from '../../../kit/turns.js'
import { decodedInParts } from '../../../secs2/decode.js'
import { encodeBodySteps } from '../../../secs2/encode.js'
import { FORMAT_CODES } from '../../../secs2/format.js'
import { chunks } from '../../../secs2/in-parts.js'
import type { Item } from '../../../secs2/item.js'
import { MAX_LENGTH } from '../../../secs2/limits.js'

/** Length bytes that suffice for any item. */
const LENGTH_BYTES = 3

/** Characters of Base64 that are read in one step. */
const BASE64_STEP = 1024 * 1024

/** Bytes whose Base64 is one part of JSON: it has no padding in between. */
const PART_BYTES = 96 * 1024

/** Bytes that are hashed before the event loop is given back. */
const STEP_BYTES = 1024 * 1024

/** The bytes of an item after its header: numbers big-endian, text in the equipment's encoding. In steps. */
export function* bytesAfterHeader(item: Item): Generator<void, Uint8Array> {
  const encoded = yield* encodeBodySteps(item)
  const lengthBytes = (encoded[0] ?? 0) & 3
  return encoded.subarray(1 + lengthBytes)
}

/**
 * The item with these bytes after its header, in steps. Throws `invalid_message` for what is not Base64 as RFC 4648 has
 * it, with padding, and for bytes that the format cannot have.
 */
export function* itemOfBase64(format: BodyFormat, text: string): Generator<void, Item> {
  const header = 1 + LENGTH_BYTES
  const encoded = Buffer.allocUnsafe(header + Math.ceil(text.length / 4) * 3)
  let end = header
  for (const [from, to] of chunks(text.length, BASE64_STEP)) {
    const part = text.slice(from, to)
    const length = encoded.write(part, end, 'base64')
    const isWhole = to === text.length || length === (BASE64_STEP / 4) * 3
    if (!isWhole || encoded.toString('base64', end, end + length) !== part) throw NO_BASE64()
    end += length
    yield
  }
  const length = end - header
  if (length > MAX_LENGTH) throw wrong('/body', `has ${length} bytes: an item has room for ${MAX_LENGTH}`)
  encoded[0] = (FORMAT_CODES[format] << 2) | LENGTH_BYTES
  encoded.writeUIntBE(length, 1, LENGTH_BYTES)
  const { item } = yield* decodedInParts(encoded.subarray(0, end))
  if (item) return item
  throw wrong('/item_format', `is ${format}: ${length} bytes are not a multiple of its size`)
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
  return writtenInParts(recipe, parts, length)
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

const NO_BASE64 = (): Problem =>
  wrong('/body', 'is not Base64 with padding, which has only A to Z, a to z, 0 to 9, +, / and =')

const wrong = (pointer: string, detail: string): Problem =>
  faultyRequest('invalid_message', [{ pointer, detail }])
