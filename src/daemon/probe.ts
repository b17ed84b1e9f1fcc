import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import type { Clock } from '../kit/clock.js'

/** How long one question may take, in milliseconds. */
const PATIENCE = 2_000

/** True when a daemon at `url` says that it is ready. The certificate is not looked at: nothing is told to it. */
export function isReady(url: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const target = new URL('/readyz', url)
    const answered = (status: number | undefined): void => {
      cancel()
      resolve(status === 200)
    }
    const request =
      target.protocol === 'https:'
        ? getSecure(target, { rejectUnauthorized: false, agent: false })
        : getPlain(target, { agent: false })
    const cancel = clock.at(clock.now() + PATIENCE, () => request.destroy(new Error('no answer')))
    request.once('response', (response) => {
      response.resume()
      answered(response.statusCode)
    })
    request.once('error', () => answered(undefined))
  })
}
