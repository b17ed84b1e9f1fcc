import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { dataBytes, HsmsWire, message } from '../../support/hsms-wire.js'
import { outcomes, type Rule } from './rule.js'

/** Rules 12, 13 and 15: which message belongs to which. */
export const TRANSACTION_RULES: readonly Rule[] = [
  {
    rule: 12,
    source: 'E37',
    says: 'a primary with the system bytes of our open request is a primary',
    check() {
      const wire = HsmsWire.selected('active')
      const open = wire.request()
      wire.receive(dataBytes({ stream: 6, function: 11, systemBytes: open }))
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'primary', message: { stream: 6 } } }])
      expect(wire.of('ended')).toEqual([])
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
      expect(outcomes(wire)).toMatchObject([{ kind: 'replied' }])
    },
  },
  {
    rule: 12,
    source: 'E37',
    says: 'a primary with the system bytes of our open Linktest.req is a primary, and does not answer it',
    check() {
      const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } })
      wire.advance(20_000)
      wire.receive(dataBytes({ stream: 6, function: 11, systemBytes: wire.take().header.systemBytes }))
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'primary' } }])
      wire.advance(25_000)
      expect(wire.last).toMatchObject({ fault: { code: 'linktest_timeout' } })
    },
  },
  {
    rule: 12,
    source: 'ours',
    says: 'system bytes wrap at 2^32 and pass over what is open, so that no two of ours are alike',
    check() {
      const random = () => 1 - 2 / 2 ** 32
      const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } }, random)
      const open = Array.from({ length: 4 }, () => wire.request()) // Select.req took the first number
      expect(open).toEqual([2 ** 32 - 1, 0, 1, 2])
      wire.written()
      wire.advance(20_000)
      expect(wire.take().header).toMatchObject({ sType: STYPE.linktestReq, systemBytes: 3 })
    },
  },
  {
    rule: 12,
    source: 'E37',
    says: 'sending a secondary leaves our open request with the same system bytes alone',
    check() {
      const wire = HsmsWire.selected('active')
      const open = wire.request()
      wire.feed({
        kind: 'send',
        message: message({ stream: 6, function: 12, wait: false, systemBytes: open }),
      })
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
      expect(outcomes(wire)).toMatchObject([{ kind: 'replied' }])
    },
  },
  ...(
    [
      { got: 'S1F2', stream: 1, function: 2, kind: 'replied' },
      { got: 'S1F2 without a body', stream: 1, function: 2, kind: 'replied' },
      { got: 'S1F0', stream: 1, function: 0, kind: 'aborted' },
      { got: 'S0F0', stream: 0, function: 0, kind: 'aborted' },
      { got: 'S2F0', stream: 2, function: 0, kind: 'error' },
      { got: 'S1F4', stream: 1, function: 4, kind: 'error' },
      { got: 'S2F2', stream: 2, function: 2, kind: 'error' },
    ] as const
  ).map(({ got, stream, function: fn, kind }) => ({
    rule: 13,
    source: 'E5',
    says: `${got} to S1F1 ends it as ${kind}`,
    check() {
      const wire = HsmsWire.selected('active')
      const systemBytes = wire.request()
      const body = got.endsWith('body') ? new Uint8Array() : Uint8Array.of(1, 0)
      wire.receive(dataBytes({ stream, function: fn, wait: false, systemBytes, body }))
      const reply = { sessionId: 1, stream, function: fn, wait: false, systemBytes, body }
      expect(outcomes(wire)).toEqual([{ kind, reply }])
      expect(wire.of('received')).toEqual([])
    },
  })),
  {
    rule: 13,
    source: 'E5',
    says: 'stream 9 is delivered as a primary, and ends a request when it is told to',
    check() {
      const wire = HsmsWire.selected('active')
      const systemBytes = wire.request()
      wire.receive(dataBytes({ stream: 9, function: 5, wait: false, systemBytes }))
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'primary', message: { stream: 9 } } }])
      expect(wire.of('ended')).toEqual([])
      const outcome = { kind: 'error', reply: message({ stream: 9, function: 5, wait: false }) } as const
      const primary = { stream: 1, function: 1, systemBytes }
      wire.feed({ kind: 'end', primary, outcome })
      wire.feed({ kind: 'end', primary, outcome })
      expect(outcomes(wire)).toEqual([outcome])
      wire.advance(45_000)
      expect(outcomes(wire)).toHaveLength(1)
    },
  },
  {
    rule: 13,
    source: 'E5',
    says: 'what stream 9 says of another primary with the same system bytes leaves ours open',
    check() {
      const wire = HsmsWire.selected('active')
      const systemBytes = wire.request()
      const outcome = { kind: 'error', reply: message({ stream: 9, function: 7, wait: false }) } as const
      wire.feed({ kind: 'end', primary: { stream: 6, function: 11, systemBytes }, outcome })
      expect(outcomes(wire)).toEqual([])
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes }))
      expect(outcomes(wire)).toMatchObject([{ kind: 'replied' }])
    },
  },
  {
    rule: 13,
    source: 'E5',
    says: 'replies are told apart by system bytes, in whatever order they come',
    check() {
      const wire = HsmsWire.selected('active')
      const open = Array.from({ length: 8 }, () => wire.request())
      const back = open.toReversed()
      wire.receive(...back.map((systemBytes) => dataBytes({ function: 2, wait: false, systemBytes })))
      expect(wire.of('ended').map(({ systemBytes }) => systemBytes)).toEqual(back)
      expect(outcomes(wire).every(({ kind }) => kind === 'replied')).toBe(true)
    },
  },
  {
    rule: 13,
    source: 'ours',
    says: 'a reply that wrongly has the W-bit is a reply',
    check() {
      const wire = HsmsWire.selected('active')
      const systemBytes = wire.request()
      wire.receive(dataBytes({ function: 2, wait: true, systemBytes }))
      expect(outcomes(wire)).toMatchObject([{ kind: 'replied' }])
    },
  },
  {
    rule: 13,
    source: 'E5',
    says: 'a second reply to the same primary is stray',
    check() {
      const wire = HsmsWire.selected('active')
      const reply = dataBytes({ function: 2, wait: false, systemBytes: wire.request() })
      wire.receive(reply, reply)
      expect(outcomes(wire)).toHaveLength(1)
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'stray' } }])
    },
  },
  {
    rule: 13,
    source: 'E5',
    says: 'an even function without an open request is delivered as stray, and not rejected',
    check() {
      const wire = HsmsWire.selected('active')
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: 4242 }))
      expect(wire.of('received')).toMatchObject([{ received: { kind: 'stray' } }])
      expect(wire.written()).toEqual([])
    },
  },
  ...([1, 2] as const).map((fn) => ({
    rule: 15,
    source: 'E37.1',
    says: `S1F${fn} for another device ID is delivered as other_device and not answered`,
    check() {
      const wire = HsmsWire.selected('active')
      const systemBytes = wire.request()
      wire.written()
      wire.receive(dataBytes({ sessionId: 2, function: fn, systemBytes }))
      expect(wire.of('received')).toMatchObject([
        { received: { kind: 'other_device', message: { sessionId: 2 } } },
      ])
      expect(wire.written()).toEqual([])
      expect(wire.of('ended')).toEqual([])
    },
  })),
]
