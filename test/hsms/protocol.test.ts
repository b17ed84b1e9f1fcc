import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STYPE } from '../../src/hsms/frame/header.js'
import { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'
import { gotOld } from '../support/held-memory.js'
import { HsmsPair, SETTINGS } from '../support/hsms-pair.js'
import { controlBytes, dataBytes, message } from '../support/hsms-wire.js'
import { HsmsLaws } from './hsms-laws.js'

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

test('a stop of one side is seen by the other as separated, and it continues', () => {
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

test('what passed last on a quiet link does not get old', async () => {
  const links = Array.from({ length: 500 }, () => {
    const protocol = new HsmsProtocol({ ...SETTINGS, role: 'passive' })
    for (const kind of ['start', 'listening', 'connected'] as const) protocol.handle({ kind }, 0)
    return protocol
  })
  const bytes = controlBytes('linktestReq')
  const old = await gotOld(() => {
    for (const link of links) link.handle({ kind: 'bytes', bytes }, 0)
  })
  expect(old / links.length).toBeLessThan(100)
})

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
    { kind: 'surplus' },
    { kind: 'reserve' },
    { kind: 'answer' },
    { kind: 'disconnected', detail: 'cut' },
    { kind: 'failed', fault: { code: 'connection_refused', detail: 'refused' } },
  ),
  small.map(
    (systemBytes): Step => ({
      kind: 'end',
      primary: { stream: 1, function: 1, systemBytes },
      outcome: { kind: 'rejected', reason: 0 },
    }),
  ),
)

/** Feeds steps to a machine, each after its wait, and stops it in the end. */
function walk(protocol: HsmsProtocol, steps: readonly (readonly [Step, number])[]): HsmsLaws {
  const laws = new HsmsLaws(protocol)
  let now = 0
  for (const [given, wait] of steps) {
    now += wait
    if (given.kind === 'reserve') protocol.release(protocol.reserve() ?? 0)
    else if (given.kind === 'answer')
      laws.handle({ kind: 'send', message: message({ function: 2, wait: false }) }, now)
    else if (given.kind === 'ask') {
      const systemBytes = protocol.reserve()
      if (systemBytes !== undefined)
        laws.handle({ kind: 'request', message: message({ systemBytes }), t3: given.t3 }, now)
    } else laws.handle(given, now)
  }
  laws.handle({ kind: 'stop' }, now)
  return laws
}

const ROLES = ['active', 'passive'] as const
const LINKTEST_MODES = ['always', 'idle'] as const

test.each(ROLES.flatMap((role) => LINKTEST_MODES.map((linktestMode) => ({ role, linktestMode }))))(
  'no order of inputs at any times breaks a law of the $role side (linktest $linktestMode)',
  (given) => {
    const settings = { ...SETTINGS, ...given, timers: { ...SETTINGS.timers, linktest: 7_000 }, maxOpen: 4 }
    fc.assert(
      fc.property(
        fc.array(fc.tuple(step, fc.oneof(fc.nat(100), fc.nat(20_000))), { maxLength: 60 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (steps, random) => {
          let first = true
          const protocol = new HsmsProtocol(settings, () => {
            if (!first) return random.next().value
            first = false
            return 0 // so that the peer's system bytes are often ours
          })
          const { asked, ended } = walk(protocol, steps).requests
          expect(ended).toBe(asked)
        },
      ),
      { numRuns: 400 },
    )
  },
)

test('the laws tell a machine that breaks them', () => {
  const lawless = (change: (machine: HsmsProtocol) => object) => {
    const machine = new HsmsProtocol(SETTINGS, () => 0)
    const made = Object.create(machine, Object.getOwnPropertyDescriptors(change(machine))) as HsmsProtocol
    return () =>
      walk(made, [
        [{ kind: 'start' }, 0],
        [{ kind: 'connected' }, 0],
      ])
  }
  const outputs = (more: readonly HsmsOutput[]) => (machine: HsmsProtocol) => ({
    settings: machine.settings,
    get state() {
      return machine.state
    },
    get deadline() {
      return machine.deadline
    },
    get retryAt() {
      return machine.retryAt
    },
    handle: (input: HsmsInput, now: number) => [...machine.handle(input, now), ...more],
  })
  expect(lawless(outputs([]))).not.toThrow()
  expect(lawless(outputs([{ kind: 'dial' }]))).toThrow()
  expect(lawless(outputs([{ kind: 'write', bytes: dataBytes(), isReply: false }]))).toThrow()
  expect(lawless(outputs([{ kind: 'ended', systemBytes: 1, outcome: { kind: 'lost' } }]))).toThrow()
})

test('ticks alone never leave a deadline in the past, and time alone always ends every request', () => {
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

test('a primary without W-bit gives its system bytes back when it is sent', () => {
  const { host } = new HsmsPair().connect()
  for (let count = 0; count < 2 * SETTINGS.maxOpen; count += 1) {
    const systemBytes = host.reserve()
    expect(systemBytes).toBeDefined()
    host.handle({ kind: 'send', message: message({ systemBytes: systemBytes ?? 0, wait: false }) }, 0)
  }
})
