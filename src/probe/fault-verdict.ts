import type { Fault } from '../hsms/fault.js'
import type { Verdict } from './finding.js'
import { protocolOf, saysSecs1 } from './first-bytes.js'

/** Why a dial failed, or a connection ended before it was selected. */
export function faultVerdict({ code, detail }: Fault): Verdict {
  switch (code) {
    case 'connection_refused':
      return { found: 'refused', detail }
    case 'no_route':
      return { found: 'no_route', detail }
    case 'connect_timeout':
      return { found: 'nothing', detail }
    case 't6':
    case 't7':
      return { found: 'silent', detail }
    case 't8':
      return { found: 'other_protocol', detail }
    default:
      return { found: 'closes', detail }
  }
}

/** The verdict on a peer that begins with bytes that are not HSMS. */
export function bytesVerdict(first: Uint8Array): Verdict {
  if (saysSecs1(first)) return { found: 'secs1', detail: 'the peer speaks SECS-I, not HSMS' }
  const protocol = protocolOf(first)
  const hex = Buffer.from(first.subarray(0, 8)).toString('hex')
  const what = protocol === undefined ? `begins with the bytes 0x${hex}` : `speaks ${protocol}`
  return { found: 'other_protocol', detail: `the peer ${what}, which is not HSMS` }
}
