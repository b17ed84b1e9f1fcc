import type { Clock } from '../kit/clock.js'

/** How long one question may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000

/** `absent`: nobody listens there. `silent`: somebody does, and says nothing, or not that it is ready. */
export type Readiness = 'ready' | 'silent' | 'absent'

/** What a daemon at `url` says of itself. The certificate is not looked at: nothing is told to it. */
export async function readinessOf(url: string, clock: Clock): Promise<Readiness> {
  const target = new URL('/readyz', url)
  // Loaded when there is somebody to ask: most commands start without.
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
      found(response.statusCode === 200 ? 'ready' : 'silent')
    })
    request.on('error', () => found('absent'))
  })
}
