import { expect, test } from 'vitest'
import { decodeItem } from '../../src/secs2/decode.js'
import { hexBytes, hexText, vectors } from '../support/vectors.js'

test.each(vectors<{ hex: string; fault: string; offset: number }>('bad-bodies.json'))(
  '$name is refused with fault and offset',
  ({ hex, fault, offset }) => {
    const bytes = hexBytes(hexText(hex))
    expect(() => decodeItem(bytes)).toThrow(
      expect.objectContaining({ name: 'Secs2DecodeError', fault, offset }),
    )
  },
)
