import { encodeFrame, type Frame, LENGTH_BYTES } from '../hsms/frame/frame.js'
import {
  dataHeader,
  HEADER_LENGTH,
  type Header,
  readHeader,
  STYPE,
  sTypeAt,
  writeHeader,
} from '../hsms/frame/header.js'
import type { DataMessage } from '../hsms/message.js'
import { HEAD_BYTES, Passing, type PassingEvents, type Verdict } from './passing.js'
import { otherSide, type Side } from './side.js'
import { hasHeader, mayHaveHeader, type Passage, STREAM9_BYTES, SystemBytes } from './system-bytes.js'

/** Bytes of a reply to one of ours that are kept; a longer one is counted, and its body is not. */
const MAX_REPLY_BYTES = 1024 * 1024

interface Reply {
  readonly header: Header
  readonly body: Uint8Array[]
  /** That have come. */
  bytes: number
}

export interface TappedLineEvents {
  /** Bytes to be written to a side at once. */
  write(to: Side, bytes: Uint8Array): void
  /** So many whole frames that a side has sent, after they were written. They are a chunk's bytes. */
  whole(from: Side, bytes: Uint8Array, frames: number): void
  /**
   * A frame has begun that comes in pieces; `head`: its first 14 bytes, as they came. `mapped`: of a primary of the host, its
   * system bytes on the equipment's side, where they are others.
   */
  begun(from: Side, head: Uint8Array, bodyLength: number, mapped: number | undefined): void
  body(from: Side, bytes: Uint8Array): void
  ended(from: Side): void
  /** A control message of a side has passed; called before its frame. */
  control(from: Side, header: Header): void
  /** A data message of a side has passed, whose header begins at `at`; called before its frame. */
  data(from: Side, bytes: Uint8Array, at: number): void
  /** From here on, the bytes of a side are no HSMS; they pass as they come. */
  unreadable(from: Side, length: number): void
  /** A primary of ours was written. `wanted`: the system bytes that were wanted for it. */
  sent(frame: Frame, wanted: number): void
  /** What the equipment sends about a primary of ours: its reply, a reject, or stream 9. It did not reach the host. */
  replied(systemBytes: number, reply: Frame): void
}

/**
 * Both directions of a tapped link, without I/O. What one side sends goes to the other as it came; primaries of ours are
 * put between two frames of the host, and what the equipment sends about them goes no further.
 */
export class TappedLine {
  readonly #systemBytes = new SystemBytes()
  readonly #sides: Readonly<Record<Side, Passing>>
  /** Primaries of ours that wait for the end of a frame of the host. */
  readonly #waiting: { readonly message: DataMessage; readonly wanted: number }[] = []
  /** The reply to one of ours whose bytes are coming. */
  #reply: Reply | undefined
  /** Of ours, what a frame that is swallowed is about. */
  #about = 0
  /** Of the host's frame that begins: its system bytes on the equipment's side, where they are others. */
  #mapped: number | undefined

  constructor(private readonly events: TappedLineEvents) {
    this.#sides = { host: new Passing(this.#from('host')), equipment: new Passing(this.#from('equipment')) }
  }

  /** What comes leaves as it comes, in one piece. */
  get isPlain(): boolean {
    return this.#systemBytes.isPlain
  }

  take(from: Side, chunk: Uint8Array): void {
    this.#sides[from].take(chunk)
    if (from === 'host') this.#sendWaiting()
  }

  /** A side has ended; what it sent last is written. */
  end(from: Side): void {
    this.#sides[from].end()
  }

  /** The link has ended: no reply to one of ours can come any more. */
  clear(): void {
    this.#systemBytes.clear()
    this.#waiting.length = 0
    this.#reply = undefined
  }

  /** Sends a primary of ours between two frames of the host; gives its system bytes: those that are wanted, unless they are in use. */
  send(message: Omit<DataMessage, 'systemBytes'>, wanted?: number): number {
    const systemBytes = this.#systemBytes.reserve(wanted)
    this.#waiting.push({ message: { ...message, systemBytes }, wanted: wanted ?? systemBytes })
    this.#sendWaiting()
    return systemBytes
  }

  /** A primary of ours is not waited for any more. True where it has not left: then its system bytes are free. */
  giveUp(systemBytes: number): boolean {
    const at = this.#waiting.findIndex(({ message }) => message.systemBytes === systemBytes)
    if (at < 0) return false
    this.#waiting.splice(at, 1)
    this.#systemBytes.release(systemBytes)
    return true
  }

  #sendWaiting(): void {
    // A reply that is not seen would reach the host.
    while (this.#sides.host.isAtBorder && this.#sides.equipment.isReadable) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      const { message, wanted } = next
      const frame = { header: dataHeader(message), body: message.body }
      this.events.write('equipment', encodeFrame(frame))
      this.events.sent(frame, wanted)
    }
  }

  #from(from: Side): PassingEvents {
    const { events } = this
    const to = otherSide(from)
    return {
      forward: (bytes) => events.write(to, bytes),
      holds: () => !this.#systemBytes.isPlain,
      needed: (header, length) => (from === 'equipment' && mayHaveHeader(header, length) ? STREAM9_BYTES : 0),
      judge: (header, bytes) =>
        from === 'host' ? this.#fromHost(header, bytes) : this.#fromEquipment(header, bytes),
      passed: (bytes, at) => {
        if (sTypeAt(bytes, at) !== STYPE.data) return events.control(from, readHeader(bytes, at))
        this.#systemBytes.passed(from, bytes, at)
        events.data(from, bytes, at)
      },
      whole: (bytes, frames) => events.whole(from, bytes, frames),
      begun: (head, bodyLength, isSwallowed) => {
        if (isSwallowed) this.#reply = { header: readHeader(head, LENGTH_BYTES), body: [], bytes: 0 }
        else events.begun(from, head, bodyLength, from === 'host' ? this.#mapped : undefined)
        if (from === 'host') this.#mapped = undefined
      },
      body: (bytes) => {
        if (from === 'equipment' && this.#reply) this.#keep(this.#reply, bytes)
        else events.body(from, bytes)
      },
      ended: (isSwallowed) => {
        if (isSwallowed) this.#replyIsWhole()
        else events.ended(from)
        if (from === 'host') this.#sendWaiting()
      },
      unreadable: (length) => events.unreadable(from, length),
    }
  }

  #fromHost(header: Header, bytes: Uint8Array): Verdict {
    this.#looked('host', header, bytes)
    const systemBytes = this.#systemBytes.fromHost(header)
    if (systemBytes !== header.systemBytes) this.#mapped = systemBytes
    return { head: withSystemBytes(header, bytes, systemBytes), isSwallowed: false }
  }

  #fromEquipment(header: Header, bytes: Uint8Array): Verdict {
    const at = HEAD_BYTES + STREAM9_BYTES - HEADER_LENGTH
    const isAbout = bytes.length > HEAD_BYTES && hasHeader(bytes, HEAD_BYTES)
    const subject = isAbout ? readHeader(bytes, at) : header
    const passage: Passage = isAbout
      ? this.#systemBytes.inStream9(subject)
      : this.#systemBytes.fromEquipment(header)
    if (passage === 'swallowed') {
      this.#about = subject.systemBytes
      return { head: bytes, isSwallowed: true }
    }
    this.#looked('equipment', header, bytes)
    const head = isAbout ? Uint8Array.from(bytes) : withSystemBytes(header, bytes, passage)
    if (isAbout) writeHeader({ ...subject, systemBytes: passage }, head, at)
    return { head, isSwallowed: false }
  }

  #looked(from: Side, header: Header, bytes: Uint8Array): void {
    if (header.sType === STYPE.data) this.events.data(from, bytes, LENGTH_BYTES)
    else this.events.control(from, header)
  }

  #keep(reply: Reply, bytes: Uint8Array): void {
    reply.bytes += bytes.length
    if (reply.bytes <= MAX_REPLY_BYTES) reply.body.push(bytes.slice())
    else reply.body.length = 0
  }

  #replyIsWhole(): void {
    const reply = this.#reply
    if (!reply) return
    this.#reply = undefined
    this.#systemBytes.release(this.#about)
    this.events.replied(this.#about, { header: reply.header, body: Buffer.concat(reply.body) })
  }
}

/** The bytes of a frame with other system bytes in its header. */
function withSystemBytes(header: Header, bytes: Uint8Array, systemBytes: number): Uint8Array {
  if (header.systemBytes === systemBytes) return bytes
  const changed = Uint8Array.from(bytes)
  writeHeader({ ...header, systemBytes }, changed, LENGTH_BYTES)
  return changed
}
