import { expect, test } from 'vitest'
import { Counters, ROUND_TRIP_BOUNDS } from '../../../src/hsms/counters/counters.js'
import { dataHeader } from '../../../src/hsms/frame/header.js'
import { HsmsProtocol } from '../../../src/hsms/hsms-protocol.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire, message } from '../../support/hsms-wire.js'

test('frames and bytes are counted each way, by message and by control message', () => {
  const wire = HsmsWire.selected('active') // Select.req out, Select.rsp in
  const systemBytes = wire.request({ stream: 6, function: 11, body: new Uint8Array(100) })
  wire.receive(dataBytes({ stream: 6, function: 12, wait: false, systemBytes, body: Uint8Array.of(1, 2, 3) }))
  wire.receive(dataBytes(), dataBytes(), controlBytes('linktestReq'))
  const { in: came, out: went, open, connects } = wire.protocol.counts
  expect(went).toMatchObject({ frames: 3, bytes: 14 + 114 + 14 })
  expect(went.messages).toEqual([{ stream: 6, function: 11, frames: 1, bytes: 114 }])
  expect(went.control).toMatchObject({ selectReq: 1, linktestRsp: 1, selectRsp: 0 })
  expect(came).toMatchObject({ frames: 5, bytes: 14 + 17 + 14 + 14 + 14, unknown: 0 })
  expect(came.messages).toEqual([
    { stream: 6, function: 12, frames: 1, bytes: 17 },
    { stream: 1, function: 1, frames: 2, bytes: 28 },
  ])
  expect(came.control).toMatchObject({ selectRsp: 1, linktestReq: 1, linktestRsp: 0 })
  expect([...came.rejects, ...went.rejects]).toEqual([])
  expect({ open, connects }).toEqual({ open: 0, connects: 1 })
})

test('rejects are counted by reason, sent and received', () => {
  const wire = HsmsWire.connected('passive')
  wire.receive(dataBytes()) // before select
  wire.receive(controlBytes(200), controlBytes(201))
  wire.receive(controlBytes('rejectReq', { byte3: 2 }))
  const { in: came, out: went } = wire.protocol.counts
  expect(went.rejects).toEqual([
    { reason: 4, count: 1 },
    { reason: 1, count: 2 },
  ])
  expect(came.rejects).toEqual([{ reason: 2, count: 1 }])
  expect(came.unknown).toBe(2)
  expect(went.control.rejectReq).toBe(3)
})

test('a message of another PType is no data message', () => {
  const counters = new Counters()
  counters.frame('in', { ...dataHeader(message()), pType: 1 }, 0)
  expect(counters.counts(0).in).toMatchObject({ frames: 1, messages: [], unknown: 1 })
})

test('streams and functions beyond what a table holds are counted together', () => {
  const counters = new Counters()
  for (let stream = 0; stream < 128; stream += 1) {
    for (let fn = 0; fn < 256; fn += 1) {
      counters.frame('in', dataHeader(message({ stream, function: fn })), 6)
    }
  }
  const { frames, messages, otherMessages } = counters.counts(0).in
  expect(messages).toHaveLength(256)
  expect(messages.every((one) => one.frames === 1 && one.bytes === 20)).toBe(true)
  expect(otherMessages).toEqual({ frames: frames - 256, bytes: (frames - 256) * 20 })
})

test('each timer that ends something is counted, and what it ended', () => {
  const dial = new HsmsWire()
  dial.feed({ kind: 'start' })
  dial.advance(10_000)
  expect(dial.protocol.counts).toMatchObject({ timeouts: { dial: 1 }, attemptsFailed: 1, connects: 0 })

  const t3 = HsmsWire.selected('active')
  t3.request()
  expect(t3.protocol.counts.open).toBe(1)
  t3.advance(45_000)
  expect(t3.protocol.counts).toMatchObject({ timeouts: { t3: 1 }, open: 0, losses: [] })

  const t6 = HsmsWire.connected('active').advance(5_000)
  expect(t6.protocol.counts).toMatchObject({ timeouts: { t6: 1 }, losses: [{ fault: 't6', count: 1 }] })

  const t7 = HsmsWire.connected('passive').advance(10_000)
  expect(t7.protocol.counts).toMatchObject({ timeouts: { t7: 1 }, losses: [{ fault: 't7', count: 1 }] })

  const t8 = HsmsWire.selected('active')
  t8.receive(Uint8Array.of(0, 0))
  t8.advance(5_000)
  expect(t8.protocol.counts).toMatchObject({ timeouts: { t8: 1 }, losses: [{ fault: 't8', count: 1 }] })
})

test('a linktest that is due is no timeout; one that is not answered is one of T6', () => {
  const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } })
  wire.advance(20_000)
  expect(wire.protocol.counts.timeouts).toEqual({ dial: 0, t1: 0, t2: 0, t3: 0, t4: 0, t6: 0, t7: 0, t8: 0 })
  wire.advance(25_000)
  const { timeouts, losses } = wire.protocol.counts
  expect(timeouts.t6).toBe(1)
  expect(losses).toEqual([{ fault: 'linktest_timeout', count: 1 }])
})

test('our own stop is no loss, the peer’s Separate.req is one', () => {
  const stopped = HsmsWire.selected('active')
  stopped.feed({ kind: 'stop' })
  expect(stopped.protocol.counts).toMatchObject({ connects: 1, losses: [] })
  const separated = HsmsWire.selected('passive')
  separated.receive(controlBytes('separateReq'))
  expect(separated.protocol.counts.losses).toEqual([{ fault: 'separated', count: 1 }])
})

test('round trips fall into their buckets, from the write to the secondary, whatever it says', () => {
  const wire = HsmsWire.selected('active')
  const took = [0, 1, 30, 7_000]
  for (const [at, ms] of took.entries()) {
    const systemBytes = wire.request()
    wire.now += ms
    wire.receive(dataBytes({ function: at === 0 ? 0 : 2, wait: false, systemBytes }))
  }
  const { buckets, sum, count } = wire.protocol.counts.roundTrip
  expect(count).toBe(4)
  expect(sum).toBeCloseTo(7.031, 9)
  expect(buckets.map(({ bound }) => bound)).toEqual([...ROUND_TRIP_BOUNDS, Number.POSITIVE_INFINITY])
  const upTo = (bound: number): number | undefined => buckets.find((bucket) => bucket.bound === bound)?.count
  expect([0.0005, 0.001, 0.025, 0.05, 5, 10, Number.POSITIVE_INFINITY].map(upTo)).toEqual([
    1, 2, 2, 3, 3, 4, 4,
  ])
})

test('what is not answered has no round trip, nor has the time in which we did not read', () => {
  const wire = HsmsWire.selected('active')
  wire.request()
  wire.advance(45_000)
  expect(wire.protocol.counts.roundTrip.count).toBe(0)
  const systemBytes = wire.request()
  wire.feed({ kind: 'pause' })
  wire.now += 60_000
  wire.feed({ kind: 'resume' })
  wire.now += 2
  wire.receive(dataBytes({ function: 2, wait: false, systemBytes }))
  expect(wire.protocol.counts.roundTrip).toMatchObject({ count: 1, sum: 0.002 })
})

test('counters continue where a machine before left them', () => {
  const counters = new Counters()
  for (const random of [0, 0.5]) {
    const protocol = new HsmsProtocol(SETTINGS, () => random, counters)
    protocol.handle({ kind: 'start' }, 0)
    protocol.handle({ kind: 'connected' }, 0)
    protocol.handle({ kind: 'stop' }, 0)
  }
  expect(counters.counts(0)).toMatchObject({ connects: 2, out: { frames: 2, control: { selectReq: 2 } } })
})
