import { createServer, type Server, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { Cancel, Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { CopyRoom } from '../frame-copies.js'
import type { TapEvent } from '../observation.js'
import type { TapSettings } from '../tap-settings.js'
import { LocalTap } from '../tcp/local-tap.js'
import {
  type Counted,
  encodePacket,
  framesHead,
  type Hello,
  type Left,
  type Order,
  type Packet,
  PacketReader,
  type StatusTold,
  TAP_VERSION,
} from './tap-messages.js'
import { ToldQueue } from './told-queue.js'

/** Bytes of what passes that wait for a daemon. */
const QUEUE_BYTES = 64 * 1024 * 1024
/** Bytes that the system may hold for the daemon before no more is written. */
const UNSENT_BYTES = 1024 * 1024
/** Milliseconds that frames wait for others, which are told in the same write. */
const TOGETHER_MS = 5
/** Milliseconds that a daemon may take to read the last when the process ends, and to end when another one has come. */
const LAST_MS = 1_000
/** Bytes of messages that are joined for one write; longer ones are written as they are. */
const JOINED_BYTES = 64 * 1024
const NOTHING = new Uint8Array()

interface Running {
  readonly settings: TapSettings
  readonly tap: LocalTap
  /** The daemon that has it run. */
  daemon: Socket
  /** It ends then, on the clock that never goes back, unless its daemon says otherwise. Undefined: never. */
  leaseEnd: number | undefined
}

/**
 * All taps of a machine, and the daemon that looks at them over a local socket. The links go on without a daemon; what
 * passes meanwhile waits for the next one.
 */
export class TapProcess {
  readonly #taps = new Map<string, Running>()
  /** Taps that end: another one of the same equipment begins after them. */
  readonly #ending = new Map<string, Promise<void>>()
  readonly #queue: ToldQueue
  readonly #shared = { room: new CopyRoom(), ports: new Set<number>() }
  readonly #server: Server
  #daemon: Socket | undefined
  /** A daemon that takes the place of the one above, and what it has ordered: first the last is read of the other one. */
  #next: { readonly socket: Socket; readonly packets: Packet[] } | undefined
  #isTelling = false
  #isClosed = false
  #cancelLease: Cancel = () => {}
  /** Milliseconds since 1970. */
  readonly #since: number
  /** Resolves when a daemon has ended the process, or the time of all its taps is over. */
  readonly ended = deferred<void>()

  constructor(
    private readonly clock: Clock,
    queueBytes = QUEUE_BYTES,
    /** Of the program. */
    private readonly version = '',
  ) {
    this.#since = clock.date().getTime()
    this.#queue = new ToldQueue(queueBytes)
    this.#server = createServer((socket) => this.#met(socket))
  }

  /** Waits for a daemon at a local socket, which must not be there. Rejects with the error of the system. */
  async listen(path: string): Promise<void> {
    const bound = deferred<void>()
    this.#server.on('error', (error) => bound.reject(error)) // later: a daemon that could not be accepted tries again
    this.#server.listen(path, () => bound.resolve())
    await bound.promise
  }

  /** Ends all links, and tells the last of them. Resolves once they have ended: nobody may dial the equipment before. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#server.close()
    this.#cancelLease()
    for (const id of [...this.#taps.keys()]) this.#stop(id)
    await Promise.all([...this.#ending.values(), this.#lastTold()])
    this.#daemon?.destroy()
  }

  /** Resolves once the daemon has read everything, or does not. */
  async #lastTold(): Promise<void> {
    const daemon = this.#daemon
    if (!daemon || daemon.destroyed) return
    const { promise, resolve } = deferred<void>()
    daemon.once('close', resolve)
    daemon.end()
    const cancel = this.clock.at(this.clock.now() + LAST_MS, resolve)
    await promise
    cancel()
  }

  #end(): void {
    void this.close().then(() => this.ended.resolve())
  }

  /** A daemon has come: it takes the place of the one before, which has ended or hangs. */
  #met(socket: Socket): void {
    const reader = new PacketReader()
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => {
      if (this.#daemon === socket) this.#lost()
    })
    socket.on('drain', () => this.#tell())
    socket.on('data', (chunk) => this.#takeAll(reader.read(chunk), socket))
    const hello: Hello = { kind: 'hello', version: TAP_VERSION, pid: process.pid }
    socket.write(encodePacket({ head: hello, body: NOTHING }))
  }

  #lost(): void {
    if (!this.#daemon) return
    this.#daemon = undefined
    this.#queue.end()
    for (const { tap } of this.#taps.values()) tap.giveUpAll()
  }

  /** Another daemon than the one that is here: what that one has said last, such as what it has recorded, is read before. */
  #succeed(before: Socket, next: { readonly socket: Socket; readonly packets: Packet[] }): void {
    this.#next?.socket.destroy()
    this.#next = next
    const over = (): void => {
      cancel()
      if (this.#daemon === before) {
        before.destroy() // it hangs
        this.#lost()
      }
      if (this.#next !== next) return
      this.#next = undefined
      if (!next.socket.destroyed) this.#takeAll(next.packets, next.socket)
    }
    const cancel = this.clock.at(this.clock.now() + LAST_MS, over)
    before.once('close', over)
    before.end()
  }

  #takeAll(packets: Iterable<Packet>, socket: Socket): void {
    try {
      for (const packet of packets) this.#take(packet, socket)
    } catch {
      socket.destroy() // what it sends is none of ours
    }
  }

  #take(packet: Packet, socket: Socket): void {
    if (this.#isClosed) return
    if (this.#next?.socket === socket) return void this.#next.packets.push(packet)
    const { body } = packet
    const order = packet.head as Order
    const before = this.#daemon
    switch (order.kind) {
      case 'run':
        // Whoever gives an order that is understood is the daemon.
        if (before && before !== socket) return this.#succeed(before, { socket, packets: [packet] })
        this.#daemon = socket
        return this.#run(order, socket)
      case 'stop':
        this.#stop(order.id)
        return this.#left(order.id, socket)
      case 'only':
        for (const id of [...this.#taps.keys()]) if (!order.ids.includes(id)) this.#stop(id)
        return
      case 'end':
        return this.#end()
      case 'status':
        return void socket.write(encodePacket({ head: this.#status, body: NOTHING }))
      case 'lease':
        if (before && before !== socket) return this.#succeed(before, { socket, packets: [packet] })
        this.#daemon = socket
        return this.#leased(order.ms)
      case 'count': {
        const counts = this.#taps.get(order.id)?.tap.counts ?? null
        const said: Counted = { query: order.query, counts }
        return void socket.write(encodePacket({ head: said, body: NOTHING }))
      }
      default:
        if (this.#daemon === socket) this.#takeOfDaemon(order, body, socket)
    }
  }

  get #status(): StatusTold {
    const taps = [...this.#taps.values()]
    return {
      kind: 'status',
      version: this.version,
      since: this.#since,
      memoryBytes: process.memoryUsage.rss(),
      queueBytes: this.#queue.bytes,
      queueLimit: this.#queue.limit,
      taps: taps.length,
      connected: taps.filter(({ tap }) => tap.isPaired).length,
      isRead: this.#daemon !== undefined,
    }
  }

  #left(id: string, daemon: Socket): void {
    daemon.write(encodePacket({ head: { left: id } satisfies Left, body: NOTHING }))
  }

  #takeOfDaemon(order: Order, body: Uint8Array, daemon: Socket): void {
    switch (order.kind) {
      case 'leave':
        this.#queue.leave(order.id)
        return this.#left(order.id, daemon)
      case 'recorded':
        this.#queue.recorded(order.id, order.count)
        return this.#tell()
      case 'give_up':
        return this.#taps.get(order.id)?.tap.giveUp(order.request)
      case 'ask': {
        const running = this.#taps.get(order.id)
        if (running) return running.tap.ask(order.request, { ...order.message, body: body.slice() })
        this.#queue.push({ id: order.id, event: this.#notSent(order.request) })
        this.#tell()
      }
    }
  }

  #notSent(request: number): TapEvent {
    return { kind: 'not_sent', request, at: this.clock.date().getTime() }
  }

  #run({ id, settings, leaseMs }: Extract<Order, { kind: 'run' }>, daemon: Socket): void {
    const leaseEnd = leaseMs === undefined ? undefined : this.clock.now() + leaseMs
    const known = this.#taps.get(id)
    this.#queue.begin(id)
    if (known && isDeepStrictEqual(known.settings, settings)) Object.assign(known, { daemon, leaseEnd })
    else {
      if (known) this.#replace(id, known)
      this.#begin(id, { settings, daemon, leaseEnd })
    }
    if (leaseEnd !== undefined) this.#watchLeases()
    this.#tell()
  }

  #stop(id: string): void {
    const running = this.#taps.get(id)
    if (!running) return
    this.#endTap(id, running)
    if (running.daemon === this.#daemon) this.#tellLast(id)
    this.#queue.forget(id)
  }

  /** Another tap of the same equipment follows, and what this one has told is told before. */
  #replace(id: string, running: Running): void {
    const at = this.clock.date().getTime()
    if (running.tap.isPaired)
      this.#queue.push({ id, event: { kind: 'over', first: 'equipment', how: 'closed', at } })
    this.#endTap(id, running)
  }

  #endTap(id: string, running: Running): void {
    this.#taps.delete(id)
    const ended = Promise.all([this.#ending.get(id), running.tap.end()]).then(() => {
      if (this.#ending.get(id) === ended) this.#ending.delete(id)
    })
    this.#ending.set(id, ended)
  }

  #begin(id: string, given: Omit<Running, 'tap'>): void {
    const tap = new LocalTap(given.settings, this.clock, this.#shared)
    const running: Running = { ...given, tap }
    this.#taps.set(id, running)
    tap.told.on((event) => {
      if (this.#taps.get(id) !== running) return
      this.#queue.push({ id, event })
      this.#tellSoon(event)
    })
    const start = (): void => {
      if (this.#taps.get(id) === running) void tap.start()
    }
    const before = this.#ending.get(id)
    if (before) void before.then(start)
    else start()
  }

  /** The equipment of the daemon is its own for so long. */
  #leased(ms: number): void {
    const leaseEnd = this.clock.now() + ms
    for (const running of this.#taps.values())
      if (running.daemon === this.#daemon) running.leaseEnd = leaseEnd
    this.#watchLeases()
  }

  #watchLeases(): void {
    this.#cancelLease()
    const ends = [...this.#taps.values()].flatMap(({ leaseEnd }) => leaseEnd ?? [])
    if (ends.length > 0) this.#cancelLease = this.clock.at(Math.min(...ends), () => this.#endLeases())
  }

  /** Equipment whose daemon may be another one by now. */
  #endLeases(): void {
    const now = this.clock.now()
    for (const [id, { leaseEnd }] of this.#taps) if (leaseEnd !== undefined && leaseEnd <= now) this.#stop(id)
    if (this.#taps.size === 0) this.#end()
    else this.#watchLeases()
  }

  /** After what passes has left, and with what passes soon after it: many are told in one write. */
  #tellSoon({ kind }: TapEvent): void {
    if (kind !== 'frames') return void setImmediate(() => this.#tell())
    if (this.#isTelling || !this.#daemon) return
    this.#isTelling = true
    this.clock.at(this.clock.now() + TOGETHER_MS, () => {
      this.#isTelling = false
      this.#tell()
    })
  }

  #tell(): void {
    const daemon = this.#daemon
    if (!daemon) return
    const writes = new JoinedWrites(daemon)
    while (daemon.writableLength + writes.bytes < UNSENT_BYTES) {
      const told = this.#queue.next()
      if (told === undefined) break
      for (const part of packetOf(told.id, told.event)) writes.add(part)
    }
    writes.flush()
  }

  /** What ends with a tap, without regard to how much the system holds already. */
  #tellLast(id: string): void {
    const writes = this.#daemon && new JoinedWrites(this.#daemon)
    for (const event of this.#queue.finish(id)) for (const part of packetOf(id, event)) writes?.add(part)
    writes?.flush()
  }
}

/** Short messages are joined for one write. */
class JoinedWrites {
  #parts: Uint8Array[] = []
  /** That are not written yet. */
  bytes = 0

  constructor(private readonly socket: Socket) {}

  add(part: Uint8Array): void {
    if (part.length > JOINED_BYTES) this.flush()
    this.#parts.push(part)
    this.bytes += part.length
    if (this.bytes > JOINED_BYTES) this.flush()
  }

  flush(): void {
    const parts = this.#parts
    if (parts.length > 0)
      this.socket.write(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts))
    this.#parts = []
    this.bytes = 0
  }
}

function packetOf(id: string, event: TapEvent): readonly Uint8Array[] {
  if (event.kind === 'frames') return [framesHead(id, event), event.bytes]
  if (!('frame' in event)) return [encodePacket({ head: { id, event }, body: NOTHING })]
  const { header, body } = event.frame
  return [encodePacket({ head: { id, event: { ...event, frame: { header } } }, body })]
}
