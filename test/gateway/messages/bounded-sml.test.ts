import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedSml } from '../../../src/gateway/messages/bounded-sml.js'
import { encodeItem } from '../../../src/secs2/encode.js'
import { A, L, U1 } from '../../../src/secs2/item.js'
import { printItem } from '../../../src/secs2/sml/print.js'
import { anyItem } from '../../secs2/any-item.js'

test('what fits is the canonical SML', () => {
  fc.assert(
    fc.property(anyItem, (item) => {
      const sml = printItem(item)
      expect(boundedSml(encodeItem(item), sml.length, {})).toEqual({ sml, cut: false })
    }),
  )
})

test('what does not fit is its beginning', () => {
  fc.assert(
    fc.property(anyItem, fc.nat(200), (item, characters) => {
      const whole = printItem(item)
      const { sml, cut } = boundedSml(encodeItem(item), characters, {})
      expect(cut).toBe(whole.length > characters)
      expect(sml.length).toBeLessThanOrEqual(characters)
      if (cut) expect(whole.startsWith(sml.slice(0, -4))).toBe(true)
    }),
  )
})

test('a line that ends where the room does is the last', () => {
  expect(boundedSml(encodeItem(L(L())), 6, {})).toEqual({ sml: '<L [1]', cut: true })
})

test('an item of millions of values costs no more than what is shown of it', () => {
  const many = U1(...new Uint8Array(60_000).fill(7))
  const item = L(A('x'), ...Array.from({ length: 1000 }, () => many))
  const { sml, cut } = boundedSml(encodeItem(item), 1000, {})
  expect(cut).toBe(true)
  expect(sml).toMatch(/^<L \[1001\]\n {2}<A "x">\n {2}<U1 7 7 7/)
  expect(sml).toHaveLength(1000)
})
