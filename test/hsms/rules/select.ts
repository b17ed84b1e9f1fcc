import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { SETTINGS } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire } from '../../support/hsms-wire.js'
import { outcomes, type Rule } from './rule.js'

/** Rules 1 to 3: Select and Deselect. */
export const SELECT_RULES: readonly Rule[] = [
  {
    rule: 1,
    source: 'E37.1',
    says: 'the active side selects as soon as TCP is up, with session ID 0xFFFF',
    check() {
      const frame = HsmsWire.connected('active').take()
      expect(frame.header).toMatchObject({ sType: STYPE.selectReq, sessionId: 0xffff, byte2: 0, byte3: 0 })
    },
  },
  {
    rule: 1,
    source: 'E37.1',
    says: 'the passive side never selects',
    check() {
      const wire = HsmsWire.connected('passive').advance(9_999)
      expect(wire.written()).toEqual([])
      expect(wire.protocol.state).toBe('NOT_SELECTED')
    },
  },
  {
    rule: 1,
    source: 'ours',
    says: 'control messages carry the session ID that the record gives',
    check() {
      const wire = HsmsWire.connected('active', { controlSessionId: 7 })
      const { header } = wire.take()
      expect(header.sessionId).toBe(7)
      wire.receive(controlBytes('selectRsp', header))
      wire.feed({ kind: 'stop' })
      expect(wire.take().header).toMatchObject({ sType: STYPE.separateReq, sessionId: 7 })
    },
  },
  {
    rule: 1,
    source: 'E37',
    says: 'any session ID in a control message is taken, and echoed with the system bytes',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(controlBytes('selectReq', { sessionId: 3, systemBytes: 0xfffffffe }))
      expect(wire.take().header).toEqual({
        sessionId: 3,
        byte2: 0,
        byte3: 0,
        pType: 0,
        sType: STYPE.selectRsp,
        systemBytes: 0xfffffffe,
      })
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 1,
    source: 'E37',
    says: 'data behind Select.req in the same segment is taken',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(controlBytes('selectReq'), dataBytes({ systemBytes: 9 }))
      expect(wire.of('received')).toMatchObject([
        { received: { kind: 'primary', message: { systemBytes: 9 } } },
      ])
      expect(wire.take().header.sType).toBe(STYPE.selectRsp)
    },
  },
  {
    rule: 1,
    source: 'E37',
    says: 'data behind Select.rsp in the same segment is taken',
    check() {
      const wire = HsmsWire.connected('active')
      wire.receive(controlBytes('selectRsp', { systemBytes: wire.take().header.systemBytes }), dataBytes())
      expect(wire.of('received')).toHaveLength(1)
      expect(wire.written()).toEqual([])
    },
  },
  {
    rule: 1,
    source: 'E37',
    says: 'SELECTED holds before Select.rsp leaves',
    check() {
      const outputs = HsmsWire.connected('passive').receive(controlBytes('selectReq'))
      expect(outputs.map(({ kind }) => kind)).toEqual(['changed', 'write'])
    },
  },
  {
    rule: 2,
    source: 'E37',
    says: 'a Select.req to a selected entity gets status 1 and changes nothing',
    check() {
      const wire = HsmsWire.selected('passive')
      const open = wire.request()
      wire.written()
      wire.receive(controlBytes('selectReq', { systemBytes: 8 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.selectRsp, byte3: 1, systemBytes: 8 })
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
      expect(outcomes(wire)).toMatchObject([{ kind: 'replied' }])
    },
  },
  ...([0, 1] as const).map((status) => ({
    rule: 2,
    source: 'E37',
    says: `a Select.req that crosses ours is answered 0, and status ${status} to ours is success`,
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('selectReq', { systemBytes: 77 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.selectRsp, byte3: 0, systemBytes: 77 })
      wire.receive(controlBytes('selectRsp', { systemBytes, byte3: status }))
      wire.advance(60_000)
      expect(wire.protocol.state).toBe('SELECTED')
      expect(wire.of('changed').filter(({ to }) => to === 'SELECTED')).toHaveLength(1)
    },
  })),
  ...[2, 3, 255].map((status) => ({
    rule: 2,
    source: 'ours',
    says: `status ${status} to ours ends the connection, also where one that crossed it was answered 0`,
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('selectReq'), controlBytes('selectRsp', { systemBytes, byte3: status }))
      expect(wire.last).toMatchObject({ from: 'SELECTED', fault: { code: 'select_refused' } })
    },
  })),
  {
    rule: 2,
    source: 'E37',
    says: 'one that crosses ours does not answer it: T6 goes on',
    check() {
      const wire = HsmsWire.connected('active')
      wire.receive(controlBytes('selectReq'))
      wire.advance(4_999)
      expect(wire.protocol.state).toBe('SELECTED')
      wire.advance(5_000)
      expect(wire.last).toMatchObject({ from: 'SELECTED', fault: { code: 't6' }, at: 5_000 })
    },
  },
  {
    rule: 2,
    source: 'E37',
    says: 'status 1 to ours is no success when the peer has deselected meanwhile',
    check() {
      const wire = HsmsWire.connected('active')
      const { systemBytes } = wire.take().header
      wire.receive(controlBytes('selectReq'), controlBytes('deselectReq'))
      wire.receive(controlBytes('selectRsp', { systemBytes, byte3: 1 }))
      expect(wire.last).toMatchObject({ from: 'NOT_SELECTED', fault: { code: 'select_refused' } })
    },
  },
  {
    rule: 2,
    source: 'E37',
    says: 'a Select.req to a selected active side gets status 1, and its linktest comes when it was to come',
    check() {
      const wire = HsmsWire.selected('active', { timers: { ...SETTINGS.timers, linktest: 20_000 } })
      wire.advance(19_999)
      wire.receive(controlBytes('selectReq', { systemBytes: 8 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.selectRsp, byte3: 1, systemBytes: 8 })
      wire.advance(20_000)
      expect(wire.take().header.sType).toBe(STYPE.linktestReq)
    },
  },
  ...[1, 2, 3, 4, 255].map((status) => ({
    rule: 2,
    source: 'E37',
    says: `Select.rsp with status ${status} ends the connection`,
    check() {
      const wire = HsmsWire.connected('active')
      wire.receive(controlBytes('selectRsp', { systemBytes: wire.take().header.systemBytes, byte3: status }))
      expect(wire.last).toMatchObject({ to: 'CONNECTING', fault: { code: 'select_refused' } })
      expect(wire.of('close')).toHaveLength(1)
    },
  })),
  {
    rule: 3,
    source: 'E37',
    says: 'Deselect.req while selected is answered 0, and data then gets Reject 4 until it is selected again',
    check() {
      const wire = HsmsWire.selected('passive')
      wire.receive(controlBytes('deselectReq', { systemBytes: 5 }), dataBytes({ systemBytes: 6 }))
      expect(wire.written()).toMatchObject([
        { header: { sType: STYPE.deselectRsp, byte3: 0, systemBytes: 5 } },
        { header: { sType: STYPE.rejectReq, byte3: 4, systemBytes: 6 } },
      ])
      expect(wire.protocol.state).toBe('NOT_SELECTED')
      wire.receive(controlBytes('selectReq'), dataBytes({ systemBytes: 7 }))
      expect(wire.of('received')).toMatchObject([{ received: { message: { systemBytes: 7 } } }])
    },
  },
  ...(['active', 'passive'] as const).map((role) => ({
    rule: 3,
    source: 'E37',
    says: `after a Deselect T7 runs on the ${role} side, and open requests are lost`,
    check() {
      const wire = HsmsWire.selected(role)
      wire.request()
      wire.advance(1_000)
      wire.receive(controlBytes('deselectReq'))
      expect(outcomes(wire)).toEqual([{ kind: 'lost' }])
      wire.advance(10_999)
      expect(wire.protocol.state).toBe('NOT_SELECTED')
      wire.advance(11_000)
      expect(wire.last).toMatchObject({ from: 'NOT_SELECTED', fault: { code: 't7' }, at: 11_000 })
    },
  })),
  {
    rule: 3,
    source: 'E37',
    says: 'the reply to what was open before Deselect.req gets Reject 4',
    check() {
      const wire = HsmsWire.selected('active')
      const open = wire.request()
      wire.receive(controlBytes('deselectReq'))
      wire.written()
      wire.receive(dataBytes({ function: 2, wait: false, systemBytes: open }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.rejectReq, byte3: 4, systemBytes: open })
      expect(outcomes(wire)).toEqual([{ kind: 'lost' }])
    },
  },
  {
    rule: 3,
    source: 'E37',
    says: 'T7 begins with Deselect.req and ends with the next Select',
    check() {
      const wire = HsmsWire.selected('passive').advance(50_000)
      wire.receive(controlBytes('deselectReq'), controlBytes('deselectReq', { systemBytes: 6 }))
      expect(wire.written().map(({ header }) => header.byte3)).toEqual([0, 1])
      wire.advance(59_999)
      wire.receive(controlBytes('selectReq'))
      wire.advance(1_000_000)
      expect(wire.protocol.state).toBe('SELECTED')
    },
  },
  {
    rule: 3,
    source: 'ours',
    says: 'we never deselect, and never select again on the same connection',
    check() {
      const wire = HsmsWire.selected('active')
      wire.receive(controlBytes('deselectReq'))
      wire.written()
      wire.advance(9_999)
      expect(wire.written()).toEqual([])
    },
  },
  {
    rule: 3,
    source: 'E37',
    says: 'Deselect.req while not selected is answered 1 and changes nothing',
    check() {
      const wire = HsmsWire.connected('passive')
      wire.receive(controlBytes('deselectReq', { systemBytes: 5 }))
      expect(wire.take().header).toMatchObject({ sType: STYPE.deselectRsp, byte3: 1, systemBytes: 5 })
      expect(wire.protocol.deadline).toBe(10_000)
    },
  },
]
