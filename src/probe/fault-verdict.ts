import type { Fault } from '../hsms/fault.js'
import { protocolOf, saysSecs1 } from '../hsms/first-bytes.js'
import type { Found, Verdict } from './finding.js'

const FOUND_AFTER: { readonly [Code in Fault['code']]?: Found } = {
  connection_refused: 'refused',
  no_route: 'no_route',
  connect_timeout: 'nothing',
  t6: 'silent',
  t7: 'silent',
  t8: 'other_protocol',
}

/** Why a dial failed, or a connection ended before it was selected. */
export const faultVerdict = ({ code, detail }: Fault): Verdict => ({
  found: FOUND_AFTER[code] ?? 'closes',
  detail,
})

/** A control message of HSMS has ten bytes. */
const HSMS_CONTROL = '0000000a'

/** The verdict on a peer that begins with bytes that are not those of the protocol that was expected. */
export function bytesVerdict(first: Uint8Array, expected: 'HSMS' | 'SECS-I' = 'HSMS'): Verdict {
  const hex = Buffer.from(first.subarray(0, 8)).toString('hex')
  if (expected === 'HSMS' && saysSecs1(first))
    return { found: 'secs1', detail: 'the peer speaks SECS-I, not HSMS' }
  if (expected === 'SECS-I' && hex.startsWith(HSMS_CONTROL))
    return { found: 'hsms', detail: 'the peer speaks HSMS, not SECS-I' }
  const protocol = protocolOf(first)
  if (protocol === 'Telnet')
    return { found: 'telnet', detail: 'the peer begins with a negotiation of Telnet (RFC 854)' }
  const what = protocol === undefined ? `begins with the bytes 0x${hex}` : `speaks ${protocol}`
  return { found: 'other_protocol', detail: `the peer ${what}, which is not ${expected}` }
}
