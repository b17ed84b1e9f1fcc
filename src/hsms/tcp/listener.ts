import { createServer, type Server, type Socket } from 'node:net'
import { deferred } from '../../kit/deferred.js'
import type { Fault } from '../fault.js'
import { oneSpelling } from './internet-address.js'
import type { Caller, ProxyHeaders } from './proxy-headers.js'

/** A port could not be bound. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(
    readonly fault: Fault,
    cause?: unknown,
  ) {
    super(fault.detail, { cause })
  }
}

/** A passive entity that waits for connections. */
export interface Place {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The only address that may connect; undefined, anyone may. */
  readonly peer: string | undefined
  /** Takes the connection; false when it has one already. */
  take(socket: Socket, caller: Caller): boolean
  /** A connection was closed because this entity has one already. */
  surplus(): void
  /** It takes what no other place takes. */
  readonly isSpare?: boolean
}

/** An entity's share of a port. */
export interface Seat {
  readonly port: number
  /** Gives it up; the port is closed with its last seat. */
  leave(): void
}

/** Why binding fails, in words that help; anything else in the words of the system. */
const BIND_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'the port needs privileges',
}

/** What `error` says of listening at an address, in words. */
export function listenError(host: string, port: number, error: NodeJS.ErrnoException): ListenError {
  const why = BIND_ERRORS[error.code ?? ''] ?? error.message
  return new ListenError({ code: 'listen_failed', detail: `cannot listen on ${host}:${port}: ${why}` }, error)
}

/** The ports of a process that passive entities listen on. Several share one, each with the address of its peer. */
export class Listeners {
  readonly #ports = new Set<Port>()
  /** Connections closed because no entity awaited their address. */
  strangers = 0
  /** Connections closed because their entity had one already. */
  surplus = 0

  /** `headers`: what connections of proxies begin with; none is read when left out. */
  constructor(readonly headers?: ProxyHeaders) {}

  /**
   * Resolves once the port is bound; rejects with `ListenError`, also where another entity awaits the same peer
   * there. Entities that share a port must use the same host: 0.0.0.0 and an address of this machine are in conflict.
   */
  async join(place: Place): Promise<Seat> {
    const port = this.#portOf(place)
    const peer = place.peer === undefined ? ANYONE : oneSpelling(place.peer)
    const places = place.isSpare ? port.spares : port.places
    if (places.has(peer)) {
      const detail = `port ${port.number} is taken: another entity awaits ${place.peer ?? 'any address'} on it`
      throw new ListenError({ code: 'listen_failed', detail })
    }
    places.set(peer, place)
    const leave = (): void => {
      if (places.get(peer) !== place) return
      places.delete(peer)
      if (port.places.size + port.spares.size > 0) return
      port.close()
      this.#ports.delete(port)
    }
    try {
      await port.bound
    } catch (error) {
      leave()
      throw this.#named(error, port)
    }
    return { port: port.number, leave }
  }

  /** The port that the place shares, or one of its own. */
  #portOf({ host, port: number }: Place): Port {
    const shared = [...this.#ports].find(
      (open) => open.host === host && open.number === number && number !== 0,
    )
    if (shared) return shared
    const port: Port = new Port(host, number, (socket) => this.#route(socket, port))
    this.#ports.add(port)
    return port
  }

  /** The error of a port that is taken, with our own other address where this process itself has the port. */
  #named(error: unknown, { host, number }: Port): unknown {
    const taken = error instanceof ListenError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const own = taken && [...this.#ports].find((open) => open.number === number && open.host !== host)
    if (!own) return error
    const detail = `cannot listen on ${host}:${number}: this process itself listens on ${own.host}:${number}; listen on one of the two`
    return new ListenError({ code: 'listen_failed', detail }, error.cause)
  }

  #route(socket: Socket, port: Port): void {
    socket.on('error', () => {}) // 'close' follows; a socket that was not taken has no listener
    const { remoteAddress, localAddress } = socket // they stay known from now on
    if (remoteAddress === undefined || localAddress === undefined) {
      socket.destroy() // the peer has reset it already
      return
    }
    const seat = (caller: Caller): void => this.#seat(socket, caller, port)
    if (this.headers) this.headers.read(socket, remoteAddress, seat)
    else seat({ address: remoteAddress })
  }

  #seat(socket: Socket, caller: Caller, port: Port): void {
    const place = placeFor(caller, port)
    if (!place) {
      this.strangers += 1
      socket.destroy()
      return
    }
    if (place.take(socket, caller)) return
    // The end of the connection before may have arrived together with this one: it is processed first.
    setImmediate(() => {
      const still = placeFor(caller, port)
      if (!socket.destroyed && still?.take(socket, caller)) return
      this.surplus += 1
      socket.destroy()
      still?.surplus()
    })
  }
}

/** Who takes connections from anywhere, among those who share a port. */
const ANYONE = 'anyone'

/** One bound port and those who share it. */
class Port {
  /** By the address of their peer. */
  readonly places = new Map<string, Place>()
  readonly spares = new Map<string, Place>()
  readonly #server: Server
  readonly bound: Promise<void>

  constructor(
    readonly host: string,
    /** Known once bound, where it was asked for as 0. */
    public number: number,
    route: (socket: Socket) => void,
  ) {
    this.#server = createServer({ noDelay: true }, route)
    this.bound = this.#bind()
  }

  /** The port is free at once; connections that came by it live on. */
  close(): void {
    this.#server.close()
  }

  #bind(): Promise<void> {
    const { promise, resolve, reject } = deferred<void>()
    const server = this.#server
    const refuse = (error: NodeJS.ErrnoException): void => {
      reject(listenError(this.host, this.number, error))
    }
    server.once('error', refuse)
    server.once('listening', () => {
      server.off('error', refuse)
      server.on('error', () => {}) // one connection could not be accepted; the next may
      const address = server.address()
      if (address && typeof address === 'object') this.number = address.port
      resolve()
    })
    server.listen(this.number, this.host)
    return promise
  }
}

/** An entity that awaits this very address comes before one that accepts any address, and both before a spare one. */
function placeFor({ address }: Caller, { places, spares }: Port): Place | undefined {
  const peer = oneSpelling(address)
  return places.get(peer) ?? places.get(ANYONE) ?? spares.get(peer)
}
