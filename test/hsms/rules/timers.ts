import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../../support/hsms-wire.js'
import { outcomes, type Rule } from './rule.js'

const REFUSED = { code: 'connection_refused', detail: 'refused' } as const

const withTimers = (timers: Partial<typeof SETTINGS.timers>) => ({
  timers: { ...SETTINGS.timers, ...timers },
})
const IDLE = { ...withTimers({ linktest: 20_000 }), linktestMode: 'idle' } as const

/** How long after a failed dial the next one comes, in milliseconds. */
function timeToDial(t5: number, random: number): number {
  const wire = new HsmsWire(withTimers({ t5 }), () => random)
  wire.feed({ kind: 'start' })
  wire.feed({ kind: 'failed', fault: REFUSED })
  const { retryAt } = wire.protocol
  wire.advance(1_000_000)
  expect(wire.of('dial')[1]?.at).toBe(retryAt)
  return retryAt ?? Number.NaN
}

/** What each timer does one millisecond before it ends, and when it ends. */
export const TIMER_RULES: readonly Rule[] = [
  {
    rule: 'T3',
    source: 'E37',
    says: 'a reply one millisecond before T3 is the reply; T3 ends the request alone, and a later reply is stray',
    check() {
      const wire = HsmsWire.selected('active').advance(1_000)
      const answered = wire.request()
      const open = wire.request()
      wire.advance(45_999)
      expect(wire.of('ended')).toEqual([])
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: answered }))
      wire.advance(46_000)
      expect(wire.of('ended')).toMatchObject([
        { systemBytes: answered, outcome: { kind: 'replied' }, at: 45_999 },
        { systemBytes: open, outcome: { kind: 'timed_out' }, at: 46_000 },
      ])
      wire.written()
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'stray' } }])
      expect(wire.written()).toEqual([])
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 'T5',
    source: 'E37',
    says: 'no dial comes before T5, counted from the end of the attempt, and one comes with it',
    check() {
      const wire = new HsmsWire()
      wire.feed({ kind: 'start' })
      wire.advance(700).feed({ kind: 'failed', fault: REFUSED })
      wire.advance(10_699)
      expect(wire.of('dial')).toHaveLength(1)
      wire.advance(10_700)
      expect(wire.of('dial').map(({ at }) => at)).toEqual([0, 10_700])
    },
  },
  {
    rule: 'T5',
    source: 'ours',
    says: 'what is added at random is up to a fifth of T5 and 2 s at most, and retryAt tells it',
    check() {
      expect(timeToDial(1_000, 0)).toBe(1_000)
      expect(timeToDial(1_000, 0.5)).toBe(1_100)
      expect(timeToDial(1_000, 0.999)).toBeCloseTo(1_199.8)
      expect(timeToDial(10_000, 0.5)).toBe(11_000)
      expect(timeToDial(600_000, 0.5)).toBe(601_000)
    },
  },
  {
    rule: 'T5',
    source: 'ours',
    says: 'of three hundred that lose their network at once no ten dial within the same 5 ms, none before T5',
    check() {
      const dials = Array.from({ length: 300 }, (_, at) => {
        const wire = HsmsWire.selected('active', {}, () => (at * 0.618_034) % 1)
        wire.advance(1_000).feed({ kind: 'disconnected', detail: 'the switch is off' })
        wire.advance(20_000)
        return wire.of('dial')[1]?.at ?? Number.NaN
      })
      expect(Math.min(...dials)).toBeGreaterThanOrEqual(11_000)
      expect(Math.max(...dials)).toBeLessThan(13_000)
      for (const from of dials) {
        expect(dials.filter((at) => at >= from && at < from + 5).length).toBeLessThan(10)
      }
    },
  },
  {
    rule: 'T6',
    source: 'E37',
    says: 'Select.rsp one millisecond before T6 is in time; T6 without it ends the connection',
    check() {
      const late = HsmsWire.connected('active').advance(4_999)
      expect(late.protocol.state).toBe('NOT_SELECTED')
      const intime = HsmsWire.connected('active').advance(4_999)
      intime.receive(controlBytes('selectRsp', { systemBytes: intime.take().header.systemBytes }))
      late.advance(5_000)
      intime.advance(5_000)
      const fault = { code: 't6', detail: 'Select.req got no response within 5 s (T6)' }
      expect(late.last).toMatchObject({ to: 'CONNECTING', cause: 't6', fault, at: 5_000 })
      expect(intime.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 'T6',
    source: 'E37',
    says: 'Linktest.rsp one millisecond before T6 is in time; T6 without it ends the connection and what is open',
    check() {
      for (const answered of [true, false]) {
        const wire = HsmsWire.selected('passive', withTimers({ linktest: 20_000 })).advance(20_000)
        const { systemBytes } = wire.take().header
        wire.request()
        wire.advance(24_999)
        expect(wire.protocol.state).toBe('SELECTED')
        if (answered) wire.receive(controlBytes('linktestRsp', { systemBytes }))
        wire.advance(25_000)
        expect(wire.protocol.state).toBe(answered ? 'SELECTED' : 'LISTENING')
        expect(outcomes(wire)).toEqual(answered ? [] : [{ kind: 'lost' }])
      }
    },
  },
  {
    rule: 'T7',
    source: 'E37',
    says: 'Select.req one millisecond before T7 is in time; T7 without it ends the connection, of the passive side',
    check() {
      const late = HsmsWire.connected('passive').advance(9_999)
      const intime = HsmsWire.connected('passive').advance(9_999)
      intime.receive(controlBytes('selectReq'))
      late.advance(10_000)
      intime.advance(10_000)
      expect(late.last).toMatchObject({ to: 'LISTENING', fault: { code: 't7' }, at: 10_000 })
      expect(late.of('close')).toHaveLength(1)
      expect(intime.protocol).toMatchObject({ state: 'SELECTED', deadline: undefined })
    },
  },
  {
    rule: 'T8',
    source: 'E37',
    says: 'the rest of a frame one millisecond before T8 is in time; T8 without it ends the connection',
    check() {
      const bytes = dataBytes({ body: Uint8Array.of(1, 0) })
      for (const rest of [true, false]) {
        const wire = HsmsWire.selected('active').advance(1_000)
        wire.receive(bytes.subarray(0, 15))
        wire.advance(5_999)
        if (rest) wire.receive(bytes.subarray(15))
        wire.advance(6_000)
        expect(wire.protocol.state).toBe(rest ? 'SELECTED' : 'CONNECTING')
        expect(wire.of('received')).toHaveLength(rest ? 1 : 0)
      }
    },
  },
  {
    rule: 'T8',
    source: 'ours',
    says: 'a message whose bytes come one by one, each within T8, ends the connection after six T8 and 2 ms a byte',
    check() {
      const bytes = dataBytes({ body: new Uint8Array(1000) })
      for (const isFirst of [true, false]) {
        const wire = HsmsWire.selected('active').advance(1_000)
        // The time of each message is its own, also of one that begins in the chunk in which another ends.
        const started = isFirst ? bytes.subarray(0, 1) : Buffer.concat([dataBytes(), bytes.subarray(0, 1)])
        wire.receive(started)
        for (let sent = 1; sent < 8; sent += 1)
          wire.advance(1_000 + sent * 4_000).receive(bytes.subarray(sent, sent + 1))
        wire.advance(1_000 + 30_000 + 15)
        expect(wire.protocol.state).toBe('SELECTED')
        wire.advance(1_000 + 30_000 + 16)
        expect(wire.protocol.state).toBe('CONNECTING')
        expect(wire.of('changed').at(-1)?.fault).toEqual({
          code: 't8',
          detail: 'the peer sent a message too slowly: less than 500 bytes a second',
        })
        expect(wire.protocol.counts.timeouts.t8).toBe(1)
      }
    },
  },
  {
    rule: 'T8',
    source: 'ours',
    says: 'a message of 16 MiB passes a line of 9,600 baud, and no time of it counts for the next',
    check() {
      const wire = HsmsWire.selected('active')
      const bytes = dataBytes({ body: new Uint8Array(2 ** 24 - 10) })
      for (let message = 0; message < 2; message += 1) {
        for (let at = 0; at < bytes.length; at += 3_840) {
          wire.advance(wire.now + 4_000).receive(bytes.subarray(at, at + 3_840))
        }
      }
      expect(wire.of('received')).toHaveLength(2)
      wire.receive(bytes.subarray(0, 1))
      wire.advance(wire.now + 4_999)
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 'linktest',
    source: 'ours',
    says: 'always: comes every period, whatever the peer sends meanwhile',
    check() {
      const wire = HsmsWire.selected('active', withTimers({ linktest: 20_000 }))
      for (const at of [5_000, 19_999]) wire.advance(at).receive(dataBytes({ wait: false }))
      expect(wire.written()).toEqual([])
      wire.advance(20_000)
      expect(wire.take().header.sType).toBe(STYPE.linktestReq)
      wire.advance(24_999).receive(dataBytes({ wait: false }))
      wire.advance(25_000)
      expect(wire.last).toMatchObject({ fault: { code: 'linktest_timeout' }, at: 25_000 })
    },
  },
  {
    rule: 'linktest',
    source: 'ours',
    says: 'idle: comes a period after the last byte of the peer, also of one within a frame',
    check() {
      const wire = HsmsWire.selected('active', IDLE)
      const bytes = dataBytes({ wait: false })
      wire.advance(15_000).receive(bytes.subarray(0, 4))
      wire.advance(19_000).receive(bytes.subarray(4))
      wire.advance(38_999)
      expect(wire.written()).toEqual([])
      wire.advance(39_000)
      expect(wire.take().header.sType).toBe(STYPE.linktestReq)
    },
  },
  {
    rule: 'linktest',
    source: 'ours',
    says: 'idle: what we send is no sign of the life of the peer',
    check() {
      const wire = HsmsWire.selected('active', IDLE).advance(19_999)
      wire.request()
      wire.written()
      wire.advance(20_000)
      expect(wire.take().header.sType).toBe(STYPE.linktestReq)
    },
  },
  {
    rule: 'linktest',
    source: 'ours',
    says: 'idle: a peer that talks while it is tested has T6 from its last byte, and may answer then',
    check() {
      for (const answers of [true, false]) {
        const wire = HsmsWire.selected('active', IDLE).advance(20_000)
        const { systemBytes } = wire.take().header
        wire.advance(24_999).receive(dataBytes({ wait: false }))
        wire.advance(29_998)
        expect(wire.protocol.state).toBe('SELECTED')
        if (answers) wire.receive(controlBytes('linktestRsp', { systemBytes }))
        wire.advance(29_999)
        expect(wire.protocol.state).toBe(answers ? 'SELECTED' : 'CONNECTING')
        expect(wire.written()).toEqual([])
      }
    },
  },
  {
    rule: 'linktest',
    source: 'ours',
    says: 'idle: a silent peer is given up as ever, and Select.rsp is not waited for any longer',
    check() {
      const silent = HsmsWire.selected('active', IDLE).advance(25_000)
      expect(silent.last).toMatchObject({ fault: { code: 'linktest_timeout' }, at: 25_000 })
      const unselected = HsmsWire.connected('active', IDLE).advance(4_000)
      unselected.receive(controlBytes('linktestReq'))
      unselected.advance(5_000)
      expect(unselected.last).toMatchObject({ fault: { code: 't6' }, at: 5_000 })
    },
  },
]
