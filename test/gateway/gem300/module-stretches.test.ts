import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ModuleStretch,
  moduleTime,
  NOT_TOLD,
  sharesOf,
  type ToldPerformance,
} from '../../../src/gateway/gem300/performance/module-stretches.js'

const told = (at: number, state: string, task: string | null = null): ToldPerformance => ({
  ...NOT_TOLD,
  ...{ module: 'PM1', at, state, task },
})
const shown = (stretches: readonly ModuleStretch[]) =>
  stretches.map(({ from, to, state, task }) => [from, to, state, task])

test('A state holds until the next one, and until a loss; afterwards it is unknown until it is told again', () => {
  const states = [told(10, 'BUSY', 'A'), told(20, 'BUSY', 'B'), told(30, 'IDLE'), told(60, 'IDLE')]
  const { stretches, since, told: last } = moduleTime('PM1', states, [40, 45], { from: 0, to: 100 })
  expect(shown(stretches)).toEqual([
    [0, 10, 'UNKNOWN', null],
    [10, 20, 'BUSY', 'A'],
    [20, 30, 'BUSY', 'B'],
    [30, 40, 'IDLE', null],
    [40, 60, 'UNKNOWN', null],
    [60, 100, 'IDLE', null],
  ])
  expect([since, last?.at]).toEqual([60, 60])
  expect(sharesOf(stretches, { from: 0, to: 100 })).toEqual([
    { state: 'IDLE', seconds: 0.05, share: 0.5 },
    { state: 'BUSY', seconds: 0.02, share: 0.2 },
    { state: 'BLOCKED', seconds: 0, share: 0 },
    { state: 'UNKNOWN', seconds: 0.03, share: 0.3 },
  ])
})

test('The state at the begin of a time is that which was told before, and since then', () => {
  const { stretches, since } = moduleTime('PM1', [told(10, 'BUSY'), told(20, 'BUSY', 'B')], [], {
    from: 50,
    to: 60,
  })
  expect(shown(stretches)).toEqual([[50, 60, 'BUSY', 'B']])
  expect(since).toBe(10)
  expect(moduleTime('PM1', [told(10, 'BUSY')], [30], { from: 50, to: 60 })).toMatchObject({
    stretches: [{ state: 'UNKNOWN' }],
    since: 30,
    told: { state: 'BUSY' },
  })
  expect(moduleTime('PM1', [], [30], { from: 50, to: 60 })).toMatchObject({
    since: undefined,
    told: undefined,
  })
})

test('A state that is lost in the millisecond in which it was told is lost', () => {
  const { stretches } = moduleTime('PM1', [told(10, 'BUSY')], [10], { from: 0, to: 20 })
  expect(new Set(stretches.map(({ state }) => state))).toEqual(new Set(['UNKNOWN']))
})

const STATES = ['IDLE', 'BUSY', 'BLOCKED'] as const
/** What happens at a module, millisecond by millisecond: its state, and whether it can tell. */
const world = fc.array(
  fc.record({
    lasts: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom(...STATES),
    linked: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
)

test('What is shown as known is so, and what a linked module tells is known', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 50 }), (parts, from) => {
      const states: ToldPerformance[] = []
      const losses: number[] = []
      const truth: { state: string; isKnown: boolean }[] = []
      let at = 0
      let isKnown = false
      let before: string | undefined
      for (const { lasts, state, linked } of parts) {
        if (!linked) losses.push(at)
        isKnown = linked && (isKnown || state !== before)
        if (linked && state !== before) states.push(told(at, state))
        before = state
        for (let ms = 0; ms < lasts; ms++) truth.push({ state, isKnown })
        at += lasts
      }
      const span = { from: Math.min(from, at - 1), to: at }
      const { stretches } = moduleTime('PM1', states, losses, span)
      expect(stretches[0]?.from).toBe(span.from)
      expect(stretches.at(-1)?.to).toBe(span.to)
      for (const [place, one] of stretches.entries()) {
        expect(stretches[place + 1]?.from ?? span.to).toBe(one.to)
        for (let ms = one.from; ms < one.to; ms++)
          expect(one.state).toBe(truth[ms]?.isKnown ? truth[ms]?.state : 'UNKNOWN')
      }
      const shares = sharesOf(stretches, span)
      expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
    }),
  )
})
