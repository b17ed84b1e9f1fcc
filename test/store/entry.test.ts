import { expect, test } from 'vitest'
import { Base64, EntryNumber, numbered, StoredValue } from '../../src/store/entry.js'

test('a number that is not known yet cannot be written', () => {
  const number = new EntryNumber()
  expect(() => String(number)).toThrow('no number')
  number.seq = 7
  expect([String(number), String(new EntryNumber(0))]).toEqual(['7', '0'])
})

test('of what was appended only what is stored gets into the entry', () => {
  const stored = { key: 'e', type: 't', name: 'n', at: '2026-01-01T00:00:00.000Z', data: { x: 1 } }
  const appended = { ...stored, number: new EntryNumber(), byAnyone: true, unlessAfter: 3 }
  expect(numbered(appended, 7)).toEqual({ ...stored, seq: 7 })
  const first = new EntryNumber(5)
  expect(numbered({ ...appended, numbers: { first } }, 7).data).toEqual({ x: 1, first: '5' })
})

test('the length of bytes as Base64 is known before it is made', () => {
  for (let length = 0; length < 8; length++) {
    const bytes = Buffer.alloc(length)
    expect(new Base64(bytes).textLength).toBe(bytes.toString('base64').length)
  }
})

test('a stored value is the JSON object of its text, and in one part unless it says otherwise', () => {
  class Note extends StoredValue {
    readonly json = '{"n":1}'
  }
  expect([new Note().toJSON(), new Note().parts]).toEqual([{ n: 1 }, undefined])
})
