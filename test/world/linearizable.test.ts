import { expect, test } from 'vitest'
import { isLinearizable, type Model, type Operation } from './linearizable.js'

type Write = Operation<'read' | number, number>

/** A register that holds a number. */
const register: Model<number, 'read' | number, number> = (state, { input, output }) => {
  if (input === 'read') return output === undefined || output === state ? state : undefined
  return input
}

const of = (input: 'read' | number, output: number | undefined, began: number, ended: number): Write => ({
  ...{ caller: 'one', input, output, began, ended },
})

test('a read returns a value that was written before it, or while it was under way', () => {
  expect(isLinearizable(0, [of(1, 1, 0, 10), of('read', 0, 5, 6), of('read', 1, 7, 8)], register)).toBe(true)
  expect(isLinearizable(0, [of(1, 1, 0, 10), of('read', 1, 5, 6), of('read', 0, 7, 8)], register)).toBe(false)
  expect(isLinearizable(0, [of(1, 1, 0, 10), of('read', 0, 11, 12)], register)).toBe(false)
})

test('what got no response was done at some moment after its call, or never', () => {
  const lost = of(1, undefined, 0, Number.POSITIVE_INFINITY)
  expect(isLinearizable(0, [lost, of('read', 0, 5, 6), of('read', 1, 7, 8)], register)).toBe(true)
  expect(isLinearizable(0, [lost, of('read', 0, 5, 6)], register)).toBe(true)
  expect(isLinearizable(0, [lost, of('read', 1, 5, 6), of('read', 0, 7, 8)], register)).toBe(false)
})
