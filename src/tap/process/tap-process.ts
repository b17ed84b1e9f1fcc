import { createServer, type Server, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import type { Observation } from '../observation.js'
import type { TapSettings } from '../tap-settings.js'
import { LocalTap } from '../tcp/local-tap.js'
import {
  encodePacket,
  type Hello,
  type Order,
  type Packet,
  PacketReader,
  TAP_VERSION,
} from './tap-messages.js'
import { ToldQueue } from './told-queue.js'

/** Bytes of what passes that wait for a daemon. */
const QUEUE_BYTES = 64 * 1024 * 1024
/** Bytes that the system may hold for the daemon before no more is written. */
const UNSENT_BYTES = 1024 * 1024

interface Running {
  readonly settings: TapSettings
  readonly tap: LocalTap
}

/**
 * All taps of a machine, and the daemon that looks at them over a local socket. The links go on without a daemon; what
 * passes meanwhile waits for the next one.
 */
export class TapProcess {
  readonly #taps = new Map<string, Running>()
  readonly #queue: ToldQueue
  readonly #server: Server
  #daemon: Socket | undefined
  #isTelling = false
  /** Resolves when a daemon has ended the process. */
  readonly ended = deferred<void>()

  constructor(
    private readonly clock: Clock,
    queueBytes = QUEUE_BYTES,
  ) {
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

  /** Ends all links. */
  close(): void {
    this.#server.close()
    this.#daemon?.destroy()
    for (const { tap } of this.#taps.values()) tap.stop()
  }

  /** A daemon has come: it takes the place of the one before, which has ended or hangs. */
  #met(socket: Socket): void {
    this.#daemon?.destroy()
    this.#lost()
    this.#daemon = socket
    const reader = new PacketReader()
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => {
      if (this.#daemon === socket) this.#lost()
    })
    socket.on('drain', () => this.#tell())
    socket.on('data', (chunk) => {
      try {
        for (const packet of reader.read(chunk)) this.#take(packet)
      } catch {
        socket.destroy() // what it sends is none of ours
      }
    })
    const hello: Hello = { kind: 'hello', version: TAP_VERSION, pid: process.pid }
    socket.write(encodePacket({ head: hello, body: new Uint8Array() }))
    this.#queue.readerBegan()
    this.#tell()
  }

  #lost(): void {
    if (!this.#daemon) return
    this.#daemon = undefined
    this.#queue.readerEnded()
    for (const { tap } of this.#taps.values()) tap.giveUpAll()
  }

  #take({ head, body }: Packet): void {
    const order = head as Order
    switch (order.kind) {
      case 'run':
        return this.#run(order.id, order.settings)
      case 'stop':
        return this.#stop(order.id)
      case 'only':
        for (const id of [...this.#taps.keys()]) if (!order.ids.includes(id)) this.#stop(id)
        return
      case 'end':
        this.close()
        return this.ended.resolve()
      case 'recorded':
        this.#queue.recorded(order.id, order.count)
        return this.#tell()
      case 'give_up':
        return this.#taps.get(order.id)?.tap.giveUp(order.request)
      case 'ask': {
        const running = this.#taps.get(order.id)
        if (running) return running.tap.ask(order.request, { ...order.message, body })
        this.#queue.push({ id: order.id, observation: this.#notSent(order.request) })
        this.#tell()
      }
    }
  }

  #notSent(request: number): Observation {
    return { kind: 'not_sent', request, at: this.clock.date().getTime() }
  }

  #run(id: string, settings: TapSettings): void {
    const known = this.#taps.get(id)
    if (known && isDeepStrictEqual(known.settings, settings)) return
    known?.tap.stop()
    this.#begin(id, settings)
  }

  #stop(id: string): void {
    this.#taps.get(id)?.tap.stop()
    this.#taps.delete(id)
    this.#queue.forget(id)
  }

  #begin(id: string, settings: TapSettings): void {
    const tap = new LocalTap(settings, this.clock)
    const running: Running = { settings, tap }
    this.#taps.set(id, running)
    tap.observed.on((observation) => {
      // One that another one has replaced still tells the end of its pair.
      const current = this.#taps.get(id)
      if (current === undefined || (current !== running && observation.kind !== 'over')) return
      this.#queue.push({ id, observation })
      this.#tellSoon()
    })
    void tap.start()
  }

  /** After what passes has left: many are told in one write. */
  #tellSoon(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      this.#tell()
    })
  }

  #tell(): void {
    this.#daemon?.cork()
    this.#tellAll()
    this.#daemon?.uncork()
  }

  #tellAll(): void {
    while (this.#daemon && this.#daemon.writableLength < UNSENT_BYTES) {
      const told = this.#queue.next()
      if (told === undefined) return
      this.#write(told.id, told.observation)
    }
  }

  #write(id: string, observation: Observation): void {
    const { body = new Uint8Array() } = 'frame' in observation ? observation.frame : {}
    const plain =
      'frame' in observation ? { ...observation, frame: { header: observation.frame.header } } : observation
    this.#daemon?.write(encodePacket({ head: { id, observation: plain }, body }))
  }
}
