import { LENGTH_BYTES } from '../hsms/frame/frame.js'
import { HEADER_LENGTH, type Header, readHeader } from '../hsms/frame/header.js'
import { STREAM9_BYTES } from './system-bytes.js'

/** Bytes of a frame up to the end of its header. */
export const HEAD_BYTES = LENGTH_BYTES + HEADER_LENGTH
/** The longest message length that is taken for one, in bytes: what begins with more is no HSMS. */
export const MAX_LENGTH = 0x1000_0000
/** Most bytes of a frame that are held: its head, and the header in the body of stream 9. */
const MAX_HELD = HEAD_BYTES + STREAM9_BYTES

/** What is done with a frame once its head is there. */
export interface Verdict {
  /** Whole bytes from the frame's beginning that replace those that are held. */
  readonly head: Uint8Array
  readonly isSwallowed: boolean
}

export interface PassingEvents {
  /** Bytes for the other side, to be written at once. */
  forward(bytes: Uint8Array): void
  /** Whether heads have to be seen before they pass. Asked at the beginning of each frame. */
  holds(): boolean
  /** More bytes of a frame that have to be held before `judge` can be asked, beside its head. */
  needed(header: Header, bodyLength: number): number
  /** Of a frame that was held: `bytes` are its head and what `needed` asked for. */
  judge(header: Header, bytes: Uint8Array): Verdict
  /** A header has passed without being held; it begins at `at`. */
  passed(bytes: Uint8Array, at: number): void
  /** So many whole frames have passed. The bytes are a chunk's: who keeps them has to copy them. */
  whole(bytes: Uint8Array, frames: number): void
  /** A frame that is not in one chunk, or was held, has begun. `head`: its first 14 bytes, as they came. */
  begun(head: Uint8Array, bodyLength: number, isSwallowed: boolean): void
  /** Bytes of its body, which are a chunk's. */
  body(bytes: Uint8Array): void
  ended(isSwallowed: boolean): void
  /** What follows is no HSMS: it passes as it comes, and has no borders. */
  unreadable(length: number): void
}

/**
 * One direction of a tapped link. Finds where frames begin and end in passing bytes. No byte waits for a whole frame,
 * and none for a whole head unless `holds` asks for it.
 */
export class Passing {
  /** Of the frame that has begun: its first bytes, and how many of them there are. */
  readonly #head = new Uint8Array(MAX_HELD)
  #filled = 0
  #header: Header | undefined
  /** Bytes that `judge` needs; undefined where the frame is not held. */
  #held: number | undefined
  /** Bytes of the body that are still to come. */
  #left = 0
  #isSwallowed = false
  #isReadable = true
  /** The chunk that is looked at has left already. */
  #isForwarded = false

  constructor(private readonly events: PassingEvents) {}

  get isReadable(): boolean {
    return this.#isReadable
  }

  /** What has been forwarded ends with a frame: another one may be put in here. */
  get isAtBorder(): boolean {
    return this.#isReadable && this.#filled === 0 && !this.#isForwarded
  }

  take(chunk: Uint8Array): void {
    // The line comes first: where nothing is held or swallowed, all of it leaves before it is looked at.
    this.#isForwarded = this.#held === undefined && !this.#isSwallowed && !this.events.holds()
    if (this.#isForwarded) this.events.forward(chunk)
    let at = 0
    while (at < chunk.length && this.#isReadable) {
      const from = at
      if (this.#isForwarded && this.#filled === 0) at = this.#whole(chunk, at)
      if (at === from)
        at = this.#header && this.#held === undefined ? this.#body(chunk, at) : this.#begin(chunk, at)
    }
    if (at < chunk.length) this.#forward(chunk.subarray(at))
    this.#isForwarded = false
  }

  /** Passes over the whole frames in a chunk that has left already. Gives where they end. */
  #whole(chunk: Uint8Array, from: number): number {
    let at = from
    let frames = 0
    while (chunk.length - at >= HEAD_BYTES) {
      const length = lengthAt(chunk, at)
      const end = at + LENGTH_BYTES + length
      if (length < HEADER_LENGTH || length > MAX_LENGTH || end > chunk.length) break
      this.events.passed(chunk, at + LENGTH_BYTES)
      at = end
      frames++
    }
    if (frames > 0) this.events.whole(chunk.subarray(from, at), frames)
    return at
  }

  #forward(bytes: Uint8Array): void {
    if (!this.#isForwarded) this.events.forward(bytes)
  }

  /** The side has ended: what is held of a frame that will never be whole. */
  end(): void {
    if (this.#held !== undefined && this.#filled > 0)
      this.events.forward(Uint8Array.from(this.#head.subarray(0, this.#filled)))
    this.#reset()
  }

  #reset(): void {
    this.#filled = 0
    this.#header = undefined
    this.#held = undefined
    this.#isSwallowed = false
  }

  /** Takes bytes of a head, or of what is held after it. Gives where the next byte is. */
  #begin(chunk: Uint8Array, from: number): number {
    if (this.#filled === 0) this.#held = !this.#isForwarded && this.events.holds() ? HEAD_BYTES : undefined
    const isHeld = this.#held !== undefined
    const wanted = this.#filled < LENGTH_BYTES ? LENGTH_BYTES : (this.#held ?? HEAD_BYTES)
    const to = Math.min(chunk.length, from + wanted - this.#filled)
    this.#head.set(chunk.subarray(from, to), this.#filled)
    this.#filled += to - from
    if (!isHeld) this.#forward(chunk.subarray(from, to))
    if (this.#filled < wanted) return to
    if (wanted === LENGTH_BYTES) this.#checkLength()
    else if (this.#header === undefined) this.#headIsThere()
    else this.#judged()
    return to
  }

  #checkLength(): void {
    const length = lengthAt(this.#head, 0)
    if (length >= HEADER_LENGTH && length <= MAX_LENGTH) return
    this.#isReadable = false
    this.end()
    this.events.unreadable(length)
  }

  #headIsThere(): void {
    const header = readHeader(this.#head, LENGTH_BYTES)
    const bodyLength = lengthAt(this.#head, 0) - HEADER_LENGTH
    this.#header = header
    this.#left = bodyLength
    if (this.#held === undefined) {
      this.events.passed(this.#head, LENGTH_BYTES)
      return this.#goOn(this.#head.slice(0, HEAD_BYTES), bodyLength)
    }
    this.#held += this.events.needed(header, bodyLength)
    if (this.#held === HEAD_BYTES) this.#judged()
  }

  #judged(): void {
    const bytes = this.#head.slice(0, this.#filled)
    const { head, isSwallowed } = this.events.judge(this.#header as Header, bytes)
    this.#isSwallowed = isSwallowed
    this.#held = undefined
    if (!isSwallowed) this.events.forward(head)
    this.#goOn(bytes.subarray(0, HEAD_BYTES), this.#left, bytes.subarray(HEAD_BYTES))
  }

  /** The head has passed; `body`: what was held of the body. */
  #goOn(head: Uint8Array, bodyLength: number, body: Uint8Array = new Uint8Array()): void {
    this.events.begun(head, bodyLength, this.#isSwallowed)
    this.#left = bodyLength
    this.#passed(body)
  }

  #body(chunk: Uint8Array, from: number): number {
    const to = Math.min(chunk.length, from + this.#left)
    const bytes = chunk.subarray(from, to)
    if (!this.#isSwallowed) this.#forward(bytes)
    this.#passed(bytes)
    return to
  }

  #passed(bytes: Uint8Array): void {
    if (bytes.length > 0) this.events.body(bytes)
    this.#left -= bytes.length
    if (this.#left > 0) return
    const isSwallowed = this.#isSwallowed
    this.#reset()
    this.events.ended(isSwallowed)
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0]
  return a * 2 ** 24 + ((b << 16) | (c << 8) | d)
}
