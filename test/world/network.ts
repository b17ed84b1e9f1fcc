import { EventEmitter } from 'node:events'
import { Duplex } from 'node:stream'
import type { Chance } from './chance.js'
import type { Host, World } from './world.js'

/** Bytes that the system takes from a writer whose peer does not read. */
const WINDOW = 64 * 1024
/** Milliseconds from one host to another, typically. */
const LATENCY_MS = 0.2
/** How often it is looked whether two hosts reach each other again, and when a writer gives up. */
const RETRANSMIT_MS = 500
const GIVE_UP_MS = 120_000
/** Milliseconds that keep-alive waits for a response of the peer: ten questions, a second apart. */
const PROBES_MS = 10_000
const FIRST_FREE_PORT = 40_000

type Item =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'reset' }

/** One direction of a connection: what was written arrives in order, in other pieces, or not at all. */
class Pipe {
  readonly #items: Item[] = []
  #isScheduled = false
  #blockedSince: number | undefined
  #isCut = false
  /** Written and not taken by the reader. */
  waiting = 0
  #waiter: (() => void) | undefined

  constructor(
    readonly network: Network,
    readonly from: Socket,
    readonly to: Socket,
  ) {}

  add(item: Item): void {
    if (this.#isCut) return this.to.host.alive ? this.#toClosed() : this.#toNobody()
    this.#items.push(item)
    if (item.kind === 'bytes') this.waiting += item.bytes.length
    this.#schedule(this.network.latency())
  }

  /** Calls `room` when another write may follow. */
  whenRoom(room: () => void): void {
    if (this.waiting < WINDOW) room()
    else this.#waiter = room
  }

  /** Nothing more arrives; what was under way is lost. */
  cut(): void {
    this.#isCut = true
    this.#items.length = 0
  }

  /** The reader is not told that the connection is over. */
  lose(): void {
    this.cut()
    this.to.outlivePeer()
  }

  /** The peer has ended and is there: it says so once it is reached, also where its first word of it was lost. */
  #toClosed(): void {
    const { network, from, to } = this
    network.world.after(from.host, network.latency(), () => {
      if (!from.destroyed && to.destroyed && !network.isBlocked(from.host, to.host)) from.reset()
    })
  }

  /** The machine had no power: once it is back it knows nothing of the connection, and until then nobody answers. */
  #toNobody(): void {
    const { network, from, to } = this
    const { world } = network
    this.#blockedSince ??= world.now
    const isBack = [...network.servers.values()].some(({ host }) => host.ip === to.host.ip && host.alive)
    if (isBack) return void world.after(from.host, network.latency(), () => from.reset())
    if (world.now - this.#blockedSince > GIVE_UP_MS)
      return void world.after(from.host, 0, () => from.reset('ETIMEDOUT'))
    world.after(from.host, RETRANSMIT_MS, () => !from.destroyed && this.#toNobody())
    return undefined
  }

  /** The reader takes bytes again. */
  resume(): void {
    if (this.#items.length > 0) this.#schedule(0)
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.network.world.after(this.to.host, ms, () => {
      this.#isScheduled = false
      this.#deliver()
    })
  }

  #deliver(): void {
    if (this.#isCut) return
    if (this.network.isBlocked(this.from.host, this.to.host)) return this.#wait()
    this.#blockedSince = undefined
    for (let item = this.#items[0]; item; item = this.#items[0]) {
      if (item.kind === 'reset') return this.to.reset()
      if (item.kind === 'end') {
        this.#items.shift()
        this.to.push(null)
        continue
      }
      const { bytes } = item
      const size = this.network.pieceOf(bytes.length)
      const isAll = size === bytes.length
      if (isAll) this.#items.shift()
      else this.#items[0] = { kind: 'bytes', bytes: bytes.subarray(size) }
      this.waiting -= size
      this.to.bytesRead += size
      this.network.watched.get(this.to.host)?.(this.to, 'in', isAll ? bytes : bytes.subarray(0, size))
      const isReading = this.to.push(isAll ? bytes : bytes.subarray(0, size))
      const waiter = this.#waiter
      if (waiter && this.waiting < WINDOW) {
        this.#waiter = undefined
        this.network.world.after(this.from.host, 0, waiter)
      }
      if (!isReading) return
      if (!isAll) return this.#schedule(this.network.latency())
    }
  }

  #wait(): void {
    const { world } = this.network
    this.#blockedSince ??= world.now
    if (world.now - this.#blockedSince < GIVE_UP_MS) return this.#schedule(RETRANSMIT_MS)
    this.lose()
    world.after(this.from.host, 0, () => this.from.reset('ETIMEDOUT'))
  }
}

/** What `node:net` calls a socket, over made-up cables. */
export class Socket extends Duplex {
  connecting: boolean
  remoteAddress: string | undefined
  remotePort: number | undefined
  localAddress: string | undefined
  localPort: number | undefined
  bytesRead = 0
  bytesWritten = 0
  #pipe: Pipe | undefined
  #incoming: Pipe | undefined
  #keepAliveMs: number | undefined

  constructor(
    readonly network: Network,
    readonly host: Host,
    allowHalfOpen = false,
  ) {
    super({ allowHalfOpen })
    this.connecting = true
    network.sockets.add(this)
    this.once('close', () => network.sockets.delete(this))
  }

  /** Joined with its peer; both may be read and written. */
  joined(
    peer: Socket,
    out: Pipe,
    incoming: Pipe,
    ports: { readonly own: number; readonly peer: number },
  ): void {
    this.#pipe = out
    this.#incoming = incoming
    this.connecting = false
    this.localAddress = this.host.ip
    this.localPort = ports.own
    this.remoteAddress = peer.host.ip
    this.remotePort = ports.peer
  }

  reset(code = 'ECONNRESET'): void {
    this.destroy(Object.assign(new Error(code), { code }))
  }

  override _read(): void {
    this.#incoming?.resume()
  }

  override _write(chunk: Buffer, _: unknown, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length
    this.network.watched.get(this.host)?.(this, 'out', chunk)
    const write = (): void => {
      this.#pipe?.add({ kind: 'bytes', bytes: Buffer.from(chunk) })
      if (this.#pipe) this.#pipe.whenRoom(done)
      else done()
    }
    if (this.connecting) this.once('connect', write)
    else write()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#pipe?.add({ kind: 'end' })
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.writableFinished) this.#pipe?.add({ kind: 'reset' })
    this.#incoming?.cut()
    this.connecting = false
    done(error)
  }

  /** The process is gone: the system resets its connections, or the machine is silent. */
  abandon(isSilent: boolean): void {
    if (isSilent) this.#pipe?.lose()
    else this.#pipe?.add({ kind: 'reset' })
    this.#incoming?.cut()
    // Whatever ends it later is of a process that is not there.
    this.#pipe = undefined
    this.network.sockets.delete(this)
  }

  /** Ends at once, and the peer learns that it was no orderly end. */
  resetAndDestroy(): this {
    this.#pipe?.add({ kind: 'reset' })
    return this.destroy()
  }

  /** Ends once all that was written has left. */
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(isOn: boolean, ms: number): this {
    this.#keepAliveMs = isOn ? ms : undefined
    return this
  }

  /** With keep-alive the system asks a peer that has said nothing for so long, and so learns that it is gone. */
  outlivePeer(): void {
    const { network, host } = this
    if (this.#keepAliveMs === undefined || this.destroyed) return
    network.world.after(host, this.#keepAliveMs + PROBES_MS, () => this.destroyed || this.reset('ETIMEDOUT'))
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/** What `node:net` calls a server. */
class Server extends EventEmitter {
  #bound: { readonly address: string; readonly port: number | string } | undefined

  constructor(
    readonly network: Network,
    readonly host: Host,
    connected: (socket: Socket) => void,
    readonly allowHalfOpen: boolean,
  ) {
    super()
    this.on('connection', connected)
  }

  /** `port`: or the path of a local socket. */
  listen(port: number | string, ...rest: readonly (string | (() => void))[]): this {
    const { network } = this
    const [address = this.host.ip] = rest.filter((one) => typeof one === 'string')
    for (const listening of rest) if (typeof listening === 'function') this.once('listening', listening)
    network.world.after(this.host, 0, () => {
      const chosen = port === 0 ? network.freePort() : port
      if (network.servers.has(`${address}:${chosen}`)) {
        const error = Object.assign(new Error('EADDRINUSE'), { code: 'EADDRINUSE' })
        return this.emit('error', error)
      }
      this.#bound = { address, port: chosen }
      network.servers.set(`${address}:${chosen}`, this)
      return this.emit('listening')
    })
    return this
  }

  address(): { readonly address: string; readonly port: number | string } | null {
    return this.#bound ?? null
  }

  close(done?: () => void): this {
    if (this.#bound) this.network.servers.delete(`${this.#bound.address}:${this.#bound.port}`)
    this.#bound = undefined
    if (done) this.network.world.after(this.host, 0, done)
    return this
  }
}

interface Address {
  readonly host: string
  readonly port: number
  readonly allowHalfOpen?: boolean
}

/** The cables and switches between hosts. */
export class Network {
  readonly servers = new Map<string, Server>()
  readonly sockets = new Set<Socket>()
  /** Names of hosts that nobody reaches. */
  readonly unreachable = new Set<string>()
  /** Who looks at the bytes that leave a host and come to it. */
  readonly watched = new Map<Host, (socket: Socket, to: 'in' | 'out', bytes: Uint8Array) => void>()
  readonly #chance: Chance
  #port = FIRST_FREE_PORT

  constructor(readonly world: World) {
    this.#chance = world.chance.fork('network')
  }

  /** `given`: a host and its port, or the path of a local socket. */
  connect(given: Address | string): Socket {
    const { world } = this
    const { host: address, port } =
      typeof given === 'string' ? { host: world.current.ip, port: given } : given
    const socket = new Socket(this, world.current, typeof given === 'object' && given.allowHalfOpen)
    const dial = (): void => {
      if (socket.destroyed) return
      const server = this.servers.get(`${address}:${port}`)
      // Nobody says that an address is not there: the dial gets no response.
      if (server ? this.isBlocked(socket.host, server.host) : this.#isAddressSilent(address)) return
      if (!server) return socket.reset('ECONNREFUSED')
      const peer = new Socket(this, server.host, server.allowHalfOpen)
      const there = new Pipe(this, socket, peer)
      const back = new Pipe(this, peer, socket)
      const number = typeof port === 'string' ? 0 : port
      const ports = { own: this.freePort(), peer: number }
      world.after(server.host, 0, () => {
        peer.joined(socket, back, there, { own: number, peer: ports.own })
        server.emit('connection', peer)
      })
      world.after(socket.host, this.latency(), () => {
        if (socket.destroyed) return
        socket.joined(peer, there, back, ports)
        socket.emit('connect')
        socket.emit('ready')
        there.resume()
      })
    }
    world.after(socket.host, this.latency(), dial)
    return socket
  }

  createServer(connected: (socket: Socket) => void, allowHalfOpen = false): Server {
    return new Server(this, this.world.current, connected, allowHalfOpen)
  }

  /** Ends what a process had open. `isSilent`: the machine has no power, and does not say that it is gone. */
  abandon(host: Host, isSilent: boolean): void {
    for (const socket of [...this.sockets]) if (socket.host === host) socket.abandon(isSilent)
    for (const [address, server] of [...this.servers]) if (server.host === host) this.servers.delete(address)
  }

  /** Breaks every connection of a host, as a switch that restarts does. */
  breakAll(host: Host): void {
    for (const socket of [...this.sockets]) {
      const isLocal = socket.remoteAddress === host.ip
      if (socket.host === host && !socket.connecting && !isLocal) socket.reset()
    }
  }

  isBlocked(one: Host, other: Host): boolean {
    if (one.ip === other.ip) return false
    return this.unreachable.has(one.name) || this.unreachable.has(other.name)
  }

  latency(): number {
    return this.#chance.around(LATENCY_MS)
  }

  /** How many of these bytes arrive together. */
  pieceOf(length: number): number {
    return this.#chance.is(0.02) ? 1 + this.#chance.below(length) : length
  }

  freePort(): number {
    this.#port = this.#port >= 65_535 ? FIRST_FREE_PORT : this.#port + 1
    return this.#port
  }

  #isAddressSilent(address: string): boolean {
    return this.unreachable.has(address)
  }
}
