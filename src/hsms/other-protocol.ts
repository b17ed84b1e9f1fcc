const ENQ = 0x05
const TLS_HANDSHAKE = 0x16
const TLS_MAJOR = 0x03

/** How HTTP requests and answers begin. */
const HTTP = new Set(['GET ', 'PUT ', 'PRI ', 'POST', 'HEAD', 'HTTP', 'OPTI', 'DELE', 'PATC', 'CONN', 'TRAC'])

/**
 * The protocol of a peer that begins with these one to four bytes; undefined when they do not show it. HSMS
 * begins with a length, so the caller asks only when they cannot be one.
 */
export function otherProtocol(first: Uint8Array): string | undefined {
  if (first[0] === ENQ) return 'SECS-I' // it asks for the line before anything else (SEMI E4)
  if (first.length < 4) return undefined
  if (first[0] === TLS_HANDSHAKE && first[1] === TLS_MAJOR) return 'TLS'
  if (!first.every((byte) => byte >= 0x20 && byte < 0x7f)) return undefined
  const text = Buffer.from(first).toString('latin1')
  return HTTP.has(text) ? 'HTTP' : `text ("${text}")`
}
