import { protocolOf } from '../hsms/first-bytes.js'

/** An HSMS message begins with its length, and a control message has ten bytes. */
const HSMS_CONTROL = [0, 0, 0, 10]
/** "Interpret as command", and the requests that follow it (RFC 854). */
const TELNET = { iac: 0xff, firstRequest: 0xfb } as const

/** What a peer speaks that begins with these bytes, which SECS-I gives no meaning; undefined when they do not show it. */
export function otherSpeech(first: Uint8Array): string | undefined {
  const [byte, next] = first
  if (byte === TELNET.iac && next !== undefined && next >= TELNET.firstRequest)
    return 'the terminal server is in Telnet mode: set it to raw TCP'
  if (first.length < HSMS_CONTROL.length) return undefined
  if (HSMS_CONTROL.every((expected, at) => first[at] === expected)) return 'the peer speaks HSMS, not SECS-I'
  const protocol = protocolOf(first)
  return protocol && protocol !== 'SECS-I' ? `the peer speaks ${protocol}, not SECS-I` : undefined
}
