import { PartialMessage } from '../hsms/frame/partial-message.js'
import type { Side } from './side.js'

/** The longest body that is copied, in bytes: that of the longest message that the gateway takes itself. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Bytes of frames that are coming in pieces, of all that share the room. */
const ROOM_BYTES = 128 * 1024 * 1024
/** Room for a whole message is made before all of it has come, but not before this part of it. */
const MADE_FOR = 4

/** Memory for frames that are coming, shared by all taps of a process. One may have as much as it leaves to the others. */
export class CopyRoom {
  #left: number

  constructor(bytes = ROOM_BYTES) {
    this.#left = bytes
  }

  get left(): number {
    return this.#left
  }

  /** False where there is no room for `more` bytes beside the `own` ones that the caller has. */
  take(own: number, more: number): boolean {
    if (own + more > this.#left) return false
    this.#left -= more
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

interface Open {
  readonly message: PartialMessage
  readonly mapped: number | undefined
  /** Of the room. */
  bytes: number
}

/** A frame that has passed, with its length in front. `mapped`: its system bytes on the equipment's side, where they are others. */
export interface Copy {
  readonly bytes: Uint8Array
  readonly mapped: number | undefined
}

/** Copies of frames that come in pieces, each once it is whole. One that is too long, or has no room, has none. */
export class FrameCopies {
  readonly #open = new Map<Side, Open>()

  constructor(private readonly room: CopyRoom) {}

  begin(from: Side, head: Uint8Array, bodyLength: number, mapped: number | undefined): void {
    this.#forget(from)
    if (bodyLength > MAX_BODY_BYTES) return
    this.#open.set(from, { message: new PartialMessage(head.length + bodyLength), mapped, bytes: 0 })
    this.add(from, head)
  }

  add(from: Side, bytes: Uint8Array): void {
    const open = this.#open.get(from)
    if (!open) return
    const { message } = open
    const more = Math.min(message.length, MADE_FOR * (message.filled + bytes.length)) - open.bytes
    if (!this.room.take(this.#own, more)) return this.#forget(from)
    open.bytes += more
    message.take(bytes, 0)
  }

  /** The frame that has ended; undefined where there is no copy. */
  end(from: Side): Copy | undefined {
    const open = this.#open.get(from)
    this.#forget(from)
    return open && { bytes: open.message.join(), mapped: open.mapped }
  }

  clear(): void {
    for (const from of [...this.#open.keys()]) this.#forget(from)
  }

  get #own(): number {
    let own = 0
    for (const { bytes } of this.#open.values()) own += bytes
    return own
  }

  #forget(from: Side): void {
    this.room.give(this.#open.get(from)?.bytes ?? 0)
    this.#open.delete(from)
  }
}
