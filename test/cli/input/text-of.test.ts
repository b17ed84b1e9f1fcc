import { expect, test } from 'vitest'
import { textOf } from '../../../src/cli/input/standard-input.js'

const TEXT = 'port: 7327\n'

test('the text of a file in UTF-16 is read with its byte order mark, and the encoding is named without', () => {
  const marked = Buffer.from(`\ufeff${TEXT}`, 'utf16le')
  expect(textOf(marked, 'it')).toBe(TEXT)
  for (const bytes of [Buffer.from(TEXT, 'utf16le'), Buffer.from(TEXT, 'utf16le').swap16()])
    expect(() => textOf(bytes, 'it')).toThrow('it is in UTF-16 without a byte order mark: save it as UTF-8')
  expect(() => textOf(marked.subarray(0, -1), 'it')).toThrow('it is not UTF-16LE')
  expect(() => textOf(Buffer.from([0x61, 0x0a, 0xff]), 'it')).toThrow('it is not UTF-8: see line 2')
})
