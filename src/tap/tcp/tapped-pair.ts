import type { Socket } from 'node:net'
import type { Endpoints } from '../../hsms/capture/wire.js'
import { endpointsOf } from '../../hsms/tcp/tcp-connection.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { otherSide, type PairEnd, type Side } from '../side.js'
import { TappedLine, type TappedLineEvents } from '../tapped-line.js'

/** Milliseconds that a side may take to end once the other one has, or to take some of the last bytes. */
const LINGER_MS = 10_000
/** Milliseconds after which the system asks a silent peer whether it is still there. */
const KEEP_ALIVE_MS = 30_000

export interface PairEvents extends Omit<TappedLineEvents, 'write'> {
  /** Bytes of a side were written to the other one, `ms` after they were read. */
  took(from: Side, bytes: number, ms: number): void
  /** A side did not take what the other one sent, for so many milliseconds. */
  held(by: Side, ms: number): void
  /** Both connections have ended. `first`: the side that ended first. */
  over(first: Side, how: PairEnd): void
}

/**
 * Two connections that are one: what comes by one leaves by the other, at once and with nothing between. Who does not
 * read stops the other side by TCP's own means. A side that ends is followed by the other in the same way, once it has
 * got what was sent to it.
 */
export class TappedPair {
  readonly line: TappedLine
  readonly #sockets: Readonly<Record<Side, Socket>>
  readonly #open = new Set<Side>(['host', 'equipment'])
  /** Sides that do not take what is written to them, and since when. */
  readonly #full = new Map<Side, number>()
  #first: { readonly side: Side; readonly how: PairEnd } | undefined
  #cancel: Cancel = () => {}

  /** Both are connected, and neither has been read. */
  constructor(
    sockets: Readonly<Record<Side, Socket>>,
    private readonly clock: Clock,
    private readonly events: PairEvents,
  ) {
    this.#sockets = sockets
    this.line = new TappedLine({ ...events, write: (to, bytes) => this.#write(to, bytes) })
    this.#follow('host')
    this.#follow('equipment')
  }

  /** The ends of each connection. */
  get endpoints(): Readonly<Record<Side, Endpoints>> {
    return { host: endpointsOf(this.#sockets.host), equipment: endpointsOf(this.#sockets.equipment) }
  }

  /** Ends both, the equipment's first. The host's peer may be gone: it is not waited for. */
  close(): void {
    this.#sockets.equipment.end()
    this.#ends('equipment', 'closed')
    this.#sockets.host.destroySoon()
  }

  #follow(side: Side): void {
    const socket = this.#sockets[side]
    socket.setNoDelay(true)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.on('data', (chunk) => this.#pass(side, chunk))
    socket.on('drain', () => {
      this.#takesAgain(side)
      this.#sockets[otherSide(side)].resume()
    })
    socket.on('end', () => {
      this.#ends(side, 'closed')
      this.#sockets[otherSide(side)].end()
    })
    socket.on('error', () => {
      this.#ends(side, 'broken')
      this.#breakOff(otherSide(side))
    })
    socket.on('close', () => this.#closed(side))
    socket.resume()
  }

  #pass(from: Side, chunk: Uint8Array): void {
    const began = this.clock.now()
    this.#forward(from, chunk)
    this.events.took(from, chunk.length, this.clock.now() - began)
  }

  #forward(from: Side, chunk: Uint8Array): void {
    if (this.line.isPlain) return this.line.take(from, chunk)
    // Each frame is looked at before it leaves: all that leave of a chunk do so in one write.
    const to = this.#sockets[otherSide(from)]
    to.cork()
    this.line.take(from, chunk)
    to.uncork()
  }

  #write(to: Side, bytes: Uint8Array): void {
    const socket = this.#sockets[to]
    // A chunk that was read shares its memory with nothing else, so that it can wait here.
    if (!socket.writable || socket.write(bytes)) return
    if (!this.#full.has(to)) this.#full.set(to, this.clock.now())
    this.#sockets[otherSide(to)].pause()
  }

  #takesAgain(side: Side): void {
    const since = this.#full.get(side)
    this.#full.delete(side)
    if (since !== undefined) this.events.held(side, this.clock.now() - since)
  }

  /** Nothing more comes from a side. */
  #ends(side: Side, how: PairEnd): void {
    this.line.end(side)
    if (this.#first) return
    this.#first = { side, how }
    this.#linger(this.#delivered)
  }

  /** Bytes that both sides have been sent, beside those that wait here. */
  get #delivered(): number {
    const { host, equipment } = this.#sockets
    return host.bytesWritten - host.writableLength + equipment.bytesWritten - equipment.writableLength
  }

  /** As long as a side takes what was sent to it, it may take longer. */
  #linger(delivered: number): void {
    this.#cancel = this.clock.at(this.clock.now() + LINGER_MS, () => {
      const now = this.#delivered
      if (now > delivered) return this.#linger(now)
      for (const one of this.#open) this.#sockets[one].destroy()
    })
  }

  /** Ends a side with RST, once it has got what was sent to it. */
  #breakOff(side: Side): void {
    const socket = this.#sockets[side]
    if (socket.destroyed) return
    if (socket.writableLength === 0) socket.resetAndDestroy()
    else socket.write('', () => socket.resetAndDestroy())
  }

  #closed(side: Side): void {
    this.#open.delete(side)
    this.#ends(side, 'broken')
    if (this.#open.size > 0) return
    this.#cancel()
    this.line.clear()
    const { side: first, how } = this.#first as { readonly side: Side; readonly how: PairEnd }
    this.events.over(first, how)
  }
}
