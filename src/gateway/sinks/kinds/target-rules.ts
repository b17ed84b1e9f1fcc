import { X509Certificate } from 'node:crypto'
import { Problem } from '../../../contract/errors.js'
import { allowedAddress } from './allowed-address.js'
import type { SinkWorld } from './kind.js'

export const invalid = (pointer: string, detail: string): Problem =>
  new Problem('invalid_request', `${pointer.slice(1)} ${detail}.`, { errors: [{ pointer, detail }] })

/** Refuses a URL and its authorities. `protocols` as a URL has them, such as `https:`. */
export function refuseUrl(
  pointer: string,
  { url: given, ca }: { readonly url: string; readonly ca?: string },
  protocols: readonly string[],
  world: Pick<SinkWorld, 'localTargets'>,
): void {
  const at = `${pointer}/url`
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url?.hostname || !protocols.includes(url.protocol))
    throw invalid(at, `is not a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`)
  if (url.username || url.password) throw invalid(at, 'may not have a user or a password')
  // As responses show it: a client may send back what it has read.
  if (url.search === '?...') throw invalid(at, 'lacks its query, which responses leave out')
  refuseHost(at, url.hostname, world)
  refuseAuthorities(pointer, ca)
}

export function refuseHost(
  pointer: string,
  host: string,
  { localTargets }: Pick<SinkWorld, 'localTargets'>,
): void {
  const local = allowedAddress(host === 'localhost' ? '127.0.0.1' : host)
  if (local && !localTargets) throw invalid(pointer, `is refused: ${local.message}`)
}

export function refuseAuthorities(pointer: string, ca: string | undefined): void {
  if (ca === undefined) return
  try {
    new X509Certificate(ca)
  } catch {
    throw invalid(`${pointer}/ca`, 'is not a certificate in PEM')
  }
}

/** The secret of a broker is a password. */
export const refusePassword =
  (kind: string) =>
  (_: string, { user }: { readonly user?: string }): void => {
    if (user === undefined) throw invalid('/secret', `needs ${kind}.user, whose password it is`)
  }

/** Default ports of brokers. `URL` leaves out the default port of HTTP by itself, so its destinations have none. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 }

export function urlDestinations({ url }: { readonly url: string }): readonly string[] {
  const { protocol, hostname, port } = new URL(url)
  return [`${protocol}//${hostname}:${port || (DEFAULT_PORTS[protocol] ?? '')}`]
}
