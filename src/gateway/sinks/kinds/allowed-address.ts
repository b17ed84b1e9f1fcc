import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { IpNetworks } from '../../../kit/ip-networks.js'

export type Lookup = typeof systemLookup

/** As `net.connect` calls it. */
type LookupFunction = (
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
) => void

/** This machine, its link, and where clouds answer questions about it. */
const LOCAL = new IpNetworks([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['::/96', 'fe80::/10', 'fd00:ec2::254'],
])

class LocalTarget extends Error {
  override readonly name = 'LocalTarget'
}

/** Why a connection to this address is refused; undefined where it is not, and for what is no address. */
export function allowedAddress(host: string): LocalTarget | undefined {
  const address = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!LOCAL.has(address)) return undefined
  return new LocalTarget(`${address} is a local address: the daemon has to run with --allow-local-sinks`)
}

/**
 * Looks up a name for a connection, which is made to the addresses that this function gives and to no others: a name
 * that changes its addresses between a check and the connection cannot deceive it.
 */
export const lookupAllowed =
  (lookup: Lookup = systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = error ?? addresses.map(({ address }) => allowedAddress(address)).find(Boolean)
      const [first] = addresses ?? []
      if (refused || !first) return callback(refused ?? new LocalTarget(`${hostname} has no address`), [])
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
