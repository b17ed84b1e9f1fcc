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

/** The messages with a code in byte 3: what it is called, and the meaning of each value. */
const CODES: Partial<Record<SType, readonly [name: string, meanings: Readonly<Record<number, string>>]>> = {
  selectRsp: [
    'status',
    {
      [SELECT_STATUS.done]: 'done',
      [SELECT_STATUS.alreadyActive]: 'already active',
      [SELECT_STATUS.notReady]: 'not ready',
      [SELECT_STATUS.exhausted]: 'exhausted: it has no connection to spare',
    },
  ],
  deselectRsp: [
    'status',
    {
      [DESELECT_STATUS.done]: 'done',
      [DESELECT_STATUS.notEstablished]: 'not established',
      [DESELECT_STATUS.busy]: 'busy',
    },
  ],
  rejectReq: [
    'reason',
    {
      [REJECT_REASON.sType]: 'SType not supported',
      [REJECT_REASON.pType]: 'PType not supported',
      [REJECT_REASON.transactionNotOpen]: 'transaction not open',
      [REJECT_REASON.notSelected]: 'not selected',
    },
  ],
}

/** The meaning of a status or reason. */
export const codeMeaning = (type: 'selectRsp' | 'deselectRsp' | 'rejectReq', code: number): string =>
  CODES[type]?.[1][code] ?? UNKNOWN

export const selectStatusText = (status: number): string => codeMeaning('selectRsp', status)

export const rejectText = (reason: number): string => codeMeaning('rejectReq', reason)

/** What byte 3 of a control message says; undefined where it says nothing. */
export function codeText(type: SType, code: number): string | undefined {
  const [name, meanings] = CODES[type] ?? []
  return meanings && `${name} ${code}: ${meanings[code] ?? UNKNOWN}`
}
