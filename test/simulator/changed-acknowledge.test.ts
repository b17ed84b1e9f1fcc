import { describe, expect, test } from 'vitest'
import { A, B, type Item, L, U1, U4 } from '../../src/secs2/item.js'
import { acknowledged } from '../../src/simulator/faults.js'

function changed(stream: number, fn: number, item: Item | undefined): Item | undefined {
  const ack = new Map([[`S${stream}F${fn}`, 7]])
  return acknowledged({ stream, function: fn, item }, { ack }).item
}

describe('a changed acknowledge code', () => {
  test.each([
    ['all of the answer', 2, 16, B(0), B(7)],
    ['the first of a list', 2, 42, L(B(0), L()), L(B(7), L())],
    ['a number', 2, 22, U1(0), U1(7)],
  ])('is %s, in the format that the equipment gives it', (_, stream, fn, given, expected) => {
    expect(changed(stream, fn, given)).toEqual(expected)
  })

  test.each([
    ['values', 1, 4, L(U1(5), B(0))],
    ['a list of lists', 1, 12, L(L(U4(1), A('Clock'), A('')))],
    ['nothing', 2, 42, undefined],
  ])('leaves an answer of %s as it is', (_, stream, fn, given) => {
    expect(changed(stream, fn, given)).toEqual(given)
  })
})
