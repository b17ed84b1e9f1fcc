import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EntryIndex } from '../../../../src/store/files/index/entry-index.js'
import { IndexCache } from '../../../../src/store/files/index/index-cache.js'

/** An index of 16 bytes for each entry. */
function indexOf(entries: number): EntryIndex {
  const index = new EntryIndex()
  for (let n = 0; n < entries; n++) index.add(n, n, n)
  return index.first(entries)
}

test('it holds what was used last, up to its limit, and always the newest', () => {
  const call = fc.record({
    path: fc.constantFrom('a', 'b', 'c', 'd'),
    entries: fc.integer({ min: 1, max: 8 }),
    what: fc.constantFrom('get', 'put', 'put', 'forget'),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
      const cache = new IndexCache(10 * 16)
      /** What it has to hold, the least recently used first. */
      let model: (readonly [string, EntryIndex])[] = []
      for (const { path, entries, what } of calls) {
        const held = model.find(([name]) => name === path)
        if (what === 'get') expect(cache.get(path)).toBe(held?.[1])
        const index = what === 'put' ? indexOf(entries) : held?.[1]
        if (what === 'put' && index) cache.put(path, index)
        if (what === 'forget') cache.forget(path)
        model = model.filter(([name]) => name !== path)
        if (index && what !== 'forget') model.push([path, index])
        const size = () => model.reduce((sum, [, { length }]) => sum + length, 0)
        while (what === 'put' && size() > 10 && model.length > 1) model.shift()
      }
      for (const [path, index] of model) expect(cache.get(path)).toBe(index)
      for (const path of ['a', 'b', 'c', 'd'])
        if (!model.some(([name]) => name === path)) expect(cache.get(path)).toBeUndefined()
    }),
  )
})
