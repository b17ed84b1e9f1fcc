import { spawn } from 'node:child_process'
import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Problem } from '../../contract/errors.js'
import type { DeviceSignOn, SignOnLogin } from '../../contract/topics/accounts/sign-on.js'
import { delay } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { visible } from '../../kit/text/visible-text.js'
import type { Environment } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { isUnreachable } from '../errors/report.js'
import type { SessionCommand } from '../session-command.js'
import type { Found, Server, Session } from './server.js'

/** Signs on in a browser: this one, or any other, while the command waits. */
export async function signOn(on: SessionCommand, url: string, browser: boolean): Promise<SignOnLogin> {
  const client = new GatewayClient({ url })
  const begun = await client.call(endpoints.beginDeviceSignOn, {})
  const address = begun.verification_uri_complete ?? begun.verification_uri
  // Standard output is for the result; without the address nothing goes on, in a pipe neither.
  // Both are words of the provider: a line of theirs would read as one of this command.
  on.notice(
    `Sign on in a browser, and compare the code:\n  ${visible(address)}\n  ${visible(begun.user_code)}`,
  )
  if (browser && (await openBrowser(address, on.environment))) on.notice('A browser was asked to open it.')
  return on.during('waiting for the sign-on', () => exchanged(on, client, begun))
}

async function exchanged(
  { clock }: SessionCommand,
  client: GatewayClient,
  { device_code, expires_in, interval }: DeviceSignOn,
): Promise<SignOnLogin> {
  const until = clock.now() + expires_in * 1000
  let wait = interval
  while (clock.now() + wait * 1000 < until) {
    await delay(clock, wait * 1000)
    try {
      return await client.call(endpoints.exchangeDeviceSignOn, { body: { device_code } })
    } catch (error) {
      const { code, extra } = error as Partial<Problem>
      const goesOn = code === 'sso_pending' || code === 'rate_limited' || isUnreachable(error)
      if (!goesOn) throw error
      wait = Math.max(wait, extra?.retry_after ?? 0)
    }
  }
  throw new Failure('timeout', 'nobody has signed on in time', 'secsctl login --sso')
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Asks the system to show an address. False where there is nobody to show it to, or no program that does. */
async function openBrowser(address: string, { variables, stderr, platform }: Environment): Promise<boolean> {
  const [program, ...args] = OPENERS[platform] ?? []
  const hasScreen = platform !== 'linux' || variables['DISPLAY'] || variables['WAYLAND_DISPLAY']
  const isRemote = variables['SSH_CONNECTION'] !== undefined
  if (program === undefined || !stderr.isTTY || !hasScreen || isRemote || variables['CI']) return false
  // The address comes from a gateway: only http and https addresses are given to another program.
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return false
  const child = spawn(program, [...args, new URL(address).href], { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
}

/** Exchanges the kept session for a new token, and keeps that. Throws a `Failure` for a session that has ended. */
export async function continued(session: Session, server: Server, found: Found, login: string) {
  const { session_token = '', secret } = found
  try {
    const fresh = await continuedOnly(server.url, session_token)
    const { token, expires_at } = fresh
    await session.keep(server, defined({ token, expires_at, session_token, secret }))
    return token
  } catch (error) {
    const { code, message } = error as Problem
    if (code !== 'token_revoked' && code !== 'sso_no_access' && code !== 'sso_disabled') throw error
    throw new Failure('access', message, `${login} --sso`)
  }
}

/** Exchanges a session for a new token, and keeps nothing. */
export const continuedOnly = (url: string, session_token: string, timeout?: number): Promise<SignOnLogin> =>
  new GatewayClient({ url, timeout }).call(endpoints.refreshSignOn, { body: { session_token } })

/** Ends the session at the gateway. `end_session_url`: where that at the identity provider is ended; null for nowhere. */
export async function signedOff(
  url: string,
  session_token: string,
): Promise<{ readonly end_session_url: string | null }> {
  return new GatewayClient({ url }).call(endpoints.endSignOn, { body: { session_token } })
}
