import { expect, test } from 'vitest'
import type { Entry } from '../../../src/store/entry.js'
import { EntryCache } from '../../../src/store/files/entry-cache.js'

const KIB = 1024
const entry = (seq: number): Entry => ({
  seq,
  key: 'eq_1',
  type: 'state',
  name: 's',
  at: '2026-01-01T00:00:00.000Z',
  data: {},
})

test('the last 64 entries that were written are kept, but none of more than 4 KiB', () => {
  const cache = new EntryCache()
  const written = Array.from({ length: 65 }, (_, n) => entry(n + 1))
  for (const one of written) cache.wrote(one, 4 * KIB)
  expect(cache.get(1)).toBeUndefined()
  for (const one of written.slice(1)) expect(cache.get(one.seq)).toBe(one)
  cache.wrote(entry(66), 4 * KIB + 1)
  expect([cache.get(66), cache.get(2)]).toEqual([undefined, undefined])
})

test('entries that were read are kept up to 2 MiB, those used last, but none of more than 16 KiB', () => {
  const cache = new EntryCache()
  cache.read(entry(1), 16 * KIB + 1)
  expect(cache.get(1)).toBeUndefined()
  const first = entry(1)
  cache.read(first, 16 * KIB)
  expect(cache.get(1)).toBe(first)
  for (let seq = 2; seq <= 128; seq++) cache.read(entry(seq), 16 * KIB)
  expect(cache.get(1)).toBe(first)
  for (let seq = 129; seq <= 256; seq++) cache.read(entry(seq), 16 * KIB)
  expect(cache.get(1)).toBeUndefined()
})

test('everybody gets the same object: one that is there is not replaced by one that is read', () => {
  const cache = new EntryCache()
  const written = entry(1)
  cache.wrote(written, 10)
  cache.read(entry(1), 10)
  expect(cache.get(1)).toBe(written)
  cache.wrote(entry(65), 10)
  expect(cache.get(1)).toBeUndefined()
})
