import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { allowedAddress, lookupAllowed } from './allowed-address.js'

export interface TargetAddress {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** PEM of the authorities that are trusted instead of Node's. */
  readonly ca?: string | undefined
  readonly localTargets: boolean
}

/** A connection that has begun. Throws for a local address, and fails for a name of one, unless they are allowed. */
export function connectTarget({ host, port, isTls, ca, localTargets }: TargetAddress): Socket {
  const lookup = localTargets ? {} : { lookup: lookupAllowed() }
  // A host that is an address is not looked up.
  const refused = localTargets ? undefined : allowedAddress(host)
  if (refused) throw refused
  if (!isTls) return connectTcp({ host, port, ...lookup })
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({ host, port, ...servername, ...lookup, ...(ca !== undefined && { ca }) })
}
