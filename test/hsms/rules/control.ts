import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../../support/hsms-wire.js'
import { outcomes, type Rule, reject } from './rule.js'
import { SELECTED, UNSELECTED } from './states.js'

/** Rules 4 to 6: Separate, Linktest, and data that comes too early. */
export const CONTROL_RULES: readonly Rule[] = [
  {
    rule: 4,
    source: 'E37',
    says: 'Separate.req while selected ends requests and connection, without a reply',
    check() {
      const wire = HsmsWire.selected('active')
      wire.request()
      wire.written()
      wire.receive(controlBytes('separateReq'), dataBytes())
      expect(outcomes(wire)).toEqual([{ kind: 'lost' }])
      expect(wire.written()).toEqual([])
      expect(wire.of('received')).toEqual([])
      expect(wire.last).toMatchObject({ to: 'CONNECTING', fault: { code: 'separated' } })
    },
  },
  ...UNSELECTED.map(({ how, wire: unselected }) => ({
    rule: 4,
    source: 'E37',
    says: `Separate.req while ${how} is ignored, and so is a second one`,
    check() {
      const wire = unselected()
      const { deadline } = wire.protocol
      wire.receive(controlBytes('separateReq'), controlBytes('separateReq'))
      expect(wire.written()).toEqual([])
      expect(wire.protocol).toMatchObject({ state: 'NOT_SELECTED', deadline })
    },
  })),
  {
    rule: 4,
    source: 'E37',
    says: 'we separate when we are stopped while selected, and only then',
    check() {
      const wire = HsmsWire.selected('passive')
      expect(wire.feed({ kind: 'stop' }).map(({ kind }) => kind)).toEqual([
        'write',
        'close',
        'unlisten',
        'changed',
      ])
      expect(wire.take().header.sType).toBe(STYPE.separateReq)
      const unselected = HsmsWire.connected('passive')
      unselected.feed({ kind: 'stop' })
      expect(unselected.written()).toEqual([])
    },
  },
  ...[...UNSELECTED, ...SELECTED].map(({ how, wire: made }) => ({
    rule: 5,
    source: 'E37',
    says: `Linktest.req while ${how} is answered, with its session ID and system bytes, and changes nothing`,
    check() {
      const wire = made()
      const { state, deadline } = wire.protocol
      wire.receive(controlBytes('linktestReq', { sessionId: 2, systemBytes: 44 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.linktestRsp, sessionId: 2, systemBytes: 44 })
      expect(wire.protocol).toMatchObject({ state, deadline })
    },
  })),
  {
    rule: 5,
    source: 'E37',
    says: 'Linktest.req is answered while ours is open, and does not answer ours',
    check() {
      const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } })
      wire.advance(20_000)
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('linktestReq', { systemBytes }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.linktestRsp, systemBytes })
      wire.advance(25_000)
      expect(wire.last).toMatchObject({ fault: { code: 'linktest_timeout' }, at: 25_000 })
    },
  },
  ...UNSELECTED.flatMap(({ how, wire: unselected }) =>
    [
      { what: 'a primary', given: {} },
      { what: 'a primary without W-bit', given: { wait: false } },
      { what: 'a secondary', given: { function: 2, wait: false } },
      { what: 'a message for another device', given: { sessionId: 77 } },
    ].map(({ what, given }) => ({
      rule: 6,
      source: 'E37',
      says: `${what} while ${how} gets Reject 4, and is not delivered`,
      check() {
        const wire = unselected()
        wire.receive(dataBytes({ systemBytes: 31, ...given }))
        expect(wire.take()).toEqual(reject(0, 4, 31))
        expect(wire.of('received')).toEqual([])
        expect(wire.protocol.state).toBe('NOT_SELECTED')
      },
    })),
  ),
  {
    rule: 6,
    source: 'E37',
    says: 'data while not selected gets Reject 4 with its own session ID and system bytes, and the link stays',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(dataBytes({ systemBytes: 0xdeadbeef }))
      expect(wire.take()).toEqual({
        header: {
          sessionId: 1,
          byte2: 0,
          byte3: 4,
          pType: 0,
          sType: STYPE.rejectReq,
          systemBytes: 0xdeadbeef,
        },
        body: new Uint8Array(),
      })
      expect(wire.protocol.state).toBe('NOT_SELECTED')
      expect(wire.of('received')).toEqual([])
    },
  },
]
