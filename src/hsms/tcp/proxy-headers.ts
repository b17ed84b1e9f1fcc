import type { Socket } from 'node:net'
import type { Cancel, Clock } from '../../kit/clock.js'
import type { IpNetworks } from '../../kit/ip-networks.js'
import type { Endpoints } from '../capture/wire.js'
import { addressText, endpointText, type InternetAddress } from './internet-address.js'
import { type ProxiedConnection, type ProxyHeaderRead, readProxyHeader } from './proxy-header.js'

/** Who has made a connection. */
export interface Caller {
  readonly address: string
  /** The true ends of a connection that a proxy passes on; left out, those of the socket. */
  readonly endpoints?: Endpoints
  /** The header proves who has passed the connection on. */
  readonly isProven?: boolean
}

export interface ProxyTrust {
  readonly clock: Clock
  /** Proxies: a connection from one of them has to begin with a header. */
  readonly proxies: IpNetworks
  /**
   * Why the header does not prove who has sent it; undefined where it does. It is asked about headers with a TLV of
   * type `PROOF`, which are then believed whatever address they come from. Left out, no header is believed so.
   */
  readonly proofFault?: (header: ProxiedConnection, bytes: Uint8Array) => string | undefined
  /** A connection is closed because of its header. */
  readonly refused?: (remote: string, detail: string) => void
}

/** The TLV of a header that proves who has sent it. */
export const PROOF = 0xe0

/** From the connection to the end of its header. */
export const HEADER_TIMEOUT_MS = 5_000
const MAX_WAITING = 2048

/** Reads the headers of the PROXY protocol that connections begin with. */
export class ProxyHeaders {
  /** Connections that were closed because of their header. */
  refused = 0
  readonly #waiting: WaitingConnections

  /** `maxWaiting`: how many connections may be without their header at once. */
  constructor(
    readonly trust: ProxyTrust,
    maxWaiting = MAX_WAITING,
  ) {
    this.#waiting = new WaitingConnections(maxWaiting)
  }

  /**
   * Calls `accepted` once it is known who has made the connection, at once or later, and with nothing read that comes
   * after the header. A connection that has no right header is closed.
   */
  read(socket: Socket, remote: string, accepted: (caller: Caller) => void): void {
    const { proxies, proofFault } = this.trust
    const isProxy = proxies.has(remote)
    if (!isProxy && !proofFault) return accepted({ address: remote })
    const awaited = new AwaitedHeader(socket, this.trust.clock, (bytes, ending) => {
      const verdict = this.#verdict(remote, isProxy, bytes, ending)
      if (verdict.kind !== 'wait') this.#waiting.delete(remote, awaited)
      return verdict
    })
    this.#waiting.add(remote, awaited)
    awaited.start(accepted, (detail) => this.#refuse(socket, remote, detail))
  }

  #verdict(remote: string, isProxy: boolean, bytes: Uint8Array, ending: Ending | undefined): Verdict {
    if (bytes.length === 0 && ending === undefined) return { kind: 'wait' }
    // Some balancers check a port without a word.
    if (bytes.length === 0 && ending === 'closed') return { kind: 'close' }
    const read = readProxyHeader(bytes)
    if (!isProxy && (bytes.length === 0 || read.kind === 'other')) {
      return { kind: 'accept', caller: { address: remote }, length: 0 }
    }
    if (read.kind === 'header') {
      if (read.header.command === 'proxy')
        return this.#proxied(read.header, isProxy, bytes.subarray(0, read.length))
      return isProxy ? { kind: 'close' } : { kind: 'refuse', detail: UNTRUSTED }
    }
    if (read.kind === 'partial' && ending === undefined) return { kind: 'wait' }
    return { kind: 'refuse', detail: faultOf(read, bytes, ending) }
  }

  #proxied(header: ProxiedConnection, isProxy: boolean, bytes: Uint8Array): Verdict {
    const isProven =
      this.trust.proofFault !== undefined && header.extensions.some(({ type }) => type === PROOF)
    if (!isProven && !isProxy) return { kind: 'refuse', detail: UNTRUSTED }
    const detail = isProven ? this.trust.proofFault?.(header, bytes) : undefined
    if (detail !== undefined) return { kind: 'refuse', detail }
    const { source, destination } = header
    const endpoints = { local: textOf(destination), remote: textOf(source) }
    const caller = { address: addressText(source.bytes), endpoints, isProven }
    return { kind: 'accept', caller, length: bytes.length }
  }

  #refuse(socket: Socket, remote: string, detail: string): void {
    this.refused += 1
    this.trust.refused?.(remote, detail)
    socket.destroy()
  }
}

const UNTRUSTED = 'the address is not one whose PROXY protocol headers are believed'

const textOf = ({ bytes, port }: InternetAddress): string => endpointText(addressText(bytes), port)

function faultOf(read: ProxyHeaderRead, bytes: Uint8Array, ending: Ending | undefined): string {
  if (read.kind === 'fault') return `the PROXY protocol header is damaged: ${read.detail}`
  if (read.kind === 'partial') {
    return ending === 'closed'
      ? 'the connection ended within its PROXY protocol header'
      : `no complete PROXY protocol header came within ${HEADER_TIMEOUT_MS / 1000} s`
  }
  const version1 = bytes[0] === 'P'.charCodeAt(0) ? ', but with one of version 1' : ''
  return `the connection does not begin with a PROXY protocol header of version 2${version1}`
}

/** Why no more bytes of a header can come. */
type Ending = 'closed' | 'timeout'

type Verdict =
  | { readonly kind: 'wait' }
  /** `length`: of the header in bytes. */
  | { readonly kind: 'accept'; readonly caller: Caller; readonly length: number }
  | { readonly kind: 'refuse'; readonly detail: string }
  | { readonly kind: 'close' }

/** The connections without their header, by address. When there are too many, the address with the most gives way. */
class WaitingConnections {
  readonly #byAddress = new Map<string, Set<AwaitedHeader>>()
  #size = 0

  constructor(readonly max: number) {}

  add(address: string, awaited: AwaitedHeader): void {
    if (this.#size >= this.max) this.#endOne()
    const others = this.#byAddress.get(address)
    if (others) others.add(awaited)
    else this.#byAddress.set(address, new Set([awaited]))
    this.#size += 1
  }

  delete(address: string, awaited: AwaitedHeader): void {
    const left = this.#byAddress.get(address)
    if (!left?.delete(awaited)) return
    this.#size -= 1
    if (left.size === 0) this.#byAddress.delete(address)
  }

  /** Ends the wait of the oldest connection of the address that has the most. */
  #endOne(): void {
    let most: ReadonlySet<AwaitedHeader> = new Set()
    for (const waiting of this.#byAddress.values()) if (waiting.size > most.size) most = waiting
    const [oldest] = most
    oldest?.end()
  }
}

/** A connection until its header is read. */
class AwaitedHeader {
  #bytes = Buffer.alloc(0)
  #cancel: Cancel = () => {}
  #decide: (ending?: Ending) => void = () => {}

  /** `judge` is given what has come so far; after `wait` it is asked again. */
  constructor(
    readonly socket: Socket,
    readonly clock: Clock,
    readonly judge: (bytes: Uint8Array, ending: Ending | undefined) => Verdict,
  ) {}

  start(accepted: (caller: Caller) => void, refused: (detail: string) => void): void {
    const { socket, clock } = this
    let isDecided = false
    const decide = (ending?: Ending): void => {
      if (isDecided) return
      const verdict = this.judge(this.#bytes, ending)
      if (verdict.kind === 'wait') return
      isDecided = true
      this.#cancel()
      socket.off('readable', readable).off('close', closed)
      if (verdict.kind === 'close') socket.destroy()
      if (verdict.kind === 'refuse') refused(verdict.detail)
      if (verdict.kind !== 'accept') return
      const rest = this.#bytes.subarray(verdict.length)
      if (rest.length > 0) socket.unshift(rest)
      // Not before the stream has noticed that nobody waits for 'readable' any more.
      setImmediate(() => {
        if (!socket.destroyed) accepted(verdict.caller)
      })
    }
    this.#decide = decide
    const readable = (): void => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        this.#bytes = Buffer.concat([this.#bytes, chunk])
      }
      decide()
    }
    const closed = (): void => decide('closed')
    socket.on('readable', readable).once('close', closed)
    // On a busy machine the bytes may be there: sockets are read after the timers, and before what is set here.
    const late = (): NodeJS.Immediate => setImmediate(() => decide('timeout'))
    this.#cancel = clock.at(clock.now() + HEADER_TIMEOUT_MS, late)
  }
  /** Waits no longer. */
  end(): void {
    this.#decide('timeout')
  }
}
