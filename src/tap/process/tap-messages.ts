import type { DataMessage } from '../../hsms/message.js'
import type { Observation } from '../observation.js'
import type { TapSettings } from '../tap-settings.js'

/** What a daemon has the process of the taps do. `id`: of a tap. */
export type Order =
  /** One that runs with the same settings goes on as it is. */
  | { readonly kind: 'run'; readonly id: string; readonly settings: TapSettings }
  | { readonly kind: 'stop'; readonly id: string }
  /** Stops all others. */
  | { readonly kind: 'only'; readonly ids: readonly string[] }
  /** Stops all, and ends the process: understood by every version. */
  | { readonly kind: 'end' }
  | {
      readonly kind: 'ask'
      readonly id: string
      readonly request: number
      readonly message: Omit<DataMessage, 'systemBytes' | 'body'>
    }
  | { readonly kind: 'give_up'; readonly id: string; readonly request: number }
  | { readonly kind: 'recorded'; readonly id: string; readonly count: number }

/** What the process tells: of one tap. The body of a frame follows the text of the message. */
export interface Told {
  readonly id: string
  readonly observation: Observation
}

/** The version of these messages: a daemon and a process that differ in it do not work together. */
export const TAP_VERSION = 2

/** What the process says first. */
export interface Hello {
  readonly kind: 'hello'
  readonly version: number
  readonly pid: number
}

/** Bytes before each message: the lengths of its text and of the bytes after it. */
const PREFIX = 8
/** The longest text, and the longest bytes after it. */
const MAX_BYTES = 32 * 1024 * 1024

/** A message between daemon and process: JSON, and bytes that belong to it. */
export interface Packet {
  readonly head: unknown
  readonly body: Uint8Array
}

export function encodePacket({ head, body }: Packet): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32BE(text.length, 0)
  prefix.writeUInt32BE(body.length, 4)
  return Buffer.concat([prefix, text, body])
}

/** Cuts bytes into packets, however they are cut into chunks. Throws for what is none. */
export class PacketReader {
  #chunks: Uint8Array[] = []
  /** Bytes that are there, and those that have to be before the next packet is whole, as far as that is known. */
  #sizes = { there: 0, wanted: PREFIX };

  *read(chunk: Uint8Array): Generator<Packet, void> {
    this.#chunks.push(chunk)
    this.#sizes.there += chunk.length
    if (this.#sizes.there < this.#sizes.wanted) return
    const bytes = Buffer.concat(this.#chunks)
    let at = 0
    let wanted = PREFIX
    while (bytes.length - at >= PREFIX) {
      const [text, body] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      if (text > MAX_BYTES || body > MAX_BYTES) throw new Error('a message of a tap is too long')
      wanted = PREFIX + text + body
      if (bytes.length - at < wanted) break
      const head: unknown = JSON.parse(bytes.toString('utf8', at + PREFIX, at + PREFIX + text))
      yield { head, body: Uint8Array.from(bytes.subarray(at + PREFIX + text, at + wanted)) }
      at += wanted
      wanted = PREFIX
    }
    this.#chunks = [bytes.subarray(at)]
    this.#sizes = { there: bytes.length - at, wanted }
  }
}
