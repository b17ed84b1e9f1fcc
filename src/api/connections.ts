import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../kit/clock.js'
import { networkOf } from '../kit/network.js'

type Socket = FastifyRequest['raw']['socket']

interface Connection {
  readonly socket: Socket
  readonly network: string
  /** When it was accepted: milliseconds of the clock that never goes back. */
  readonly since: number
  /** The request that came last, until it is served. */
  request: IncomingMessage | undefined
  /** Requests without a whole response. */
  open: number
  /** Called once all requests that have come whole have their responses. */
  afterwards: (() => void) | undefined
  /** A whole header has arrived on it once. */
  hasAsked: boolean
}

const responsesOwed = ({ open, request }: Connection): number => open - (request && !request.complete ? 1 : 0)

/** Milliseconds between two log lines about connections that were closed because too many were open. */
const LOG_INTERVAL_MS = 60_000

/** A new connection has so many milliseconds for its first request before it is closed for another one. */
const FIRST_REQUEST_MS = 2000

/** From which of the connections nothing is lost when they are closed, the least loss first. */
const DISPENSABLE: readonly ((connection: Connection, now: number) => boolean)[] = [
  ({ hasAsked, since }, now) => !hasAsked && now - since > FIRST_REQUEST_MS,
  ({ request }) => !request,
  ({ request }) => request !== undefined && !request.complete,
]

/** One side of a TLS connection is another socket than the one that was accepted: their peer is the same. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress}|${remotePort}`

export interface ConnectionLimits {
  readonly all: number
  readonly ofNetwork: number
}

/**
 * The connections of the server, and the share that each network has of them. Where there is no room for a new one,
 * the oldest that waits for its caller is closed: of the same network when that has its share, else of the network
 * that has most. A connection whose request is being served is never closed for another.
 */
export class Connections {
  /** Connections that were closed because too many were open, old and new ones. */
  closed = 0
  #loggedAt = Number.NEGATIVE_INFINITY
  /** By network and peer, oldest first. */
  readonly #networks = new Map<string, Map<string, Connection>>()
  /** By the socket of its requests, from the first one on. */
  readonly #asked = new WeakMap<Socket, Connection>()
  #size = 0

  constructor(
    readonly limits: ConnectionLimits,
    readonly clock: Clock,
    readonly log?: FastifyBaseLogger,
  ) {}

  /** How many are open. */
  get size(): number {
    return this.#size
  }

  /** Counts the connections of the server from now on. */
  watch(server: FastifyInstance['server']): void {
    server.on('connection', (socket: Socket) => this.#take(socket))
    server.on(
      'request',
      (request: IncomingMessage, response: { on(event: 'close', run: () => void): void }) => {
        const { socket } = request
        const connection = this.#asked.get(socket) ?? this.#find(socket)
        if (!connection) return
        if (!connection.hasAsked) this.#asked.set(socket, connection)
        connection.request = request
        connection.open += 1
        connection.hasAsked = true
        response.on('close', () => {
          if (connection.request === request) connection.request = undefined
          connection.open -= 1
          if (responsesOwed(connection) === 0) connection.afterwards?.()
        })
      },
    )
  }

  /** Calls `run` once the requests that have come whole have their responses; nothing more is read of this connection. */
  afterResponses(socket: Socket, run: () => void): void {
    const connection = this.#asked.get(socket)
    if (!connection || responsesOwed(connection) === 0) return run()
    // The socket is closed already where that was the last response that it may carry.
    connection.afterwards ??= () => socket.writable && run()
  }

  #take(socket: Socket): void {
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const network = networkOf(socket.remoteAddress)
    if (!this.#makeRoom(network)) {
      this.#noteClosed(socket.remoteAddress)
      return void socket.destroy()
    }
    const peers = this.#networks.get(network) ?? new Map<string, Connection>()
    const peer = peerOf(socket)
    const connection: Connection = {
      socket,
      network,
      since: this.clock.now(),
      request: undefined,
      open: 0,
      afterwards: undefined,
      hasAsked: false,
    }
    this.#networks.set(network, peers.set(peer, connection))
    this.#size++
    socket.once('close', () => this.#forget(peer, connection))
  }

  #makeRoom(network: string): boolean {
    const own = this.#networks.get(network)?.size ?? 0
    if (own >= this.limits.ofNetwork) return this.#closeOneOf(network)
    if (this.#size < this.limits.all) return true
    const greediest = [...this.#networks].reduce((most, each) => (each[1].size > most[1].size ? each : most))
    return this.#closeOneOf(own >= greediest[1].size ? network : greediest[0])
  }

  #closeOneOf(network: string): boolean {
    const peers = this.#networks.get(network) ?? new Map<string, Connection>()
    const now = this.clock.now()
    for (const isDispensable of DISPENSABLE) {
      for (const [peer, connection] of peers) {
        if (!isDispensable(connection, now)) continue
        this.#noteClosed(connection.socket.remoteAddress)
        connection.socket.destroy()
        this.#forget(peer, connection)
        return true
      }
    }
    return false
  }

  #forget(peer: string, connection: Connection): void {
    const peers = this.#networks.get(connection.network)
    if (peers?.get(peer) !== connection) return
    peers.delete(peer)
    this.#size--
    if (peers.size === 0) this.#networks.delete(connection.network)
  }

  #find(socket: Socket): Connection | undefined {
    if (socket.remoteAddress === undefined) return undefined
    return this.#networks.get(networkOf(socket.remoteAddress))?.get(peerOf(socket))
  }

  #noteClosed(from: string | undefined): void {
    this.closed++
    if (this.clock.now() - this.#loggedAt < LOG_INTERVAL_MS) return
    this.#loggedAt = this.clock.now()
    this.log?.warn({ from, open: this.#size, closed: this.closed }, 'closed a connection: too many are open')
  }
}
