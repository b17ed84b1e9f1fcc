import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { HsmsPair, SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../../support/hsms-wire.js'
import type { Rule } from './rule.js'

const LINKTEST = { timers: { ...SETTINGS.timers, linktest: 60_000 } }

/** Rules 9 to 11, 17 and 19: what ends a connection, and what follows. */
export const CONNECTION_RULES: readonly Rule[] = [
  ...[...Array(10).keys(), 16 * 1024 * 1024 + 1, 0x7fffffff, 0x80000000, 0xffffffff].map((length) => ({
    rule: 9,
    source: 'E37',
    says: `a message length of ${length} ends the connection without waiting for the bytes`,
    check() {
      const wire = HsmsWire.selected('passive')
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(length)
      wire.receive(dataBytes({ systemBytes: 3 }), bytes)
      expect(wire.of('received')).toMatchObject([{ received: { message: { systemBytes: 3 } } }])
      expect(wire.last).toMatchObject({ to: 'LISTENING', fault: { code: 'bad_frame' }, at: 0 })
      expect(wire.feed({ kind: 'bytes', bytes: dataBytes({ systemBytes: 4 }) })).toEqual([])
    },
  })),
  {
    rule: 9,
    source: 'E37',
    says: 'a length that cannot be mended ends the connection with its last byte, however it is cut',
    check() {
      const wire = HsmsWire.selected('active')
      for (const byte of [0, 0, 0]) wire.receive(Uint8Array.of(byte))
      expect(wire.protocol.state).toBe('SELECTED')
      wire.receive(Uint8Array.of(9))
      expect(wire.last).toMatchObject({ to: 'CONNECTING', fault: { code: 'bad_frame' } })
    },
  },
  {
    rule: 9,
    source: 'ours',
    says: 'the longest length that is configured is taken',
    check() {
      const wire = HsmsWire.selected('passive', { maxMessageLength: 20 })
      wire.receive(dataBytes({ body: new Uint8Array(10) }))
      expect(wire.of('received')).toHaveLength(1)
      wire.receive(dataBytes({ body: new Uint8Array(11) }))
      expect(wire.last).toMatchObject({ fault: { code: 'bad_frame' } })
    },
  },
  {
    rule: 10,
    source: 'E37.1',
    says: 'a TCP connection that comes up beside the one there is changes nothing',
    check() {
      const wire = HsmsWire.selected('passive')
      expect(wire.feed({ kind: 'connected' })).toEqual([])
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 10,
    source: 'ours',
    says: 'one that was refused has the connection there tested at once, and a dead one ends in T6',
    check() {
      for (const answers of [true, false]) {
        const wire = HsmsWire.selected('passive', LINKTEST).advance(7_000)
        const open = wire.request()
        wire.written()
        wire.feed({ kind: 'surplus' })
        const { header } = wire.take()
        expect(header).toMatchObject({ sType: STYPE.linktestReq, sessionId: 0xffff })
        wire.advance(8_000).feed({ kind: 'surplus' })
        expect(wire.written()).toEqual([]) // one test at a time
        wire.advance(11_999)
        expect(wire.protocol.state).toBe('SELECTED')
        if (answers) wire.receive(controlBytes('linktestRsp', header))
        wire.advance(12_000)
        expect(wire.protocol.state).toBe(answers ? 'SELECTED' : 'LISTENING')
        const ended = { kind: 'ended', systemBytes: open, outcome: { kind: 'lost' }, at: 12_000 }
        expect(wire.of('ended')).toEqual(answers ? [] : [ended])
      }
    },
  },
  {
    rule: 10,
    source: 'ours',
    says: 'a test because of one that was refused leaves the linktest period alone',
    check() {
      const wire = HsmsWire.selected('passive', LINKTEST).advance(19_000)
      wire.feed({ kind: 'surplus' })
      wire.receive(controlBytes('linktestRsp', wire.take().header))
      wire.advance(59_999)
      expect(wire.written()).toEqual([])
      wire.advance(60_000)
      expect(wire.take().header.sType).toBe(STYPE.linktestReq)
    },
  },
  {
    rule: 10,
    source: 'ours',
    says: 'one that was refused changes nothing where there is no session, or no linktest is wanted',
    check() {
      const selected = HsmsWire.selected('passive', { timers: { ...SETTINGS.timers, linktest: 0 } })
      const listening = new HsmsWire({ role: 'passive', ...LINKTEST })
      listening.feed({ kind: 'start' })
      listening.feed({ kind: 'listening' })
      for (const wire of [selected, listening, HsmsWire.connected('passive', LINKTEST)]) {
        const { deadline } = wire.protocol
        expect(wire.feed({ kind: 'surplus' })).toEqual([])
        expect(wire.protocol.deadline).toBe(deadline)
      }
    },
  },
  {
    rule: 10,
    source: 'E37.1',
    says: 'rapid abrupt reconnects never leave a session behind',
    check() {
      const wire = HsmsWire.selected('passive')
      for (let round = 0; round < 50; round += 1) {
        const open = wire.request()
        wire.written()
        wire.feed({ kind: 'disconnected', detail: 'reset' })
        wire.feed({ kind: 'connected' })
        wire.receive(controlBytes('selectReq', { systemBytes: round }))
        expect(wire.take().header).toMatchObject({ sType: STYPE.selectRsp, byte3: 0, systemBytes: round })
        expect(wire.of('ended').at(-1)).toMatchObject({ systemBytes: open, outcome: { kind: 'lost' } })
      }
      expect(wire.of('ended')).toHaveLength(50)
    },
  },
  {
    rule: 11,
    source: 'E37',
    says: 'a link that ends with requests open ends each at once as lost',
    check() {
      const wire = HsmsWire.selected('active')
      const open = [wire.request(), wire.request(), wire.request()]
      wire.advance(100)
      wire.feed({ kind: 'disconnected', detail: 'reset' })
      expect(wire.of('ended')).toEqual(
        open.map((systemBytes) => ({ kind: 'ended', systemBytes, outcome: { kind: 'lost' }, at: 100 })),
      )
      expect(wire.last).toMatchObject({ fault: { code: 'connection_lost', detail: 'reset' } })
    },
  },
  {
    rule: 11,
    source: 'E37',
    says: 'there is one dial at a time, and T5 from the end of each to the next',
    check() {
      const wire = new HsmsWire()
      const fault = { code: 'connection_refused', detail: 'refused' } as const
      wire.feed({ kind: 'start' })
      for (const took of [0, 3_000]) {
        wire.now += took
        wire.feed({ kind: 'failed', fault })
        wire.feed({ kind: 'failed', fault })
        wire.advance(wire.now + 9_999)
        expect(wire.protocol.state).toBe('CONNECTING')
        wire.advance(wire.now + 1)
      }
      expect(wire.of('dial').map(({ at }) => at)).toEqual([0, 10_000, 23_000])
      expect(wire.of('attempt_failed')).toMatchObject([
        { fault, attempts: 1, at: 0 },
        { fault, attempts: 2, at: 13_000 },
      ])
    },
  },
  {
    rule: 11,
    source: 'ours',
    says: 'failed dials are counted from the last connection',
    check() {
      const wire = new HsmsWire()
      const fault = { code: 'connection_refused', detail: 'refused' } as const
      wire.feed({ kind: 'start' })
      wire.feed({ kind: 'failed', fault })
      wire.advance(10_000).feed({ kind: 'connected' })
      wire.feed({ kind: 'disconnected', detail: 'reset' })
      wire.advance(20_000).feed({ kind: 'failed', fault })
      expect(wire.of('attempt_failed').map(({ attempts }) => attempts)).toEqual([1, 1])
    },
  },
  {
    rule: 11,
    source: 'E37',
    says: 'T5 runs from the end of a connection, too; the passive side listens at once',
    check() {
      const pair = new HsmsPair().connect()
      pair.advance(1_000)
      pair.cut()
      expect(pair.host.state).toBe('CONNECTING')
      expect(pair.equipment.state).toBe('LISTENING')
      expect(pair.host.retryAt).toBe(11_000)
      pair.advance(11_000)
      expect(pair.of('host', 'dial').map(({ at }) => at)).toEqual([0, 11_000])
      expect(pair.host.state).toBe('SELECTED')
      expect(pair.host.retryAt).toBeUndefined()
    },
  },
  {
    rule: 11,
    source: 'ours',
    says: 'a dial that nobody answers is given up after 10 s',
    check() {
      const wire = new HsmsWire()
      wire.feed({ kind: 'start' })
      wire.advance(20_000)
      expect(wire.of('attempt_failed')).toMatchObject([{ fault: { code: 'connect_timeout' }, at: 10_000 }])
      expect(wire.of('close').map(({ at }) => at)).toEqual([10_000])
      expect(wire.of('dial').map(({ at }) => at)).toEqual([0, 20_000])
    },
  },
  {
    rule: 11,
    source: 'ours',
    says: 'linktest starts again with each connection',
    check() {
      const pair = new HsmsPair({ timers: { ...SETTINGS.timers, linktest: 30_000 } }).connect()
      pair.advance(25_000)
      pair.cut()
      pair.advance(64_999)
      const linktests = () =>
        pair
          .of('host', 'write')
          .filter(({ bytes }) => bytes[9] === STYPE.linktestReq)
          .map(({ at }) => at)
      expect(linktests()).toEqual([])
      pair.advance(65_000)
      expect(linktests()).toEqual([65_000])
    },
  },
  {
    rule: 17,
    source: 'E37',
    says: 'T7 ends a connection that nobody selects, on the passive side',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.advance(9_999)
      wire.receive(controlBytes('linktestReq'))
      expect(wire.protocol.state).toBe('NOT_SELECTED')
      wire.advance(10_000)
      expect(wire.last).toMatchObject({ to: 'LISTENING', fault: { code: 't7' }, at: 10_000 })
    },
  },
  ...[1, 3, 4, 13].map((arrived) => ({
    rule: 17,
    source: 'E37',
    says: `T8 ends a connection whose frame stops after ${arrived} bytes`,
    check() {
      const wire = HsmsWire.selected('passive').advance(1_000)
      const bytes = dataBytes()
      wire.receive(bytes.subarray(0, arrived))
      wire.advance(5_999)
      expect(wire.protocol.state).toBe('SELECTED')
      wire.advance(6_000)
      expect(wire.last).toMatchObject({ fault: { code: 't8' }, at: 6_000 })
    },
  })),
  {
    rule: 17,
    source: 'E37',
    says: 'T8 counts from the last byte that came, and not between frames',
    check() {
      const wire = HsmsWire.selected('passive')
      const bytes = dataBytes()
      for (let at = 0; at < bytes.length; at += 3) {
        wire.advance(wire.now + 4_999)
        wire.receive(bytes.subarray(at, at + 3))
      }
      expect(wire.of('received')).toHaveLength(1)
      wire.advance(wire.now + 1_000_000)
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 17,
    source: 'E37',
    says: 'T8 counts within the length bytes of a frame that follows a whole one, too',
    check() {
      const wire = HsmsWire.selected('passive').advance(1_000)
      wire.receive(dataBytes(), Uint8Array.of(0))
      wire.advance(5_999)
      expect(wire.protocol.state).toBe('SELECTED')
      wire.advance(6_000)
      expect(wire.last).toMatchObject({ fault: { code: 't8' }, at: 6_000 })
    },
  },
  ...(
    [
      { who: 'SECS-I', text: '\x05' },
      { who: 'HTTP', text: 'GET /api/v1' },
      { who: 'HTTP', text: 'POST / HTTP/1.1' },
      { who: 'HTTP', text: 'HTTP/1.1 400 Bad Request' },
      { who: 'TLS', text: '\x16\x03\x01\x00' },
      { who: 'SSH', text: 'SSH-2.0-OpenSSH_9.6' },
    ] as const
  ).map(({ who, text }) => ({
    rule: 19,
    source: 'ours',
    says: `a peer that begins with ${JSON.stringify(text)} speaks ${who}`,
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(Buffer.from(text, 'latin1'))
      expect(wire.last).toMatchObject({
        to: 'LISTENING',
        fault: { code: 'not_hsms', detail: `the peer speaks ${who}, not HSMS` },
      })
    },
  })),
  {
    rule: 19,
    source: 'ours',
    says: 'a peer that we dialled is named, too',
    check() {
      const wire = HsmsWire.connected('active')
      wire.receive(Uint8Array.of(5))
      expect(wire.last).toMatchObject({
        to: 'CONNECTING',
        fault: { code: 'not_hsms', detail: 'the peer speaks SECS-I, not HSMS' },
      })
    },
  },
  {
    rule: 19,
    source: 'ours',
    says: 'only the first bytes of a connection are taken for another protocol',
    check() {
      const wire = HsmsWire.selected('passive')
      wire.receive(Buffer.from('GET /'))
      expect(wire.last).toMatchObject({ fault: { code: 'bad_frame' } })
    },
  },
  {
    rule: 19,
    source: 'ours',
    says: 'a length that is within the limit is a length, whatever it looks like',
    check() {
      const wire = HsmsWire.connected('passive', { maxMessageLength: 0xffffffff })
      wire.receive(Uint8Array.of(5))
      expect(wire.protocol.state).toBe('NOT_SELECTED')
    },
  },
]
