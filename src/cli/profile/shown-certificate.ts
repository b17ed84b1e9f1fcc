import { connect } from 'node:tls'

/** The certificate that a server shows, whether or not it is trusted. */
export interface ShownCertificate {
  readonly subject: string
  /** SHA-256, in hexadecimal with colons. */
  readonly fingerprint: string
}

/** Milliseconds for the look at a server that has failed already. */
const LIMIT_MS = 2000

/** What the server at this URL shows where it speaks TLS; undefined where it does not, or takes too long. */
export async function shownCertificate(url: string): Promise<ShownCertificate | undefined> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    // Nothing is sent over this connection.
    const socket = connect({
      host,
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      rejectUnauthorized: false,
      ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
    })
    const end = (found?: ShownCertificate): void => {
      resolve(found)
      socket.destroy()
    }
    socket.setTimeout(LIMIT_MS, () => end())
    socket.once('error', () => end())
    socket.once('secureConnect', () => {
      const { subject, fingerprint256 } = socket.getPeerCertificate()
      end(fingerprint256 ? { subject: String(subject?.CN ?? ''), fingerprint: fingerprint256 } : undefined)
    })
  })
}
