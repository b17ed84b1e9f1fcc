import { Failure } from '../errors/failure.js'

const BYTE_ORDER_MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * The text of a file: UTF-8, or the encoding of its byte order mark. `what` names it for a person. Throws a `Failure`
 * for bytes that are none.
 */
export function textOf(bytes: Uint8Array, what: string, hint?: string): string {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  try {
    return new TextDecoder(marked?.[1] ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure('usage', `${what} is not UTF-8`, hint)
  }
}
