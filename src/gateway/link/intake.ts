import type { LinkDriver } from '../../hsms/link-driver.js'
import { LONG_MESSAGE_BYTES } from '../../hsms/link-protocol.js'
import { Mutex } from '../../kit/mutex.js'
import type { LongMessages, LongShare } from './long-messages.js'

/**
 * Most messages that may wait for the disk: from one equipment alone, and from several together. A message waits
 * about 0.1 ms for each one before it.
 */
const MAX_MESSAGES_ALONE = 256
const MAX_MESSAGES = 128
/** Bytes of all equipment together. */
const MAX_BYTES = 16 * 1024 * 1024
/** The share of one equipment: at least and at most, independent of the number of others. */
const MIN_MESSAGES = 4
const MIN_BYTES = 64 * 1024
const MAX_BYTES_OF_ONE = 4 * 1024 * 1024
/** Bytes that an entry takes in addition to its body. */
const ENTRY_BYTES = 256

/** The memory for messages that wait for the disk, shared equally by the equipment whose messages wait. */
export class IntakeBudget {
  #busy = 0
  /** Long bodies are decoded one after the other: their items take many times as much memory. */
  readonly decoding = new Mutex()

  constructor(readonly long: LongMessages) {}

  begin(): void {
    this.#busy += 1
  }

  end(): void {
    this.#busy -= 1
  }

  /** Messages that each equipment in the share may have waiting. */
  get messages(): number {
    if (this.#busy <= 1) return MAX_MESSAGES_ALONE
    return Math.max(MIN_MESSAGES, Math.floor(MAX_MESSAGES / this.#busy))
  }

  get bytes(): number {
    return Math.min(MAX_BYTES_OF_ONE, Math.max(MIN_BYTES, Math.floor(MAX_BYTES / this.#busy)))
  }
}

/**
 * The messages of one equipment, received or replied, that are not on disk yet. When they fill its share, its socket
 * is not read until half of the share has been written; nor is it read while the long messages of all equipment fill
 * theirs.
 */
export class Intake {
  #messages = 0
  #bytes = 0
  /** Its share is used. */
  #isPaused = false
  /** The share of long messages is used. */
  #isHeldBack = false
  readonly #long: LongShare

  constructor(
    readonly driver: Pick<LinkDriver, 'pause' | 'resume' | 'arriving'>,
    readonly budget: IntakeBudget,
  ) {
    this.#long = budget.long.share((isHeldBack) => {
      const wasRead = this.#isRead
      this.#isHeldBack = isHeldBack
      this.#update(wasRead)
    })
    driver.arriving.on((bytes) => this.#long.arriving(bytes))
  }

  /** Messages wait for the disk. */
  get isBusy(): boolean {
    return this.#messages > 0
  }

  get #isRead(): boolean {
    return !this.#isPaused && !this.#isHeldBack
  }

  #update(wasRead: boolean): void {
    if (wasRead === this.#isRead) return
    if (wasRead) this.driver.pause()
    else this.driver.resume()
  }

  /** Counts a message with a body of `bodyBytes` bytes as in work, until `release` is called for it. */
  hold(bodyBytes: number): void {
    if (this.#messages === 0) this.budget.begin()
    this.#add(1, bodyBytes + ENTRY_BYTES)
    if (bodyBytes >= LONG_MESSAGE_BYTES) this.#long.whole(bodyBytes)
    if (this.#isPaused || !this.#fills(1)) return
    const wasRead = this.#isRead
    this.#isPaused = true
    this.#update(wasRead)
  }

  release(bodyBytes: number): void {
    this.#add(-1, -bodyBytes - ENTRY_BYTES)
    if (bodyBytes >= LONG_MESSAGE_BYTES) this.#long.whole(-bodyBytes)
    const isAbove = this.#isPaused && this.#fills(0.5)
    if (this.#messages === 0) this.budget.end()
    if (!this.#isPaused || isAbove) return
    const wasRead = this.#isRead
    this.#isPaused = false
    this.#update(wasRead)
  }

  #add(messages: number, bytes: number): void {
    this.#messages += messages
    this.#bytes += bytes
  }

  /** Whether this fraction of its share is used. */
  #fills(part: number): boolean {
    const { messages, bytes } = this.budget
    return this.#messages > messages * part || this.#bytes > bytes * part
  }
}
