import { expect, test } from 'vitest'
import { duplicates } from '../../src/store/record-check.js'

test('records with the key of an earlier one are faults, and those without a key are none', () => {
  const records: readonly { readonly name?: string }[] = [
    { name: 'a' },
    {},
    { name: 'b' },
    { name: 'a' },
    {},
    { name: 'a' },
  ]
  expect(duplicates(records, 'name', ({ name }) => name)).toEqual([
    { pointer: '/3/name', detail: expect.stringContaining('a is') },
    { pointer: '/5/name', detail: expect.stringContaining('a is') },
  ])
})
