import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  COMMUNICATION_STATES,
  type CommunicationInput,
  CommunicationMachine,
  type CommunicationState,
  type Establishment,
} from '../../src/gem/communication-states.js'

const DELAY = 10_000
const accepted: Establishment = { kind: 'replied', commack: 0 }

/** A machine that wants to communicate, over a link that is selected at time 0. */
function waiting(): CommunicationMachine {
  const machine = new CommunicationMachine(() => DELAY)
  machine.handle({ kind: 'enable' }, 0)
  machine.handle({ kind: 'selected' }, 0)
  return machine
}

describe('the communication machine', () => {
  test('asks at once when the link is selected', () => {
    const machine = new CommunicationMachine(() => DELAY)
    expect(machine.handle({ kind: 'enable' }, 0)).toMatchObject([
      { from: 'DISABLED', to: 'NOT_COMMUNICATING' },
    ])
    expect(machine.handle({ kind: 'selected' }, 5)).toMatchObject([
      { kind: 'change', from: 'NOT_COMMUNICATING', to: 'WAIT_CRA' },
      { kind: 'ask', attempt: 1 },
    ])
  })

  test('asks as soon as it is wanted over a link that was selected before', () => {
    const machine = new CommunicationMachine(() => DELAY)
    expect(machine.handle({ kind: 'selected' }, 0)).toEqual([])
    expect(machine.handle({ kind: 'enable' }, 1).at(-1)).toEqual({ kind: 'ask', attempt: 1 })
  })

  test('communicates once S1F14 accepts', () => {
    const machine = waiting()
    expect(machine.handle({ kind: 'ended', attempt: 1, how: accepted }, 3)).toMatchObject([
      { from: 'WAIT_CRA', to: 'COMMUNICATING' },
    ])
    expect(machine.deadline).toBeUndefined()
  })

  test("the peer's S1F13 is enough, and a refusal of ours that comes later changes nothing", () => {
    const machine = waiting()
    machine.handle({ kind: 'asked' }, 1)
    expect(machine.state).toBe('COMMUNICATING')
    const refused: Establishment = { kind: 'replied', commack: 1 }
    expect(machine.handle({ kind: 'ended', attempt: 1, how: refused }, 2)).toEqual([])
    expect(machine.state).toBe('COMMUNICATING')
  })

  test.each<[string, Establishment, string]>([
    ['COMMACK 1', { kind: 'replied', commack: 1 }, 'communication_denied'],
    ['an S1F14 that cannot be read', { kind: 'replied', commack: undefined }, 'communication_denied'],
    ['S1F0', { kind: 'aborted' }, 'communication_denied'],
    ['stream 9', { kind: 'error' }, 'communication_denied'],
    ['a Reject for another reason', { kind: 'rejected', reason: 1 }, 'communication_denied'],
    ['silence for T3', { kind: 'timed_out' }, 'communication_timeout'],
  ])('%s is told, and S1F13 goes out again when the delay is over, not before', (_, how, code) => {
    const machine = waiting()
    expect(machine.handle({ kind: 'ended', attempt: 1, how }, 100)).toMatchObject([
      { from: 'WAIT_CRA', to: 'WAIT_DELAY' },
      { kind: 'denied', denial: { code } },
    ])
    expect(machine.deadline).toBe(100 + DELAY)
    expect(machine.handle({ kind: 'tick' }, 99 + DELAY)).toEqual([])
    expect(machine.handle({ kind: 'tick' }, 100 + DELAY)).toMatchObject([
      { from: 'WAIT_DELAY', to: 'WAIT_CRA' },
      { kind: 'ask', attempt: 2 },
    ])
  })

  test('what never reached the peer is tried again without blaming it', () => {
    for (const kind of ['lost', 'busy'] as const) {
      const outputs = waiting().handle({ kind: 'ended', attempt: 1, how: { kind } }, 0)
      expect(outputs).toMatchObject([{ to: 'WAIT_DELAY' }])
    }
  })

  test("a peer's race at select is forgiven three times at once, then takes the delay", () => {
    const machine = waiting()
    const race: Establishment = { kind: 'rejected', reason: 4 }
    for (const attempt of [1, 2, 3]) {
      const outputs = machine.handle({ kind: 'ended', attempt, how: race }, 0)
      expect(outputs).toEqual([{ kind: 'ask', attempt: attempt + 1 }])
    }
    expect(machine.handle({ kind: 'ended', attempt: 4, how: race }, 0)).toMatchObject([
      { to: 'WAIT_DELAY' },
      { kind: 'denied', denial: { code: 'communication_denied' } },
    ])
    machine.handle({ kind: 'link_lost' }, 1)
    machine.handle({ kind: 'selected' }, 1)
    expect(machine.handle({ kind: 'ended', attempt: 5, how: race }, 1)).toEqual([{ kind: 'ask', attempt: 6 }])
  })

  test('an answer from a link that is gone is void', () => {
    const machine = waiting()
    machine.handle({ kind: 'link_lost' }, 1)
    machine.handle({ kind: 'selected' }, 2)
    expect(machine.handle({ kind: 'ended', attempt: 1, how: accepted }, 3)).toEqual([])
    expect(machine.state).toBe('WAIT_CRA')
  })

  test("somebody else's S1F13 that nobody answers ends communication; one that was never sent does not", () => {
    const machine = waiting()
    machine.handle({ kind: 'asked' }, 0)
    expect(machine.handle({ kind: 'ended', attempt: undefined, how: { kind: 'lost' } }, 1)).toEqual([])
    expect(
      machine.handle({ kind: 'ended', attempt: undefined, how: { kind: 'timed_out' } }, 1),
    ).toMatchObject([
      { from: 'COMMUNICATING', to: 'WAIT_DELAY' },
      { kind: 'denied', denial: { code: 'communication_timeout' } },
    ])
    machine.handle({ kind: 'ended', attempt: undefined, how: accepted }, 2)
    expect(machine.state).toBe('COMMUNICATING')
  })

  test('disabling forgets the delay', () => {
    const machine = waiting()
    machine.handle({ kind: 'ended', attempt: 1, how: { kind: 'timed_out' } }, 0)
    machine.handle({ kind: 'disable' }, 1)
    expect([machine.state, machine.deadline]).toEqual(['DISABLED', undefined])
  })
})

const how = fc.oneof(
  fc.record({ kind: fc.constant('replied' as const), commack: fc.constantFrom(0, 1, undefined) }),
  fc.record({ kind: fc.constant('rejected' as const), reason: fc.constantFrom(1, 4) }),
  fc.record({ kind: fc.constantFrom('aborted', 'timed_out', 'error', 'lost', 'busy') }),
)
const input: fc.Arbitrary<CommunicationInput> = fc.oneof(
  fc.record({ kind: fc.constantFrom('enable', 'disable', 'selected', 'link_lost', 'asked', 'tick') }),
  fc.record({
    kind: fc.constant('ended' as const),
    attempt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    how,
  }),
)

test('any order of inputs follows the table, and only WAIT_DELAY waits for a time', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(input, fc.nat(20_000)), { maxLength: 40 }), (steps) => {
      const machine = new CommunicationMachine(() => DELAY)
      let now = 0
      let state: CommunicationState = 'DISABLED'
      for (const [step, pause] of steps) {
        now += pause
        for (const output of machine.handle(step, now)) {
          if (output.kind !== 'change') continue
          expect(output.from).toBe(state)
          expect(Object.values(COMMUNICATION_STATES[state])).toContain(output.to)
          state = output.to
        }
        expect(machine.state).toBe(state)
        expect(machine.deadline !== undefined).toBe(state === 'WAIT_DELAY')
      }
    }),
  )
})
