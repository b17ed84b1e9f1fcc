import type { Clock } from '../kit/clock.js'

/** How long one question may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000

/**
 * `absent`: no process listens there. `silent`: one does, and does not respond. `storeless`: it responds, and its disk or
 * database fails: what only reads may work. `other`: it responds as no gateway does.
 */
export type Readiness = 'ready' | 'storeless' | 'silent' | 'other' | 'absent'

const BY_STATUS: Readonly<Record<number, Readiness>> = { 200: 'ready', 503: 'storeless' }

/** Whether a daemon at `url` is ready. The certificate is not checked, since nothing secret is sent. */
export async function readinessOf(url: string, clock: Clock): Promise<Readiness> {
  const target = new URL('/readyz', url)
  // Loaded here: most commands start without.
  const { get } = target.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve) => {
    const found = (readiness: Readiness): void => {
      cancel()
      resolve(readiness)
    }
    const request = get(target, { rejectUnauthorized: false, agent: false })
    const cancel = clock.at(clock.now() + ANSWER_TIMEOUT_MS, () => {
      found('silent')
      request.destroy()
    })
    request.once('response', (response) => {
      response.resume()
      found(BY_STATUS[response.statusCode ?? 0] ?? 'other')
    })
    request.on('error', () => found('absent'))
  })
}
