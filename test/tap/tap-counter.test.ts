import { expect, test } from 'vitest'
import { STYPE } from '../../src/hsms/frame/header.js'
import type { Side } from '../../src/tap/side.js'
import { TapCounter } from '../../src/tap/tap-counter.js'
import { ManualClock } from '../support/manual-clock.js'

const ENDPOINTS = {
  host: { local: '10.0.0.2:6000', remote: '10.0.0.9:40000' },
  equipment: { local: '10.0.0.2:40001', remote: '10.0.0.5:5000' },
}

function scene() {
  const clock = new ManualClock()
  const counter = new TapCounter(clock)
  const control = (from: Side, sType: number, systemBytes: number, byte3 = 0) =>
    counter.control(from, { sessionId: 0xffff, byte2: 0, byte3, pType: 0, sType, systemBytes })
  /** In a chunk in which something else is before it. */
  const data = (from: Side, stream: number, fn: number) =>
    counter.data(from, Uint8Array.of(7, 7, 1, 3, 0x80 | stream, fn, 0, 0, 0, 0, 0, 1), 2)
  return { clock, counter, control, data }
}

test('a control message waits until the other side responds to it, and the oldest is told', () => {
  const { clock, counter, control } = scene()
  counter.paired(ENDPOINTS)
  const began = clock.date().getTime()
  control('host', STYPE.linktestReq, 1)
  clock.advance(1_000)
  control('host', STYPE.linktestReq, 2)
  control('host', STYPE.linktestRsp, 1)
  expect(counter.counts.pair?.sides.host.unanswered).toEqual({ sType: STYPE.linktestReq, at: began })
  control('equipment', STYPE.linktestRsp, 1)
  expect(counter.counts.pair?.sides.host.unanswered?.at).toBe(began + 1_000)
  control('equipment', STYPE.rejectReq, 2, 4)
  expect(counter.counts.pair?.sides.host.unanswered).toBeNull()
  expect(counter.counts.pair?.sides.host.control).toEqual({ [STYPE.linktestReq]: 2, [STYPE.linktestRsp]: 1 })
})

test('whether the two are selected follows Select.rsp, Deselect.rsp and Separate.req', () => {
  const { counter, control } = scene()
  counter.paired(ENDPOINTS)
  const now = () => [counter.counts.pair?.isSelected, counter.counts.pair?.selectStatus]
  control('host', STYPE.selectReq, 1)
  expect(now()).toEqual([false, null])
  control('equipment', STYPE.selectRsp, 1, 2)
  expect(now()).toEqual([false, 2])
  control('equipment', STYPE.selectRsp, 1)
  expect(now()).toEqual([true, 0])
  control('host', STYPE.separateReq, 2)
  expect(now()).toEqual([false, 0])
})

test('data messages are counted by side and kind, and what the gateway does beside them', () => {
  const { counter, data } = scene()
  counter.paired(ENDPOINTS)
  data('host', 1, 1)
  counter.mapped()
  data('equipment', 1, 2)
  data('equipment', 9, 7)
  counter.sent()
  counter.replied()
  counter.took('host', 14, 0.5)
  counter.took('equipment', 28, 1.5)
  counter.held('equipment', 20)
  counter.unreadable('host')
  expect(counter.counts.pair).toMatchObject({
    mapped: 1,
    own: { sent: 1, replied: 1 },
    handling: { times: 2, sumMs: 2, maxMs: 1.5 },
    sides: {
      host: { primaries: 1, replies: 0, sessionId: 259, bytes: 14, isUnreadable: true },
      equipment: { primaries: 1, replies: 1, stream9: 1, bytes: 28, heldMs: 20 },
    },
  })
})

test('a pair that is over is kept as the last one, and the next begins at nothing', () => {
  const { clock, counter, data } = scene()
  counter.paired(ENDPOINTS)
  data('host', 1, 1)
  clock.advance(500)
  counter.over('equipment', 'broken')
  expect(counter.counts).toMatchObject({
    pair: null,
    pairs: 1,
    last: {
      over: { at: clock.date().getTime(), first: 'equipment', how: 'broken' },
      sides: { host: { primaries: 1 } },
    },
  })
  counter.paired(ENDPOINTS)
  expect(counter.counts.pair?.sides.host.primaries).toBe(0)
})

test('refused addresses are counted, the newest last, and only the newest of many', () => {
  const { counter } = scene()
  counter.refused('10.0.0.7', 'stranger')
  counter.refused('10.0.0.8', 'stranger')
  counter.refused('10.0.0.7', 'stranger')
  expect(counter.counts.refused.map(({ address, count }) => [address, count])).toEqual([
    ['10.0.0.8', 1],
    ['10.0.0.7', 2],
  ])
  for (let at = 0; at < 100; at++) counter.refused(`10.0.1.${at}`, 'stranger')
  expect(counter.counts.refused.length).toBe(16)
  expect(counter.counts.refused.at(-1)?.address).toBe('10.0.1.99')
})
