import { expect, test } from 'vitest'
import { type EventMeaning, meaningsOf } from '../../../src/gem300/mapping/propose/event-meanings.js'
import { EVENT_NAMES } from './supplier-names.js'

/** As in the list of names. */
function words({ kind, state, occurrence, to }: EventMeaning): string {
  if (occurrence !== undefined) return occurrence
  if (to.includes('NO_STATE')) return `${kind} NO_STATE`
  return `${kind}.${state} ${to.length === 0 ? 'any' : to.join('|')}`
}

const ALL = EVENT_NAMES.flatMap(([meaning, ...names]) => names.map((name) => [name, meaning] as const))

test('Nine tenths of the names that suppliers give are understood, and none that is certain is wrong', () => {
  const judged = ALL.map(([name, meaning]) => {
    const found = meaningsOf(name)
    const right = found.length === 1 && found[0] !== undefined && words(found[0]) === meaning
    return {
      name,
      meaning,
      found: found.map(words),
      right,
      certain: found.some(({ isCertain }) => isCertain),
    }
  })
  expect(ALL.length).toBeGreaterThan(185)
  expect(judged.filter(({ right, certain }) => certain && !right)).toEqual([])
  const wrong = judged.filter(({ right }) => !right)
  expect(wrong.length / ALL.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.1)
})
