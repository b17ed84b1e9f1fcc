import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../src/catalogue/standard-catalogue.js'
import type { View } from '../../src/catalogue/view.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { hexBytes, hexOf, vectors } from '../support/vectors.js'

interface MessageVector {
  readonly message: string
  readonly sender: View['sender']
  readonly hex: string
  /** What is read, and built when nothing else is given. */
  readonly data: Readonly<Record<string, unknown>>
  readonly given?: Readonly<Record<string, unknown>>
  readonly formats?: Readonly<Record<string, string>>
}

describe.each(vectors<MessageVector>('messages.json'))(
  '$message: $why',
  ({ message, sender, hex, data, given, formats }) => {
    const [stream = 0, fn = 0] = (message.match(/\d+/g) ?? []).map(Number)
    const view: View = { sender, ...(formats && { formats }) }

    test('is read', () => {
      expect(catalogue.readAny(stream, fn, decodeBody(hexBytes(hex)), view)).toEqual(data)
    })

    test('is built', () => {
      const built = encodeBody(catalogue.buildAny(stream, fn, given ?? data, view))
      expect(hexOf(built)).toBe(hex)
    })
  },
)
