import { IpNetworks } from '../../kit/ip-networks.js'

/** Where no equipment can be: nowhere, on the link alone (cloud machines have their credentials there), many, or all. */
const IMPOSSIBLE = new IpNetworks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255',
  '::',
  'fe80::/10',
  'ff00::/8',
])

export interface PermittedNetworks {
  /** The networks that equipment may be in; any when left out. A record may be older than they are. */
  readonly equipmentNetworks?: IpNetworks | undefined
}

export interface EquipmentPlaces extends PermittedNetworks {
  /** The address on which equipment that dials in is awaited. */
  readonly hsmsHost: string
}

/** Why equipment may not be at `address`; undefined where it may. `permitted`: anywhere when left out. */
export function addressFault(address: string, permitted?: IpNetworks): string | undefined {
  if (IMPOSSIBLE.has(address)) {
    return `${address} cannot be equipment: it is an unspecified, link-local, multicast or broadcast address`
  }
  if (permitted && !permitted.has(address)) {
    return `${address} is not in the networks that equipment may be in (${permitted.networks.join(', ')})`
  }
  return undefined
}
