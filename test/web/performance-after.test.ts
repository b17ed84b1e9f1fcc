import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../src/contract/topics/events.js'
import type { Performance } from '../../src/contract/topics/gem300/performance.js'
import {
  moduleTime,
  NOT_TOLD,
  sharesOf,
  type ToldPerformance,
} from '../../src/gateway/gem300/performance/module-stretches.js'
import { lastKnown } from '../../src/gateway/gem300/performance/module-times.js'
import { performanceAfter, performanceIn } from '../../src/web/equipment/gem300/performance-after.js'

const iso = (at: number): string => new Date(at).toISOString()

/** What the gateway says of a module in a time. */
function reading(told: readonly ToldPerformance[], from: number, to: number): Performance {
  const time = moduleTime('PM1', told, [], { from, to })
  const { from: _, to: __, ...now } = time.stretches.at(-1) ?? { ...NOT_TOLD, state: 'UNKNOWN', from, to }
  const item = {
    ...{ module: 'PM1', ...now, since: time.since === undefined ? null : iso(time.since) },
    ...{ last_known: lastKnown(time), shares: sharesOf(time.stretches, { from, to }) },
    stretches: time.stretches.map((one) => ({ ...one, from: iso(one.from), to: iso(one.to) })),
  }
  return { items: [item], next_cursor: null, from: iso(from), to: iso(to), note: null } as never
}

const event = (name: string, at: number, data: object, type = 'state'): Event =>
  ({ id: String(at), type, name, equipment_id: 'eq_1', at: iso(at), data }) as never

const changes = fc.array(
  fc.record({
    /** Milliseconds after the one before. */
    after: fc.integer({ min: 1, max: 50 }),
    state: fc.constantFrom('IDLE', 'BUSY', 'BLOCKED', 'unknown (7)'),
    task: fc.constantFrom('T1', 'T2', ''),
  }),
  { minLength: 1, maxLength: 30 },
)

test('What was read, and the events since, are what would be read now, in any time', () => {
  fc.assert(
    fc.property(changes, fc.nat(30), fc.nat(400), (all, readAfter, cut) => {
      let at = 1000
      const told = all.map(({ after, state, task }): ToldPerformance => {
        at += after
        return { ...NOT_TOLD, module: 'PM1', at, state, task }
      })
      const read = Math.min(Math.max(readAfter, 1), told.length)
      const readAt = (told[read - 1]?.at ?? 0) + 1
      let shown = reading(told.slice(0, read), 900, readAt)
      // Some of them are in what was read.
      for (const { at: when, state, task } of told.slice(Math.max(0, read - 2))) {
        const change = { object_id: 'PM1', state: 'state', to: state, details: { task } }
        shown = performanceAfter(shown, event('performance_state', when, change)) ?? shown
      }
      const span = { from: 900 + cut, to: at + 500 }
      const [now] = performanceIn(shown, span).items
      const [wanted] = reading(told, span.from, span.to).items
      expect(now).toMatchObject({ state: wanted?.state, task: wanted?.task, stretches: wanted?.stretches })
      const shares = (one = now) =>
        one?.shares.filter(({ share }) => share > 0).map(({ state, seconds }) => [state, seconds])
      expect(new Map(shares() as [])).toEqual(new Map(shares(wanted) as []))
    }),
  )
})

test('An event that does not say what is known now has it read again, and one about something else changes nothing', () => {
  const busy = { module: 'PM1', at: 1000, state: 'BUSY', ...NOT_TOLD }
  const shown = reading([busy], 0, 2000)
  const idle = { object_id: 'PM1', to: 'IDLE' }
  for (const lost of [
    event('disconnected', 2000, { from: 'SELECTED', to: 'NOT_CONNECTED' }, 'connection'),
    event('control_state', 2000, { from: 'ONLINE_REMOTE', to: 'EQUIPMENT_OFFLINE' }),
    event('performance_state', 2000, { ...idle, object_id: 'PM2' }),
    event('performance_state', 2000, { ...idle, to: 'NO_STATE' }),
  ])
    expect(performanceAfter(shown, lost)).toBeUndefined()
  const unknown = reading([{ ...busy, state: 'UNKNOWN' }], 0, 2000)
  expect(performanceAfter(unknown, event('performance_state', 2000, idle))).toBeUndefined()
  expect(performanceAfter(shown, event('port_state', 2000, { ...idle, object_id: '1' }))).toBe(shown)
})
