import { DESELECT_STATUS, REJECT_REASON, SELECT_STATUS } from './control.js'
import type { SType } from './frame/header.js'

/** What SEMI E37 calls each kind of message. */
export const STYPE_NAMES: Readonly<Record<SType, string>> = {
  data: 'data',
  selectReq: 'Select.req',
  selectRsp: 'Select.rsp',
  deselectReq: 'Deselect.req',
  deselectRsp: 'Deselect.rsp',
  linktestReq: 'Linktest.req',
  linktestRsp: 'Linktest.rsp',
  rejectReq: 'Reject.req',
  separateReq: 'Separate.req',
}

const UNKNOWN = 'unknown to SEMI E37'

const SELECT_WORDS: Readonly<Record<number, string>> = {
  [SELECT_STATUS.done]: 'done',
  [SELECT_STATUS.alreadyActive]: 'already active',
  [SELECT_STATUS.notReady]: 'not ready',
  [SELECT_STATUS.exhausted]: 'exhausted: it has no connection to spare',
}
const DESELECT_WORDS: Readonly<Record<number, string>> = {
  [DESELECT_STATUS.done]: 'done',
  [DESELECT_STATUS.notEstablished]: 'not established',
  [DESELECT_STATUS.busy]: 'busy',
}
const REJECT_WORDS: Readonly<Record<number, string>> = {
  [REJECT_REASON.sType]: 'SType not supported',
  [REJECT_REASON.pType]: 'PType not supported',
  [REJECT_REASON.transactionNotOpen]: 'transaction not open',
  [REJECT_REASON.notSelected]: 'not selected',
}

export const selectStatusText = (status: number): string => SELECT_WORDS[status] ?? UNKNOWN

export const rejectText = (reason: number): string => REJECT_WORDS[reason] ?? UNKNOWN

/** What byte 3 of a control message says; undefined where it says nothing. */
export function codeText(type: SType, code: number): string | undefined {
  switch (type) {
    case 'selectRsp':
      return `status ${code}: ${selectStatusText(code)}`
    case 'deselectRsp':
      return `status ${code}: ${DESELECT_WORDS[code] ?? UNKNOWN}`
    case 'rejectReq':
      return `reason ${code}: ${rejectText(code)}`
    default:
      return undefined
  }
}
