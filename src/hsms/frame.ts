import type { Fault } from './fault.js'
import { foreignProtocol } from './foreign-protocol.js'
import { HEADER_LENGTH, type Header, readHeader, writeHeader } from './header.js'

/** One HSMS message as it travels: the header, and the body behind it. */
export interface Frame {
  readonly header: Header
  readonly body: Uint8Array
}

/** The byte stream cannot be read any further: the connection has to end. */
export class FrameError extends Error {
  override readonly name = 'FrameError'

  constructor(readonly fault: Fault) {
    super(fault.detail)
  }
}

const LENGTH_BYTES = 4

/** Room made for a frame before its bytes are there; grows with what really arrives. */
const FIRST_ROOM = 16 * 1024

const NOTHING = new Uint8Array()

export function encodeFrame({ header, body }: Frame): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES + HEADER_LENGTH + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, HEADER_LENGTH + body.length)
  writeHeader(header, view, LENGTH_BYTES)
  bytes.set(body, LENGTH_BYTES + HEADER_LENGTH)
  return bytes
}

/** Cuts one connection's bytes into frames, however the network chose to cut them into chunks. */
export class FrameReader {
  readonly #prefix = new Uint8Array(LENGTH_BYTES)
  #prefixFilled = 0
  /** The length that the prefix announced; undefined while the prefix is not whole. */
  #length: number | undefined
  /** What has arrived of header and body, when it came in more than one chunk. */
  #partial = NOTHING
  #filled = 0
  #first = true

  /** `maxLength`: the longest message taken, header included, in bytes. */
  constructor(readonly maxLength: number) {}

  /** True while part of a frame has arrived and the rest has not: the time T8 bounds. */
  get midFrame(): boolean {
    return this.#prefixFilled > 0
  }

  /**
   * Gives the frames that `chunk` completes. Whoever stops early gives up the rest of the chunk.
   * Throws `FrameError`, behind the frames that were whole, for a length that cannot be mended.
   */
  *read(chunk: Uint8Array): Generator<Frame, void> {
    let at = 0
    while (at < chunk.length) {
      if (this.#length === undefined) {
        at = this.#readPrefix(chunk, at)
        if (this.#length === undefined) return
      }
      const missing = this.#length - this.#filled
      const piece = chunk.subarray(at, at + missing)
      at += piece.length
      if (piece.length < missing) return this.#keep(piece, this.#length)
      yield this.#complete(piece, this.#length)
    }
  }

  /** Takes bytes of the length until it is whole; tells how far it came. */
  #readPrefix(chunk: Uint8Array, from: number): number {
    const taken = chunk.subarray(from, from + LENGTH_BYTES - this.#prefixFilled)
    this.#prefix.set(taken, this.#prefixFilled)
    this.#prefixFilled += taken.length
    this.#refuseForeign()
    if (this.#prefixFilled === LENGTH_BYTES) this.#length = this.#checkedLength()
    return from + taken.length
  }

  #refuseForeign(): void {
    const least = ((this.#prefix[0] ?? 0) << 24) >>> 0
    // A length that we would take is a length, whatever it looks like.
    if (!this.#first || least <= this.maxLength) return
    const who = foreignProtocol(this.#prefix.subarray(0, this.#prefixFilled))
    if (who) throw new FrameError({ code: 'not_hsms', detail: `the peer speaks ${who}, not HSMS` })
  }

  #checkedLength(): number {
    const length = new DataView(this.#prefix.buffer).getUint32(0)
    if (length >= HEADER_LENGTH && length <= this.maxLength) return length
    const why =
      length < HEADER_LENGTH
        ? `has no room for its header of ${HEADER_LENGTH}`
        : `is above the limit of ${this.maxLength}`
    throw new FrameError({
      code: 'bad_frame',
      detail: `the peer sent a message length of ${length}, which ${why}`,
    })
  }

  /** Doubling the room keeps the copying linear; an announced length alone never makes us allocate. */
  #keep(piece: Uint8Array, length: number): void {
    const needed = this.#filled + piece.length
    if (needed > this.#partial.length) {
      const room = new Uint8Array(Math.min(length, Math.max(needed, 2 * this.#partial.length, FIRST_ROOM)))
      room.set(this.#partial.subarray(0, this.#filled))
      this.#partial = room
    }
    this.#partial.set(piece, this.#filled)
    this.#filled = needed
  }

  #complete(piece: Uint8Array, length: number): Frame {
    let bytes = piece
    if (this.#filled > 0) {
      this.#keep(piece, length)
      bytes = this.#partial.subarray(0, length)
    } else {
      bytes = new Uint8Array(piece) // a copy: the chunk holds more, and belongs to the network
    }
    this.#prefixFilled = 0
    this.#length = undefined
    this.#partial = NOTHING
    this.#filled = 0
    this.#first = false
    return { header: readHeader(bytes), body: bytes.subarray(HEADER_LENGTH) }
  }
}
