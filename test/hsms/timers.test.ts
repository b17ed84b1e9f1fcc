import { expect, test } from 'vitest'
import { STYPE } from '../../src/hsms/frame/header.js'
import { HsmsPair, SETTINGS } from '../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../support/hsms-wire.js'

const withLinktest = (linktest: number) => ({ timers: { ...SETTINGS.timers, linktest } })

test('T3 ends one request, from its write, and leaves the connection selected', () => {
  const wire = HsmsWire.selected('active')
  wire.now = 1_000
  const late = wire.request()
  wire.now = 2_000
  const later = wire.request()
  wire.advance(100_000)
  expect(wire.of('ended')).toEqual([
    { kind: 'ended', systemBytes: late, outcome: { kind: 'timed_out' }, at: 46_000 },
    { kind: 'ended', systemBytes: later, outcome: { kind: 'timed_out' }, at: 47_000 },
  ])
  expect(wire.protocol.state).toBe('SELECTED')
  expect(wire.protocol.deadline).toBeUndefined()
})

test.each([
  { given: 2_000, ends: 2_000 },
  { given: 90_000, ends: 45_000 },
])('a request that asks for $given ms of T3 ends after $ends', ({ given, ends }) => {
  const wire = HsmsWire.selected('active')
  wire.request({}, given)
  wire.advance(100_000)
  expect(wire.of('ended').map(({ at }) => at)).toEqual([ends])
})

test('T7 does not run on the active side while it waits for Select.rsp', () => {
  const wire = HsmsWire.connected('active', { timers: { ...SETTINGS.timers, t6: 20_000, t7: 1_000 } })
  wire.advance(19_999)
  expect(wire.protocol.state).toBe('NOT_SELECTED')
})

test('the end that T6 brings is seen by the passive side before its T7', () => {
  const pair = new HsmsPair()
  pair.muted = 'host'
  pair.connect().advance(10_000)
  expect(pair.of('equipment', 'changed').at(-1)).toMatchObject({
    to: 'LISTENING',
    fault: { code: 'connection_lost' },
    at: 5_000,
  })
})

test.each(['active', 'passive'] as const)(
  'the %s side sends Linktest.req with the period that is set',
  (role) => {
    const wire = HsmsWire.selected(role, withLinktest(20_000))
    for (const at of [20_000, 40_000, 60_000]) {
      wire.advance(at - 1)
      expect(wire.written()).toEqual([])
      wire.advance(at)
      const { header } = wire.take()
      expect(header).toMatchObject({ sType: STYPE.linktestReq, sessionId: 0xffff })
      wire.receive(controlBytes('linktestRsp', header))
    }
    expect(wire.protocol.state).toBe('SELECTED')
  },
)

test('there is one linktest at a time, also with a period shorter than T6', () => {
  const wire = HsmsWire.selected('active', withLinktest(1_000))
  wire.advance(4_500)
  const { header } = wire.take()
  wire.receive(controlBytes('linktestRsp', header))
  wire.advance(5_000) // the next whole second
  expect(wire.take().header.systemBytes).not.toBe(header.systemBytes)
})

test('linktest 0 sends none', () => {
  const wire = HsmsWire.selected('active', withLinktest(0))
  expect(wire.protocol.deadline).toBeUndefined()
})

test('no linktest is sent while not selected', () => {
  const wire = HsmsWire.selected('passive', withLinktest(1_000))
  wire.receive(controlBytes('deselectReq'))
  wire.written()
  wire.advance(9_000)
  expect(wire.written()).toEqual([])
})

test('a stop leaves no timer running, in any state', () => {
  const fault = { code: 'connection_refused', detail: '' } as const
  const dialling = new HsmsWire()
  dialling.feed({ kind: 'start' })
  const waiting = new HsmsWire()
  waiting.feed({ kind: 'start' })
  waiting.feed({ kind: 'failed', fault })
  const selected = HsmsWire.selected('active', withLinktest(1_000))
  selected.request()
  selected.receive(dataBytes().subarray(0, 5))
  const wires = [dialling, waiting, selected, HsmsWire.connected('active'), HsmsWire.connected('passive')]
  for (const wire of wires) {
    expect(wire.protocol.deadline).toBeDefined()
    wire.feed({ kind: 'stop' })
    expect(wire.protocol).toMatchObject({ state: 'NOT_CONNECTED', deadline: undefined, retryAt: undefined })
  }
})

test('no timer that waits for the peer runs while we do not read', () => {
  const wire = HsmsWire.selected('active')
  wire.request()
  wire.now = 8_000
  wire.receive(dataBytes().subarray(0, 5))
  wire.now = 10_000
  wire.feed({ kind: 'pause' })
  expect(wire.protocol.deadline).toBeUndefined()
  wire.advance(100_000)
  wire.feed({ kind: 'resume' })
  expect(wire.protocol.deadline).toBe(103_000) // T8 had 3 s left
  wire.receive(dataBytes().subarray(5))
  wire.advance(134_999)
  expect(wire.of('ended')).toEqual([])
  wire.advance(135_000) // T3 had 35 s left
  expect(wire.of('ended')).toMatchObject([{ outcome: { kind: 'timed_out' }, at: 135_000 }])
})

test('a linktest is not held against a peer that we do not read', () => {
  const wire = HsmsWire.selected('active', withLinktest(10_000))
  wire.advance(10_000)
  const linktest = wire.take().header
  wire.feed({ kind: 'pause' })
  wire.advance(100_000)
  wire.feed({ kind: 'resume' })
  wire.receive(controlBytes('linktestRsp', linktest))
  expect(wire.protocol.state).toBe('SELECTED')
  expect(wire.protocol.deadline).toBe(110_000)
})

test('a request that is made while we do not read has its whole T3 afterwards', () => {
  const wire = HsmsWire.selected('active')
  wire.feed({ kind: 'pause' })
  wire.now = 50_000
  wire.request()
  wire.now = 60_000
  wire.feed({ kind: 'resume' })
  wire.advance(200_000)
  expect(wire.of('ended').map(({ at }) => at)).toEqual([105_000])
})

test('T5 runs while we do not read: a dial needs no reading', () => {
  const wire = new HsmsWire()
  wire.feed({ kind: 'start' })
  wire.feed({ kind: 'pause' })
  wire.feed({ kind: 'failed', fault: { code: 'connection_refused', detail: '' } })
  expect(wire.protocol.deadline).toBe(10_000)
})

test('times that floating point cannot hold exactly still come, and only once', () => {
  for (let round = 0; round < 200; round += 1) {
    const wire = HsmsWire.selected('active', withLinktest(700.7))
    wire.now = round / 3
    wire.feed({ kind: 'pause' })
    wire.now += 0.1
    wire.feed({ kind: 'resume' })
    wire.request({}, 100.1 + round / 7)
    wire.advance(1_000)
    expect(wire.of('ended')).toHaveLength(1)
    expect(wire.written().map(({ header }) => header.sType)).toEqual([STYPE.data, STYPE.linktestReq])
  }
})

test('a Reject.req of another message ends no linktest', () => {
  const wire = HsmsWire.selected('active', withLinktest(10_000))
  wire.advance(10_000)
  const { systemBytes } = wire.take().header
  wire.receive(controlBytes('rejectReq', { systemBytes: systemBytes + 1, byte3: 3 }))
  expect(wire.protocol.state).toBe('SELECTED')
  wire.receive(controlBytes('rejectReq', { systemBytes, byte3: 3 }))
  expect(wire.of('changed').at(-1)).toMatchObject({ fault: { code: 'linktest_timeout' } })
})
