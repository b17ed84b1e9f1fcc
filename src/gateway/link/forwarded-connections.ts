import type { ListenError, Listeners, Place } from '../../hsms/tcp/listener.js'
import { PortBinding } from '../../hsms/tcp/port-binding.js'
import { Relay } from '../../hsms/tcp/relay.js'
import { endpointsOf } from '../../hsms/tcp/tcp-connection.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import type { Collection } from '../../store/collection.js'
import type { Ownership, StoreNode } from '../../store/ownership.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { ForwardingProof } from './forwarding-proof.js'

interface Parts {
  readonly ownership: Ownership
  readonly equipment: Collection<EquipmentRecord>
  readonly listeners: Listeners
  /** The local address on which connections of equipment are accepted. */
  readonly hsmsHost: string
  readonly proof: ForwardingProof
  readonly clock: Clock
}

/** Connections of one equipment that are forwarded at once: its new one may come before the end of the old one is known. */
const MAX_RELAYS = 4
/** A port that is taken now may be free later, and a store that cannot be read may be back. */
const AGAIN_MS = 10_000

/**
 * Equipment that dials in and belongs to another process: this one listens for it, too, and hands its connections on to
 * the owner, who listens on the same port of the host in its URL. While this process takes equipment, its connections are
 * closed here until its session listens: no known equipment is a stranger.
 */
export class ForwardedConnections {
  /** Connections that were closed because no owner was known or could be reached. */
  unowned = 0
  readonly #awaited = new Map<string, RemoteEquipment>()
  readonly #turn = new Mutex()
  readonly #subscriptions: (() => void)[] = []

  constructor(readonly parts: Parts) {}

  /** How many connections are forwarded at the moment. */
  get open(): number {
    return [...this.#awaited.values()].reduce((sum, { open }) => sum + open, 0)
  }

  /** Listens for the equipment of others, now and as it changes. */
  async start(): Promise<void> {
    const { ownership, equipment, clock } = this.parts
    const update = (id: string): void => {
      this.#update(id).catch(() =>
        this.#subscriptions.push(clock.at(clock.now() + AGAIN_MS, () => update(id))),
      )
    }
    this.#subscriptions.push(ownership.changed.on(update), equipment.changed.on(update))
    for (const { id } of await equipment.all()) await this.#update(id)
  }

  /** Ends every connection that is forwarded, and gives the ports back. */
  async close(): Promise<void> {
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe()
    await this.#turn.run(async () => {
      const all = [...this.#awaited.values()]
      this.#awaited.clear()
      await Promise.all(all.map((awaited) => awaited.leave()))
    })
  }

  #update(id: string): Promise<void> {
    return this.#turn.run(async () => {
      if (this.#subscriptions.length === 0) return
      const record = await this.parts.equipment.get(id)
      const wanted = record?.enabled ? awaitedOf(record) : undefined
      const awaited = this.#awaited.get(id)
      if (awaited && wanted && awaited.isAt(wanted)) return awaited.ownerChanged()
      this.#awaited.delete(id)
      if (awaited) await awaited.leave()
      if (!wanted) return
      this.#awaited.set(id, new RemoteEquipment(wanted, this.parts, () => this.unowned++))
    })
  }
}

/** An equipment that dials in, and from where. */
interface Awaited {
  readonly id: string
  readonly ip_address: string
  readonly port: number
}

/** Undefined where it does not dial in, or is tapped: the two connections of a tap end in one daemon. */
function awaitedOf({ id, mode, ip_address, port, tap }: EquipmentRecord): Awaited | undefined {
  return mode === 'passive' || tap || ip_address === null || port === null
    ? undefined
    : { id, ip_address, port }
}

/** An equipment that dials in and belongs to another process. */
class RemoteEquipment {
  readonly #binding: PortBinding
  /** Each with the process that it leads to. */
  readonly #relays = new Map<Relay, string>()
  #cancelListenAgain: Cancel = () => {}

  constructor(
    readonly record: Awaited,
    readonly parts: Parts,
    readonly notServed: () => void,
  ) {
    this.#binding = new PortBinding(parts.listeners)
    this.#listen()
  }

  get open(): number {
    return this.#relays.size
  }

  isAt({ ip_address, port }: Awaited): boolean {
    return this.record.ip_address === ip_address && this.record.port === port
  }

  /** The equipment dials again, and reaches the new owner, when its connection to the old one is closed. */
  ownerChanged(): void {
    const owner = this.#owner?.id
    for (const [relay, to] of this.#relays) if (to !== owner) relay.end()
  }

  async leave(): Promise<void> {
    this.#cancelListenAgain()
    for (const relay of this.#relays.keys()) relay.end()
    await this.#binding.leave()
  }

  get #owner(): StoreNode | undefined {
    return this.parts.ownership.ownerOf(this.record.id)
  }

  #listen(): void {
    const { hsmsHost: host, clock } = this.parts
    const { port, ip_address: peer } = this.record
    const take: Place['take'] = (socket, { endpoints = endpointsOf(socket), isProven = false }) => {
      const owner = this.#owner
      const host = owner && owner.id !== this.parts.ownership.self ? hostOf(owner) : undefined
      // What was forwarded once is not forwarded again: two processes may each take the other one for the owner.
      if (!owner || host === undefined || isProven || this.#relays.size >= MAX_RELAYS) {
        this.notServed()
        socket.destroy()
        return true
      }
      const header = this.parts.proof.header(endpoints, owner.id)
      const relay = new Relay(socket, { host, port, header }, clock)
      this.#relays.set(relay, owner.id)
      void relay.ended.then((isReached) => {
        this.#relays.delete(relay)
        if (!isReached) this.notServed()
      })
      return true
    }
    const refused = (_: ListenError): void => {
      this.#cancelListenAgain = clock.at(clock.now() + AGAIN_MS, () => this.#listen())
    }
    this.#binding.take({ host, port, peer, take, surplus: () => {}, isSpare: true }, () => {}, refused)
  }
}

/** Where a process listens; undefined where it has not said so. */
const hostOf = ({ url }: StoreNode): string | undefined =>
  url !== null && URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined
