import { Listeners } from '../../hsms/tcp/listener.js'
import { ProxyHeaders } from '../../hsms/tcp/proxy-headers.js'
import type { Clock } from '../../kit/clock.js'
import { IpNetworks } from '../../kit/ip-networks.js'
import type { Collection } from '../../store/collection.js'
import type { Ownership } from '../../store/ownership.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import { ForwardedConnections } from './forwarded-connections.js'
import { ForwardingProof } from './forwarding-proof.js'

/** How connections of equipment that dials in are accepted. */
export interface HsmsPortOptions {
  /** The local address on which connections from active equipment are accepted. */
  readonly hsmsHost: string
  /** TCP balancers: what connects from there has to begin with a header of the PROXY protocol. None when left out. */
  readonly hsmsProxies?: IpNetworks | undefined
  /** A connection was closed because of its header. */
  readonly headerRefused?: (remote: string, detail: string) => void
  /** The key that all processes of the site share; left out, connections are not forwarded to another process. */
  readonly siteKey?: Uint8Array
}

interface Parts extends HsmsPortOptions {
  readonly ownership: Ownership
  readonly equipment: Collection<EquipmentRecord>
  readonly clock: Clock
  /** The time of the store, which all processes of the site share, in milliseconds since 1970. */
  readonly time: { now(): number }
}

/** The ports on which this process listens for equipment that dials in, its own and that of other processes. */
export class HsmsPorts {
  readonly listeners: Listeners
  /** Undefined where no other process can work on the store. */
  readonly forwarded: ForwardedConnections | undefined

  constructor({ siteKey, hsmsProxies, headerRefused, time, ...parts }: Parts) {
    const { ownership, clock } = parts
    const { self } = ownership
    const proof = self === null || !siteKey ? undefined : new ForwardingProof(siteKey, time)
    const headers = new ProxyHeaders({
      clock,
      proxies: hsmsProxies ?? new IpNetworks([]),
      ...(headerRefused && { refused: headerRefused }),
      ...(self !== null && proof && { proofFault: (header, bytes) => proof.fault(header, bytes, self) }),
    })
    this.listeners = new Listeners(headers)
    this.forwarded = proof && new ForwardedConnections({ ...parts, listeners: this.listeners, proof })
  }

  /** Connections that were closed at once, by the reason why. */
  get refused() {
    const { strangers, surplus, headers } = this.listeners
    return { strangers, surplus, headers: headers?.refused ?? 0, unowned: this.forwarded?.unowned ?? 0 }
  }

  /** How many connections are forwarded to other processes at the moment. */
  get forwardedConnections(): number {
    return this.forwarded?.open ?? 0
  }
}
