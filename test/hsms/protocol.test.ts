import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONNECTION_STATES, type ConnectionState } from '../../src/hsms/connection-states.js'
import { STYPE } from '../../src/hsms/header.js'
import { HsmsProtocol } from '../../src/hsms/protocol.js'
import type { HsmsInput, HsmsOutput } from '../../src/hsms/turn.js'
import { HsmsPair, SETTINGS } from '../support/hsms-pair.js'
import { controlBytes, dataBytes, message } from '../support/hsms-wire.js'

test('two entities select each other as soon as TCP is up', () => {
  const pair = new HsmsPair().connect()
  expect(pair.of('host', 'changed').map(({ from, to, cause }) => [from, to, cause])).toEqual([
    ['NOT_CONNECTED', 'CONNECTING', 'connect requested'],
    ['CONNECTING', 'NOT_SELECTED', 'TCP connected'],
    ['NOT_SELECTED', 'SELECTED', 'Select.rsp'],
  ])
  expect(pair.of('equipment', 'changed').map(({ from, to, cause }) => [from, to, cause])).toEqual([
    ['NOT_CONNECTED', 'LISTENING', 'connect requested'],
    ['LISTENING', 'NOT_SELECTED', 'TCP connected'],
    ['NOT_SELECTED', 'SELECTED', 'Select.req'],
  ])
})

test('a stop of one side is heard by the other as separated, and it goes on', () => {
  const pair = new HsmsPair().connect()
  pair.feed('equipment', { kind: 'stop' })
  expect(pair.of('host', 'changed').at(-1)).toMatchObject({ to: 'CONNECTING', fault: { code: 'separated' } })
  pair.feed('equipment', { kind: 'start' })
  pair.advance(10_000)
  expect(pair.host.state).toBe('SELECTED')
})

test('a port that cannot be bound leaves the entity not started, and it may be started again', () => {
  const protocol = new HsmsProtocol({ ...SETTINGS, role: 'passive' })
  const kinds = (input: HsmsInput) => protocol.handle(input, 0).map(({ kind }) => kind)
  expect(kinds({ kind: 'start' })).toEqual(['listen'])
  expect(kinds({ kind: 'failed', fault: { code: 'listen_failed', detail: '' } })).toEqual([])
  expect(kinds({ kind: 'start' })).toEqual(['listen'])
  expect(kinds({ kind: 'listening' })).toEqual(['changed'])
  expect(protocol.state).toBe('LISTENING')
})

test('start and stop may be repeated without effect', () => {
  for (const role of ['active', 'passive'] as const) {
    const protocol = new HsmsProtocol({ ...SETTINGS, role })
    expect(protocol.handle({ kind: 'stop' }, 0)).toEqual([])
    protocol.handle({ kind: 'start' }, 0)
    expect(protocol.handle({ kind: 'start' }, 1)).toEqual([])
    protocol.handle({ kind: 'stop' }, 2)
    expect(protocol.handle({ kind: 'stop' }, 3)).toEqual([])
  }
})

const UP: readonly ConnectionState[] = ['NOT_SELECTED', 'SELECTED']
const controls = [...Object.keys(STYPE)].filter((type) => type !== 'data') as Exclude<
  keyof typeof STYPE,
  'data'
>[]
const small = fc.nat(12)

/** Any of the peer's messages, whole or cut, under system bytes that are likely to be ours. */
const peerBytes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(controlBytes('selectReq')) },
  fc
    .record({
      type: fc.constantFrom(...controls),
      systemBytes: small,
      byte3: fc.nat(5),
      pType: fc.constantFrom(0, 0, 1),
    })
    .map(({ type, ...header }) => controlBytes(type, header)),
  fc.nat(255).map((sType) => controlBytes(sType)),
  fc
    .record({
      sessionId: fc.constantFrom(1, 1, 1, 2),
      stream: fc.constantFrom(0, 1, 9),
      function: fc.nat(4),
      systemBytes: small,
    })
    .map(dataBytes),
  fc.tuple(fc.constant(dataBytes()), fc.nat(13)).map(([bytes, length]) => bytes.subarray(0, length)),
  fc.constantFrom(Uint8Array.of(0, 0, 0, 3), Buffer.from('GET ')),
)

type Step =
  | HsmsInput
  | { readonly kind: 'ask'; readonly t3: number }
  | { readonly kind: 'reserve' }
  | { readonly kind: 'answer' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: peerBytes.map((bytes): Step => ({ kind: 'bytes', bytes })) },
  { weight: 2, arbitrary: fc.nat(60_000).map((t3): Step => ({ kind: 'ask', t3 })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ kind: 'start' }, { kind: 'listening' }, { kind: 'connected' }),
  },
  fc.constantFrom<Step>(
    { kind: 'stop' },
    { kind: 'tick' },
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'reserve' },
    { kind: 'answer' },
    { kind: 'disconnected', detail: 'cut' },
    { kind: 'failed', fault: { code: 'connection_refused', detail: 'refused' } },
  ),
  small.map((systemBytes): Step => ({ kind: 'end', systemBytes, outcome: { kind: 'rejected', reason: 0 } })),
)

/** What must hold of every machine after every input. */
class Witness {
  readonly asked: number[] = []
  readonly ended: number[] = []
  #state: ConnectionState = 'NOT_CONNECTED'
  /** Dials and connections that were begun and not yet ended: never two. */
  #underWay = 0
  #wanted = false

  constructor(readonly protocol: HsmsProtocol) {}

  see(input: HsmsInput, outputs: readonly HsmsOutput[]): void {
    if (input.kind === 'start') this.#wanted = true
    if (input.kind === 'stop' || (input.kind === 'failed' && this.#state === 'NOT_CONNECTED'))
      this.#wanted = false
    if (input.kind === 'failed' && this.#state === 'CONNECTING') this.#underWay = 0
    for (const output of outputs) this.#output(input, output)
    expect(this.protocol.state).toBe(this.#state)
    expect(this.#underWay).toBeLessThanOrEqual(1)
    if (!this.#wanted) expect(this.protocol).toMatchObject({ state: 'NOT_CONNECTED', deadline: undefined })
    if (this.#state !== 'CONNECTING') expect(this.protocol.retryAt).toBeUndefined()
    if (this.#state !== 'SELECTED') expect(this.ended.length).toBe(this.asked.length)
    expect(new Set(this.ended).size).toBe(this.ended.length)
  }

  #output(input: HsmsInput, output: HsmsOutput): void {
    switch (output.kind) {
      case 'changed':
        expect(output.from).toBe(this.#state)
        expect(Object.values(CONNECTION_STATES[output.from])).toContain(output.to)
        this.#state = output.to
        break
      case 'dial':
        this.#underWay += 1
        break
      case 'close':
        this.#underWay = 0
        break
      case 'write':
        // Separate.req leaves while the state still is SELECTED.
        expect(UP).toContain(this.#state)
        break
      case 'received':
        expect(this.#state).toBe('SELECTED')
        break
      case 'ended':
        this.ended.push(output.systemBytes)
        break
      case 'attempt_failed':
        expect(input.kind === 'failed' || input.kind === 'tick').toBe(true)
    }
  }
}

test.each(['active', 'passive'] as const)('no order of inputs at any times breaks the %s side', (role) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(step, fc.oneof(fc.nat(100), fc.nat(20_000))), { maxLength: 60 }),
      (steps) => {
        const protocol = new HsmsProtocol({ ...SETTINGS, role, maxOpen: 4 }, () => 0)
        const witness = new Witness(protocol)
        let now = 0
        const feed = (input: HsmsInput): void => witness.see(input, protocol.handle(input, now))
        for (const [given, wait] of steps) {
          now += wait
          if (given.kind === 'reserve') protocol.release(protocol.reserve() ?? 0)
          else if (given.kind === 'answer')
            feed({ kind: 'send', message: message({ function: 2, wait: false }) })
          else if (given.kind === 'ask') {
            const systemBytes = protocol.reserve()
            if (systemBytes === undefined) continue
            witness.asked.push(systemBytes)
            feed({ kind: 'request', message: message({ systemBytes }), t3: given.t3 })
          } else feed(given)
        }
        feed({ kind: 'stop' })
        expect(witness.ended.toSorted()).toEqual(witness.asked.toSorted())
      },
    ),
    { numRuns: 1_000 },
  )
})

test('ticks alone never leave a deadline behind them, and time alone always ends every request', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(5_000)), { maxLength: 30 }), (steps) => {
      const protocol = new HsmsProtocol({ ...SETTINGS, role: 'active', maxOpen: 4 }, () => 0)
      let now = 0
      for (const [given, wait] of steps) {
        now += wait
        if (given.kind === 'ask') {
          const systemBytes = protocol.reserve()
          if (systemBytes !== undefined)
            protocol.handle({ kind: 'request', message: message({ systemBytes }) }, now)
        } else if (given.kind !== 'reserve' && given.kind !== 'answer') protocol.handle(given, now)
        protocol.handle({ kind: 'tick' }, now)
        expect(protocol.deadline ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now)
      }
      protocol.handle({ kind: 'resume' }, now)
      protocol.handle({ kind: 'tick' }, now + SETTINGS.timers.t3)
      const room = Array.from({ length: 4 }, () => protocol.reserve())
      expect(room).not.toContain(undefined)
    }),
  )
})
