import { IpNetworks } from '../../kit/ip-networks.js'

/** Networks without equipment: unspecified, link-local (cloud metadata services), multicast, reserved, broadcast. */
const IMPOSSIBLE = new IpNetworks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::',
  'fe80::/10',
  'ff00::/8',
])

export interface PermittedNetworks {
  /** The networks that equipment may be in; any when left out. Older records may be outside them. */
  readonly equipmentNetworks?: IpNetworks | undefined
}

export interface EquipmentPlaces extends PermittedNetworks {
  /** The local address on which connections from active equipment are accepted. */
  readonly hsmsHost: string
}

/** Why equipment may not be at `address`; undefined where it may. `permitted`: anywhere when left out. */
export function addressFault(address: string, permitted?: IpNetworks): string | undefined {
  if (IMPOSSIBLE.has(address)) {
    return `${address} cannot be equipment: it is an unspecified, link-local, multicast, reserved or broadcast address`
  }
  if (permitted && !permitted.has(address)) {
    return `${address} is not in the networks that equipment may be in (${permitted.networks.join(', ')})`
  }
  return undefined
}
