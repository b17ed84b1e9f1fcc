import { complainedAbout } from '../gem/mhead.js'
import type { Received } from '../hsms/driver.js'
import type { DataMessage } from '../hsms/message.js'
import type { Clock } from '../kit/clock.js'
import { decodeBody } from '../secs2/decode.js'
import { Secs2DecodeError } from '../secs2/errors.js'
import type { Item } from '../secs2/item.js'

/** A complaint (S9) that came longer ago was about something else, in milliseconds. */
const TOLD_FOR = 60_000

/** What an equipment has said on one connection that tells why it does not answer, for people. */
export class Complaints {
  #lastS9: { readonly name: string; readonly at: number } | null = null
  /** The device ID under which it speaks, when it is not the one that is registered. */
  #otherDeviceId: number | null = null

  constructor(
    private readonly clock: Clock,
    private readonly deviceId: number,
  ) {}

  /** A new connection. */
  begin(): void {
    this.#lastS9 = null
    this.#otherDeviceId = null
  }

  hear({ kind, message }: Received): void {
    if (message.stream === 9) this.#lastS9 = { name: nameOf(message), at: this.clock.now() }
    this.#otherDeviceId = kind === 'foreign' ? message.sessionId : null
  }

  /** Such as `; its last S9: S9F5 about S64F1, 3 s ago; it speaks as device ID 7, not 0`; empty for nothing. */
  get recent(): string {
    if (!this.#lastS9) return this.#otherDevice
    const age = this.clock.now() - this.#lastS9.at
    const sent = age > TOLD_FOR ? '' : `; its last S9: ${this.#lastS9.name}, ${Math.round(age / 1000)} s ago`
    return `${sent}${this.#otherDevice}`
  }

  /** The same without the time, however long ago. */
  get all(): string {
    return `${this.#lastS9 ? `, and sent ${this.#lastS9.name}` : ''}${this.#otherDevice}`
  }

  get #otherDevice(): string {
    const other = this.#otherDeviceId
    return other === null ? '' : `; it speaks as device ID ${other}, not ${this.deviceId}`
  }
}

/** MHEAD: ten bytes, behind an item's header of at most four. */
const LONGEST_MHEAD = 14

function itemIn(body: Uint8Array): Item | undefined {
  if (body.length > LONGEST_MHEAD) return undefined
  try {
    return decodeBody(body)
  } catch (error) {
    if (error instanceof Secs2DecodeError) return undefined
    throw error
  }
}

/** Such as `S9F5 about S64F1`, where it tells what it is about. */
function nameOf({ stream, function: fn, wait, body }: DataMessage): string {
  const about = complainedAbout({ stream, function: fn, wait, item: itemIn(body) })
  return `S9F${fn}${about ? ` about S${about.stream}F${about.function}` : ''}`
}
