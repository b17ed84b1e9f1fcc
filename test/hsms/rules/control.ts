import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../../support/hsms-wire.js'
import { outcomes, type Rule, reject } from './rule.js'

/** Rules 4 to 8: the other control messages, and what is refused. */
export const CONTROL_RULES: readonly Rule[] = [
  {
    rule: 4,
    source: 'E37',
    says: 'Separate.req while selected ends requests and connection, without an answer',
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
  {
    rule: 4,
    source: 'E37',
    says: 'Separate.req while not selected is ignored',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(controlBytes('separateReq'))
      expect(wire.written()).toEqual([])
      expect(wire.protocol.state).toBe('NOT_SELECTED')
    },
  },
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
  ...(['connected', 'selected'] as const).map((state) => ({
    rule: 5,
    source: 'E37',
    says: `Linktest.req is answered when ${state}`,
    check() {
      const wire = HsmsWire[state]('passive')
      wire.receive(controlBytes('linktestReq', { sessionId: 2, systemBytes: 44 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.linktestRsp, sessionId: 2, systemBytes: 44 })
    },
  })),
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
  ...[8, 10, 127, 128, 200, 255].map((sType) => ({
    rule: 7,
    source: 'E37',
    says: `SType ${sType} gets Reject 1`,
    check() {
      const wire = HsmsWire.selected('passive')
      wire.receive(controlBytes(sType, { systemBytes: 12 }))
      expect(wire.take()).toEqual(reject(sType, 1, 12))
      expect(wire.protocol.state).toBe('SELECTED')
    },
  })),
  ...([0, 1, 5, 9, 200] as const).map((sType) => ({
    rule: 7,
    source: 'E37',
    says: `PType 3 with SType ${sType} gets Reject 2 with the PType`,
    check() {
      const wire = HsmsWire.selected('passive')
      wire.receive(controlBytes(sType, { pType: 3, systemBytes: 12 }))
      expect(wire.take()).toEqual(reject(3, 2, 12))
      expect(wire.protocol.state).toBe('SELECTED')
    },
  })),
  ...(['selectRsp', 'deselectRsp', 'linktestRsp'] as const).map((type) => ({
    rule: 7,
    source: 'E37',
    says: `${type} without an open request gets Reject 3`,
    check() {
      const wire = HsmsWire.selected('active')
      wire.receive(controlBytes(type, { systemBytes: 999 }))
      expect(wire.take()).toEqual(reject(STYPE[type], 3, 999))
      expect(wire.protocol.state).toBe('SELECTED')
    },
  })),
  {
    rule: 7,
    source: 'E37',
    says: 'a response of the wrong kind under the right system bytes gets Reject 3, and T6 goes on',
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('linktestRsp', { systemBytes }))
      expect(wire.take()).toEqual(reject(STYPE.linktestRsp, 3, systemBytes))
      wire.advance(5_000)
      expect(wire.last).toMatchObject({ fault: { code: 't6' } })
    },
  },
  ...(['selectReq', 'selectRsp', 'deselectReq', 'linktestReq', 'linktestRsp', 'separateReq'] as const).map(
    (type) => ({
      rule: 7,
      source: 'E37',
      says: `${type} with a body gets Reject 1 and does nothing`,
      check() {
        const wire = HsmsWire.selected('passive')
        wire.receive(controlBytes(type, { systemBytes: 12 }, Uint8Array.of(1)))
        expect(wire.take()).toEqual(reject(STYPE[type], 1, 12))
        expect(wire.protocol.state).toBe('SELECTED')
      },
    }),
  ),
  {
    rule: 7,
    source: 'E37',
    says: 'Reject.req is never rejected, whatever is wrong with it',
    check() {
      const wire = HsmsWire.selected('passive')
      wire.receive(
        controlBytes('rejectReq', { systemBytes: 999, byte3: 200 }),
        controlBytes('rejectReq', { systemBytes: 999, pType: 9 }),
        controlBytes('rejectReq', { systemBytes: 999 }, Uint8Array.of(1, 2)),
      )
      expect(wire.written()).toEqual([])
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 8,
    source: 'E37',
    says: 'Reject.req ends our open primary at once, and no other',
    check() {
      const wire = HsmsWire.selected('active')
      const [first] = [wire.request(), wire.request()]
      wire.receive(controlBytes('rejectReq', { systemBytes: first, byte3: 4 }))
      expect(wire.of('ended')).toEqual([
        { kind: 'ended', systemBytes: first, outcome: { kind: 'rejected', reason: 4 }, at: 0 },
      ])
    },
  },
  {
    rule: 8,
    source: 'E37',
    says: 'Reject.req for Select.req ends the connection as T6 would',
    check() {
      const wire = HsmsWire.connected('active')
      wire.receive(controlBytes('rejectReq', { systemBytes: wire.take().header.systemBytes, byte3: 1 }))
      expect(wire.last).toMatchObject({ to: 'CONNECTING', fault: { code: 't6' }, at: 0 })
    },
  },
  {
    rule: 8,
    source: 'E37',
    says: 'Reject.req for Linktest.req ends the connection as T6 would',
    check() {
      const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } })
      wire.advance(20_000)
      wire.receive(controlBytes('rejectReq', { systemBytes: wire.take().header.systemBytes, byte3: 1 }))
      expect(wire.last).toMatchObject({ fault: { code: 'linktest_timeout' }, at: 20_000 })
    },
  },
]
