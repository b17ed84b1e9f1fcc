import type { DataMessage } from '../hsms/message.js'
import type { Block, BlockHeader } from './block.js'
import type { Secs1Settings } from './settings.js'

/** A message of which some blocks have come. */
interface Partial {
  readonly name: 't4'
  readonly message: Omit<DataMessage, 'body'>
  readonly key: string
  readonly pieces: Uint8Array[]
  bytes: number
  /** The number of the next block. */
  next: number
  /** When T4 ends. */
  at: number
}

/** The result of a block: `first`, `more` and `whole` belong to a message; the message of `first` is not over. */
export type Placed =
  | { readonly kind: 'whole'; readonly message: DataMessage }
  | { readonly kind: 'first'; readonly message: Omit<DataMessage, 'body'> }
  | { readonly kind: 'more' }
  /** It continues no message that is known, or more has come than is taken: `dropped` is then what had come in part. */
  | { readonly kind: 'unexpected'; readonly dropped?: Omit<DataMessage, 'body'> }

/** Puts blocks together to messages. Blocks of several messages may alternate. */
export class Assembly {
  /** In the order in which T4 ends. */
  readonly #partials = new Map<string, Partial>()
  #bytes = 0

  constructor(readonly settings: Secs1Settings) {}

  /** Bytes of all that have come in part. */
  get bytes(): number {
    return this.#bytes
  }

  /** The message whose T4 ends first. */
  get earliest(): Readonly<Partial> | undefined {
    const [first] = this.#partials.values()
    return first
  }

  place({ header, data }: Block, now: number): Placed {
    const key = keyOf(header)
    const known = this.#partials.get(key)
    // The sender has begun again.
    if (known && header.number <= 1 && header.number !== known.next) this.#forget(known)
    const partial = this.#partials.get(key) ?? this.#begun(header, key)
    if (!partial || header.number !== partial.next) return { kind: 'unexpected' }
    const isFirst = partial.pieces.length === 0
    if (this.#bytes + data.length > this.settings.maxMessageLength) {
      this.#forget(partial)
      return { kind: 'unexpected', dropped: partial.message }
    }
    partial.pieces.push(data)
    partial.bytes += data.length
    this.#bytes += data.length
    partial.next += 1
    this.#partials.delete(key)
    if (header.isLast) {
      this.#bytes -= partial.bytes
      const body = partial.pieces.length === 1 ? data : Buffer.concat(partial.pieces, partial.bytes)
      return { kind: 'whole', message: { ...partial.message, body } }
    }
    partial.at = now + this.settings.timers.t4
    this.#partials.set(key, partial) // last: its T4 ends last
    return isFirst ? { kind: 'first', message: partial.message } : { kind: 'more' }
  }

  /** T4 of the earliest has ended: what has come of it is dropped. */
  expire(): Omit<DataMessage, 'body'> | undefined {
    const { earliest } = this
    if (earliest) this.#forget(earliest)
    return earliest?.message
  }

  #begun(header: BlockHeader, key: string): Partial | undefined {
    if (header.number > 1 || this.#partials.size >= this.settings.maxPartial) return undefined
    const { deviceId: sessionId, stream, function: fn, wait, systemBytes } = header
    const message = { sessionId, stream, function: fn, wait, systemBytes }
    return { name: 't4', message, key, pieces: [], bytes: 0, next: header.number, at: 0 }
  }

  #forget(partial: Readonly<Partial>): void {
    this.#partials.delete(partial.key)
    this.#bytes -= partial.bytes
  }
}

/** The same for all blocks of one message, and for no other message that is open. */
const keyOf = ({ toHost, deviceId, stream, function: fn, wait, systemBytes }: BlockHeader): string =>
  [toHost, deviceId, stream, fn, wait, systemBytes].join()
