import type { SType } from './frame/header.js'

/** The name of each kind of message in SEMI E37. */
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

/** The messages with a code in byte 3: the name of the code, and the meaning of each value from 0. */
const CODES: Partial<Record<SType, readonly [name: string, meanings: readonly (string | undefined)[]]>> = {
  selectRsp: ['status', ['done', 'already active', 'not ready', 'exhausted: it has no connection to spare']],
  deselectRsp: ['status', ['done', 'not established', 'busy']],
  rejectReq: [
    'reason',
    [undefined, 'SType not supported', 'PType not supported', 'transaction not open', 'not selected'],
  ],
}

/** The meaning of a status or reason. */
export const codeMeaning = (type: 'selectRsp' | 'deselectRsp' | 'rejectReq', code: number): string =>
  CODES[type]?.[1][code] ?? UNKNOWN

export const selectStatusText = (status: number): string => codeMeaning('selectRsp', status)

export const rejectText = (reason: number): string => codeMeaning('rejectReq', reason)

/** The code in byte 3 of a control message, with its meaning; undefined for a message without a code. */
export function codeText(type: SType, code: number): string | undefined {
  const [name, meanings] = CODES[type] ?? []
  return meanings && `${name} ${code}: ${meanings[code] ?? UNKNOWN}`
}
