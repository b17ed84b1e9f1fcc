import { type Header, STYPE } from '../hsms/frame/header.js'

/** Whether a session is selected after a control message (SEMI E37); undefined for one that does not change it. */
export function selectedAfter({ sType, byte3: status }: Header): boolean | undefined {
  if (sType === STYPE.separateReq) return false
  if (status !== 0) return undefined
  if (sType === STYPE.selectRsp) return true
  return sType === STYPE.deselectRsp ? false : undefined
}
