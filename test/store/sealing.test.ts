import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from '../../src/store/sealing.js'

test('what was changed, cut short or sealed with another key or context is not opened', () => {
  const key = randomBytes(32)
  const bytes = seal(Buffer.from('secret'), key, 'a')
  expect(unseal(bytes, key, 'a')?.toString()).toBe('secret')
  expect(seal(Buffer.from('secret'), key, 'a')).not.toEqual(bytes)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(unseal(changed, key, 'a')).toBeUndefined()
    expect(unseal(bytes.subarray(0, at), key, 'a')).toBeUndefined()
  }
  expect(unseal(bytes, randomBytes(32), 'a')).toBeUndefined()
  expect(unseal(bytes, key)).toBeUndefined()
  expect(unseal(seal(Buffer.alloc(0), key), key)).toEqual(Buffer.alloc(0))
})
