import type { Fault } from '../fault.js'
import { protocolOf } from '../first-bytes.js'
import { HEADER_LENGTH, type Header, readHeader, writeHeader } from './header.js'
import { PartialMessage } from './partial-message.js'

/** One HSMS message as it travels: the header and the body. */
export interface Frame {
  readonly header: Header
  readonly body: Uint8Array
}

/** The byte stream cannot be read any further: the connection has to end. */
export class FrameError extends Error {
  override readonly name = 'FrameError'

  /** `bytes`: what came, from the first that cannot be read. */
  constructor(
    readonly fault: Fault,
    readonly bytes: Uint8Array,
  ) {
    super(fault.detail)
  }
}

/** The length in front of each message. */
export const LENGTH_BYTES = 4

/** Shared: there is nothing in it to change. */
const NO_BODY = new Uint8Array()

/** `slice` takes several times as long as a loop for a body of so few bytes, and most secondaries have no more. */
const SHORT = 32

/** For the wire, and not to be kept: a short frame shares its memory with others. */
export function encodeFrame(frame: Frame): Uint8Array {
  const { body } = frame
  const bytes = encodeHead(frame, body.length)
  if (body.length > 0) bytes.set(body, LENGTH_BYTES + HEADER_LENGTH)
  return bytes
}

/** The length and the header, and room for so many bytes of the body. */
export function encodeHead({ header, body }: Frame, room = 0): Uint8Array {
  const length = HEADER_LENGTH + body.length
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + HEADER_LENGTH + room) // every byte is written
  bytes[0] = length >>> 24
  bytes[1] = length >>> 16
  bytes[2] = length >>> 8
  bytes[3] = length
  writeHeader(header, bytes, LENGTH_BYTES)
  return bytes
}

/** Cuts one connection's bytes into frames, however the network chose to cut them into chunks. */
export class FrameReader {
  /** The first bytes of a length whose last ones have not come. */
  readonly #prefix: number[] = []
  /** The message whose length is known and whose last bytes have not come. */
  #partial: PartialMessage | undefined
  #first = true
  #chunk: Uint8Array = NO_BODY
  /** How far the chunk has been read. */
  #at = 0

  /** `maxLength`: the longest message taken, header included, in bytes. */
  constructor(readonly maxLength: number) {}

  /** True while part of a frame has arrived and the rest has not: the time T8 bounds. */
  get midFrame(): boolean {
    return this.#prefix.length > 0 || this.#partial !== undefined
  }

  /** Bytes of the frame that has arrived in part; 0 where there is none. */
  get partialBytes(): number {
    return this.#prefix.length + (this.#partial ? LENGTH_BYTES + this.#partial.filled : 0)
  }

  /** What follows the frame that `read` gave last in its chunk. */
  get unread(): Uint8Array {
    return this.#chunk.subarray(this.#at)
  }

  /**
   * Gives the frames that `chunk` completes; their bodies are copies. A caller that stops early has to read
   * `unread` next. Throws `FrameError`, after the frames that were whole, for a length that cannot be mended.
   */
  *read(chunk: Uint8Array): Generator<Frame, void> {
    // A Buffer's `slice` would share the chunk's memory, and keep all of it for the sake of one body.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    this.#chunk = bytes
    while (at < bytes.length) {
      if (!this.#partial) {
        const length = this.#length(bytes, at)
        if (length === undefined) return
        at += LENGTH_BYTES - this.#prefix.length
        this.#prefix.length = 0
        this.#first = false
        const end = at + length
        if (end <= bytes.length) {
          const body = copied(bytes, at + HEADER_LENGTH, end)
          const frame = { header: readHeader(bytes, at), body }
          at = end
          this.#at = at
          yield frame
          continue
        }
        this.#partial = new PartialMessage(length)
      }
      at += this.#partial.take(bytes, at)
      if (!this.#partial.whole) return
      const message = this.#partial.join()
      this.#partial = undefined
      this.#at = at
      yield { header: readHeader(message, 0), body: message.subarray(HEADER_LENGTH) }
    }
    this.#chunk = NO_BODY // otherwise quiet equipment would keep its last one
  }

  /** The length that begins in the prefix and continues at `at`; undefined, and its bytes kept, when it is not whole. */
  #length(bytes: Uint8Array, at: number): number | undefined {
    const known = this.#prefix.length
    const first = this.#byte(0, bytes, at)
    if (known + bytes.length - at < LENGTH_BYTES) {
      this.#prefix.push(...bytes.subarray(at))
      // The first byte alone may show that the length is more than we accept.
      if (this.#first && first * 2 ** 24 > this.maxLength) this.#refuseOther(new Uint8Array())
      return undefined
    }
    const rest = (this.#byte(1, bytes, at) << 16) | (this.#byte(2, bytes, at) << 8) | this.#byte(3, bytes, at)
    const length = first * 2 ** 24 + rest
    if (length >= HEADER_LENGTH && length <= this.maxLength) return length
    if (this.#first && length > this.maxLength) this.#refuseOther(bytes.subarray(at))
    throw new FrameError(this.#badLength(length), this.#unread(bytes.subarray(at)))
  }

  /** A byte of the length that begins in the prefix and continues at `at`. */
  #byte(index: number, bytes: Uint8Array, at: number): number {
    return this.#prefix[index] ?? bytes[at + index - this.#prefix.length] ?? 0
  }

  /** Names the protocol of a peer that does not begin with a length, where the bytes show it. */
  #refuseOther(rest: Uint8Array): void {
    const unread = this.#unread(rest)
    const who = protocolOf(unread.subarray(0, LENGTH_BYTES))
    if (who) throw new FrameError({ code: 'not_hsms', detail: `the peer speaks ${who}, not HSMS` }, unread)
  }

  #unread(rest: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#prefix.length + rest.length)
    bytes.set(this.#prefix)
    bytes.set(rest, this.#prefix.length)
    return bytes
  }

  #badLength(length: number): Fault {
    const why =
      length < HEADER_LENGTH
        ? `has no room for its header of ${HEADER_LENGTH}`
        : `is above the limit of ${this.maxLength}`
    return { code: 'bad_frame', detail: `the peer sent a message length of ${length}, which ${why}` }
  }
}

function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const length = to - from
  if (length === 0) return NO_BODY
  if (length > SHORT) return bytes.slice(from, to)
  const copy = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) copy[at] = bytes[from + at] ?? 0
  return copy
}
