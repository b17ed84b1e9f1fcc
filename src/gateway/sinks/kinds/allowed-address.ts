import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { IpNetworks, ipv6Bytes } from '../../../kit/ip-networks.js'

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
  // AWS, Google Cloud and Oracle Cloud have the last three.
  ...['::/96', 'fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::a9fe:a9fe'],
])

/**
 * Networks of IPv6 whose addresses lead to an IPv4 address that they contain, and where it is in their sixteen bytes:
 * IPv4-mapped and translated (SIIT), NAT64 (RFC 6052, RFC 8215), 6to4 and Teredo, which has it inverted.
 */
const EMBEDDING: readonly {
  readonly network: IpNetworks
  readonly places: readonly (readonly number[])[]
  readonly mask?: number
}[] = [
  {
    network: new IpNetworks(['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96']),
    places: [[12, 13, 14, 15]],
  },
  {
    network: new IpNetworks(['64:ff9b:1::/48']),
    places: [
      [6, 7, 9, 10],
      [7, 9, 10, 11],
      [9, 10, 11, 12],
      [12, 13, 14, 15],
    ],
  },
  { network: new IpNetworks(['2002::/16']), places: [[2, 3, 4, 5]] },
  { network: new IpNetworks(['2001::/32']), places: [[12, 13, 14, 15]], mask: 0xff },
]
/** Bytes 8 to 11 of an ISATAP address, in any network: then IPv4 follows. The first may have the bit of a global one. */
const ISATAP = [0, 0, 0x5e, 0xfe]

/** The IPv4 addresses to which an IPv6 address may lead. */
function embeddedIn(address: string): string[] {
  const bytes = ipv6Bytes(address)
  if (!bytes) return []
  const at = (places: readonly number[], mask = 0): string =>
    places.map((place) => (bytes[place] ?? 0) ^ mask).join('.')
  const isIsatap = ISATAP.every(
    (byte, place) => ((bytes[8 + place] ?? 0) & (place === 0 ? 0xfd : 0xff)) === byte,
  )
  return [
    ...EMBEDDING.filter(({ network }) => network.has(address)).flatMap(({ places, mask }) =>
      places
        .map((place) => at(place, mask))
        // Of several places those that are not used are zero.
        .filter((one) => places.length === 1 || !one.startsWith('0.')),
    ),
    ...(isIsatap ? [at([12, 13, 14, 15])] : []),
  ]
}

class LocalTarget extends Error {
  override readonly name = 'LocalTarget'
}

/** Why a connection to this address is refused; undefined where it is not, and for what is no address. */
export function allowedAddress(host: string): LocalTarget | undefined {
  const [address = ''] = host.replace(/^\[|\]$/g, '').split('%')
  if (![address, ...embeddedIn(address)].some((one) => LOCAL.has(one))) return undefined
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
