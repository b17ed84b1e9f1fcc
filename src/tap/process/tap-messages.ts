import type { DataMessage } from '../../hsms/message.js'
import type { PassedFrames, TapEvent } from '../observation.js'
import type { TapCounts } from '../tap-counts.js'
import type { TapSettings } from '../tap-settings.js'

/** What a daemon has the process of the taps do. `id`: of a tap. */
export type Order =
  /** One that runs with the same settings goes on as it is. `leaseMs`: as `lease` says it; undefined where this daemon is alone. */
  | { readonly kind: 'run'; readonly id: string; readonly settings: TapSettings; readonly leaseMs?: number }
  /** Ends its link. The last of it is told, then `Left`. */
  | { readonly kind: 'stop'; readonly id: string }
  /** The daemon looks at it no more, and the link goes on: nothing more is told, then `Left`. */
  | { readonly kind: 'leave'; readonly id: string }
  /** Stops all others. */
  | { readonly kind: 'only'; readonly ids: readonly string[] }
  /** Stops all, and ends the process: understood by every version. */
  | { readonly kind: 'end' }
  /**
   * No other daemon takes the equipment of this one before so many milliseconds have passed. Then the taps that this daemon
   * runs end, unless this is said again.
   */
  | { readonly kind: 'lease'; readonly ms: number }
  | {
      readonly kind: 'ask'
      readonly id: string
      readonly request: number
      readonly message: Omit<DataMessage, 'systemBytes' | 'body'>
    }
  /** Asks for `StatusTold`. Anybody may, and is not taken for the daemon. */
  | { readonly kind: 'status' }
  | { readonly kind: 'give_up'; readonly id: string; readonly request: number }
  | { readonly kind: 'recorded'; readonly id: string; readonly count: number }
  /** Asks what has happened on a tap; `query` is a number of the daemon's. */
  | { readonly kind: 'count'; readonly id: string; readonly query: number }

/** What the process tells of one tap, but for frames. The body of a reply, or of a primary of ours, follows the text of the message. */
export interface ToldEvent {
  readonly id: string
  readonly event: Exclude<TapEvent, PassedFrames>
}

/** What has happened on a tap, as it was asked for; null where it does not run. */
export interface Counted {
  readonly query: number
  readonly counts: TapCounts | null
}

/** Nothing more is told of this tap, as it was ordered. */
export interface Left {
  readonly left: string
}

/** The version of these messages: a daemon and a process that differ in it do not work together. */
export const TAP_VERSION = 5

/** What the process says first: understood by every version. */
export interface Hello {
  readonly kind: 'hello'
  readonly version: number
  readonly pid: number
}

/** What the process says of itself, to whoever asks. */
export interface StatusTold {
  readonly kind: 'status'
  /** Of the program. */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly memoryBytes: number
  /** What waits for the daemon, or for being recorded, and the most that may. */
  readonly queueBytes: number
  readonly queueLimit: number
  /** Taps, and those of them whose host and equipment are connected. */
  readonly taps: number
  readonly connected: number
  /** A daemon looks. */
  readonly isRead: boolean
}

/** Bytes before each message: the lengths of its text and of the bytes after it. */
const PREFIX = 8
/** The longest text, and the longest bytes after it. */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes before the id of a tap and its frames: the side, the length of the id, how many frames and data messages, mapped bytes, and the time. */
const FRAMES_HEAD = 22
const OF_EQUIPMENT = 1
const IS_MAPPED = 2

/** A message between daemon and process: JSON, and bytes that belong to it. Frames have no text. */
export interface Packet {
  readonly head: unknown
  readonly body: Uint8Array
}

export function encodePacket({ head, body }: Packet): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  return Buffer.concat([prefixOf(text.length, body.length), text, body])
}

function prefixOf(text: number, body: number): Buffer {
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32BE(text, 0)
  prefix.writeUInt32BE(body, 4)
  return prefix
}

/** What stands before frames of a tap that are told: they follow it as they came. */
export function framesHead(
  id: string,
  { from, bytes, count, messages, mapped, at }: PassedFrames,
): Uint8Array {
  const name = Buffer.byteLength(id)
  const head = Buffer.allocUnsafe(PREFIX + FRAMES_HEAD + name)
  head.writeUInt32BE(0, 0)
  head.writeUInt32BE(FRAMES_HEAD + name + bytes.length, 4)
  head[PREFIX] = (from === 'host' ? 0 : OF_EQUIPMENT) | (mapped === undefined ? 0 : IS_MAPPED)
  head[PREFIX + 1] = name
  head.writeUInt32BE(count, PREFIX + 2)
  head.writeUInt32BE(messages, PREFIX + 6)
  head.writeUInt32BE(mapped ?? 0, PREFIX + 10)
  head.writeDoubleBE(at, PREFIX + 14)
  head.write(id, PREFIX + FRAMES_HEAD)
  return head
}

/** Frames of a tap in the body of a packet without text. */
export function readFrames(body: Uint8Array): { readonly id: string; readonly frames: PassedFrames } {
  const view = Buffer.from(body.buffer, body.byteOffset, body.length)
  const bytesAt = FRAMES_HEAD + (body[1] ?? 0)
  const id = view.toString('utf8', FRAMES_HEAD, bytesAt)
  const flags = body[0] ?? 0
  const frames: PassedFrames = {
    kind: 'frames',
    from: flags & OF_EQUIPMENT ? 'equipment' : 'host',
    count: view.readUInt32BE(2),
    messages: view.readUInt32BE(6),
    ...(flags & IS_MAPPED && { mapped: view.readUInt32BE(10) }),
    at: view.readDoubleBE(14),
    bytes: body.subarray(bytesAt),
  }
  return { id, frames }
}

/**
 * Cuts bytes into packets, however they are cut into chunks. The body of a packet shares its memory with others. Throws
 * for what is none.
 */
export class PacketReader {
  #chunks: Uint8Array[] = []
  /** Bytes that are there, and those that have to be before the next packet is whole, as far as that is known. */
  #sizes = { there: 0, wanted: PREFIX };

  *read(chunk: Uint8Array): Generator<Packet, void> {
    this.#chunks.push(chunk)
    this.#sizes.there += chunk.length
    if (this.#sizes.there < this.#sizes.wanted) return
    const bytes =
      this.#chunks.length > 1
        ? Buffer.concat(this.#chunks)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    let wanted = PREFIX
    while (bytes.length - at >= PREFIX) {
      const [text, body] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      if (text > MAX_BYTES || body > MAX_BYTES) throw new Error('a message of a tap is too long')
      wanted = PREFIX + text + body
      if (bytes.length - at < wanted) break
      const end = at + PREFIX + text
      const head: unknown = text === 0 ? undefined : JSON.parse(bytes.toString('utf8', at + PREFIX, end))
      yield { head, body: bytes.subarray(end, at + wanted) }
      at += wanted
      wanted = PREFIX
    }
    this.#chunks = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#sizes = { there: bytes.length - at, wanted }
  }
}
