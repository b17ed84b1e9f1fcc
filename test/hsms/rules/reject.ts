import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, HsmsWire } from '../../support/hsms-wire.js'
import { outcomes, type Rule, reject } from './rule.js'
import { SELECTED, UNSELECTED } from './states.js'

/** Rules 7 and 8: what we refuse, and what is refused of ours. */
export const REJECT_RULES: readonly Rule[] = [
  ...[...UNSELECTED, ...SELECTED].map(({ how, wire: made }) => ({
    rule: 7,
    source: 'E37',
    says: `SType 8 and each of 10 to 255 gets Reject 1 while ${how}, with and without a body`,
    check() {
      const wire = made()
      const { state, deadline } = wire.protocol
      const unknown = [8, ...Array.from({ length: 246 }, (_, at) => 10 + at)]
      for (const sType of unknown) {
        wire.receive(controlBytes(sType, { sessionId: sType, systemBytes: 12 }))
        const refused = wire.take()
        expect(refused).toEqual(reject(sType, 1, 12))
        expect(refused.header.sessionId).toBe(sType)
        wire.receive(controlBytes(sType, { systemBytes: 13 }, Uint8Array.of(1, 0)))
        expect(wire.take()).toEqual(reject(sType, 1, 13))
      }
      expect(wire.protocol).toMatchObject({ state, deadline })
    },
  })),
  {
    rule: 7,
    source: 'E37',
    says: 'each PType of 1 to 255 gets Reject 2, whatever the SType, and nothing else is done',
    check() {
      const wire = HsmsWire.selected('passive')
      for (let pType = 1; pType <= 255; pType += 1) {
        const sType = pType === STYPE.rejectReq ? STYPE.data : pType
        wire.receive(controlBytes(sType, { pType, systemBytes: 12 }))
        expect(wire.take()).toEqual(reject(pType, 2, 12))
      }
      expect(wire.of('received')).toEqual([])
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
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
    says: 'Select.rsp with a body does not answer ours: T6 goes on',
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('selectRsp', { systemBytes }, Uint8Array.of(0)))
      expect(wire.take()).toEqual(reject(STYPE.selectRsp, 1, systemBytes))
      wire.advance(5_000)
      expect(wire.last).toMatchObject({ from: 'NOT_SELECTED', fault: { code: 't6' } })
    },
  },
  {
    rule: 7,
    source: 'E37',
    says: 'a response that comes twice gets Reject 3 the second time',
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      const response = controlBytes('selectRsp', { systemBytes })
      wire.receive(response, response)
      expect(wire.take()).toEqual(reject(STYPE.selectRsp, 3, systemBytes))
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
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
    says: 'Reject.req ends our primary with any reason of 0 to 255, and comes to nothing for what is not open',
    check() {
      const wire = HsmsWire.selected('active')
      const reserved = wire.protocol.reserve()
      for (let reason = 0; reason <= 255; reason += 1) {
        const systemBytes = wire.request()
        const refusal = controlBytes('rejectReq', { systemBytes, byte3: reason })
        wire.receive(refusal, refusal, controlBytes('rejectReq', { systemBytes: reserved ?? 0 }))
        expect(outcomes(wire).at(-1)).toEqual({ kind: 'rejected', reason })
      }
      expect(outcomes(wire)).toHaveLength(256)
      expect(wire.protocol.deadline).toBeUndefined()
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
