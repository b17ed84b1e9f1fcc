import type { Clock } from '../../kit/clock.js'
import type { FormatTime } from '../output/local-time.js'
import { type Finding, inArea } from './finding.js'

const area = inArea('server')

/** Milliseconds before the expiry of a certificate from which it is noted. */
const SOON_MS = 30 * 24 * 60 * 60_000
const CONNECT_TIMEOUT_MS = 3_000
/** As `URL` writes it, without brackets. */
const IP_ADDRESS = /^[\d.]+$|:/
const RENEW = 'kill -HUP "$(secsctl daemon status --json | jq .pid)"'

/** When the certificate of the server expires, whether or not it is trusted; none without TLS, and where none is shown. */
export async function certificateFindings(
  url: string,
  clock: Clock,
  formatTime: FormatTime,
): Promise<readonly Finding[]> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:') return []
  const expires = await expiryAt(hostname.replace(/^\[|\]$/g, ''), Number(port || 443))
  if (expires === undefined) return []
  return [expiryFinding(expires, clock, formatTime)]
}

/** `expires`: as a certificate has it. */
export function expiryFinding(expires: string, clock: Clock, formatTime: FormatTime): Finding {
  const left = Date.parse(expires) - clock.date().getTime()
  const text = formatTime(new Date(expires).toISOString())
  if (left <= 0) return area.wrong('access', 'certificate', `it has expired: ${text}`, RENEW)
  if (left < SOON_MS) return area.note('certificate', `it expires soon: ${text}`, RENEW)
  return area.ok('certificate', `until ${text}`)
}

async function expiryAt(host: string, port: number): Promise<string | undefined> {
  const { connect } = await import('node:tls')
  return new Promise((resolve) => {
    // Nothing is sent, so it need not be trusted.
    const socket = connect({
      host,
      port,
      rejectUnauthorized: false,
      timeout: CONNECT_TIMEOUT_MS,
      ...(!IP_ADDRESS.test(host) && { servername: host }),
    })
    const end = (expires?: string): void => {
      socket.destroy()
      resolve(expires)
    }
    socket.once('secureConnect', () => end(socket.getPeerCertificate().valid_to))
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })
}
