import type { Frame } from './frame/frame.js'
import { type Header, PTYPE_SECS2, STYPE, type SType, sTypeOf } from './frame/header.js'

/** Byte 3 of Select.rsp (SEMI E37). */
export const SELECT_STATUS = { done: 0, alreadyActive: 1, notReady: 2, exhausted: 3 } as const

/** Byte 3 of Deselect.rsp. */
export const DESELECT_STATUS = { done: 0, notEstablished: 1, busy: 2 } as const

/** Byte 3 of Reject.req. */
export const REJECT_REASON = { sType: 1, pType: 2, transactionNotOpen: 3, notSelected: 4 } as const

export type ControlType = Exclude<SType, 'data'>
export type RejectReason = (typeof REJECT_REASON)[keyof typeof REJECT_REASON]

const NO_BODY = new Uint8Array()

/** A control message: a request, or the reply to `of` with its session ID and system bytes. */
export function controlFrame(
  type: ControlType,
  of: Pick<Header, 'sessionId' | 'systemBytes'>,
  byte3 = 0,
  byte2 = 0,
): Frame {
  const { sessionId, systemBytes } = of
  const header = { sessionId, byte2, byte3, pType: PTYPE_SECS2, sType: STYPE[type], systemBytes }
  return { header, body: NO_BODY }
}

/** Reject.req names what it refuses: the PType for reason 2, else the SType. */
export function rejectFrame(refused: Header, reason: RejectReason): Frame {
  const what = reason === REJECT_REASON.pType ? refused.pType : refused.sType
  return controlFrame('rejectReq', refused, reason, what)
}

/** The reason to reject this message in any state; undefined when there is none. Reject.req is never rejected. */
export function rejectReasonOf({ header, body }: Frame): RejectReason | undefined {
  const type = sTypeOf(header.sType)
  if (type === 'rejectReq') return undefined
  if (header.pType !== PTYPE_SECS2) return REJECT_REASON.pType
  if (type === undefined) return REJECT_REASON.sType
  return type !== 'data' && body.length > 0 ? REJECT_REASON.sType : undefined
}
