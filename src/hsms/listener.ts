import { createServer, type Server, type Socket } from 'node:net'
import { deferred } from '../kit/deferred.js'
import type { Fault } from './fault.js'

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

/** What a passive entity wants to hear of. */
export interface Place {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The only address that may connect; undefined, anyone may. */
  readonly peer: string | undefined
  /** Takes the connection, or tells that it has one that is alive. */
  take(socket: Socket): boolean
}

/** An entity's share of a port. */
export interface Seat {
  readonly port: number
  /** Gives it up; the port is closed with its last seat. */
  leave(): void
}

/** Why binding fails, in words that help; anything else is told as the system tells it. */
const BIND_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'the port needs privileges',
}

/** The ports of a process that passive entities listen on. Several share one, told apart by their peer's address. */
export class Listeners {
  readonly #ports = new Set<Port>()
  #strangers = 0
  #surplus = 0

  /** Connections closed because no entity awaited their address. */
  get strangers(): number {
    return this.#strangers
  }

  /** Connections closed because their entity had one already. */
  get surplus(): number {
    return this.#surplus
  }

  /** Resolves once the port is bound; rejects with `ListenError`, also where another entity awaits the same peer there. */
  async join(place: Place): Promise<Seat> {
    const { host, port: number } = place
    let port = [...this.#ports].find((open) => open.host === host && open.number === number && number !== 0)
    if (!port) {
      port = new Port(host, number, (socket, places) => this.#route(socket, places))
      this.#ports.add(port)
    }
    const seated = port
    const leave = (): void => {
      seated.places.delete(place)
      if (seated.places.size > 0) return
      seated.close()
      this.#ports.delete(seated)
    }
    if ([...seated.places].some(({ peer }) => peer === place.peer)) {
      const detail = `port ${number} is taken: another entity awaits ${place.peer ?? 'any address'} on it`
      throw new ListenError({ code: 'listen_failed', detail })
    }
    seated.places.add(place)
    try {
      await seated.bound
    } catch (error) {
      leave()
      throw error
    }
    return { port: seated.number, leave }
  }

  #route(socket: Socket, places: ReadonlySet<Place>): void {
    socket.on('error', () => {}) // 'close' follows; a socket that nobody took has nobody to tell
    const place = placeFor(socket.remoteAddress, places)
    if (!place) {
      this.#strangers += 1
      socket.destroy()
      return
    }
    if (place.take(socket)) return
    // The end of the connection before may have arrived together with this one: it is heard first.
    setImmediate(() => {
      if (!socket.destroyed && places.has(place) && place.take(socket)) return
      this.#surplus += 1
      socket.destroy()
    })
  }
}

/** One bound port and those who share it. */
class Port {
  readonly places = new Set<Place>()
  readonly #server: Server
  readonly bound: Promise<void>
  #number: number

  constructor(
    readonly host: string,
    number: number,
    route: (socket: Socket, places: ReadonlySet<Place>) => void,
  ) {
    this.#number = number
    this.#server = createServer({ noDelay: true }, (socket) => route(socket, this.places))
    this.bound = this.#bind()
  }

  /** Known once bound, where it was asked for as 0. */
  get number(): number {
    return this.#number
  }

  /** The port is free at once; connections that came by it live on. */
  close(): void {
    this.#server.close()
  }

  #bind(): Promise<void> {
    const { promise, resolve, reject } = deferred<void>()
    const server = this.#server
    const refuse = (error: NodeJS.ErrnoException): void => {
      const why = BIND_ERRORS[error.code ?? ''] ?? error.message
      const detail = `cannot listen on ${this.host}:${this.#number}: ${why}`
      reject(new ListenError({ code: 'listen_failed', detail }, error))
    }
    server.once('error', refuse)
    server.once('listening', () => {
      server.off('error', refuse)
      server.on('error', () => {}) // one connection could not be accepted; the next may
      const address = server.address()
      if (address && typeof address === 'object') this.#number = address.port
      resolve()
    })
    server.listen(this.#number, this.host)
    return promise
  }
}

/** An entity that awaits this very address comes before one that takes anybody. */
function placeFor(remoteAddress: string | undefined, places: ReadonlySet<Place>): Place | undefined {
  const address = remoteAddress?.replace(/^::ffff:/i, '')
  const all = [...places]
  return all.find(({ peer }) => peer === address) ?? all.find(({ peer }) => peer === undefined)
}
