import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Clock } from '../kit/clock.js'

/** How long one question may take, in milliseconds. */
const PATIENCE = 2_000

/** `absent`: nobody listens there. `silent`: somebody does, and says nothing, or not that it is ready. */
export type Readiness = 'ready' | 'silent' | 'absent'

/** What a daemon at `url` says of itself. The certificate is not looked at: nothing is told to it. */
export function readinessOf(url: string, clock: Clock): Promise<Readiness> {
  return new Promise((resolve) => {
    const target = new URL('/readyz', url)
    const found = (readiness: Readiness): void => {
      cancel()
      resolve(readiness)
    }
    const request =
      target.protocol === 'https:'
        ? getSecure(target, { rejectUnauthorized: false, agent: false })
        : getPlain(target, { agent: false })
    const cancel = clock.at(clock.now() + PATIENCE, () => {
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
