import type { Cancel, Clock } from '../../kit/clock.js'

/** Bytes of long messages in work, of all equipment together, unless the daemon is told otherwise. */
const DEFAULT_LONG_MESSAGE_BYTES = 64 * 1024 * 1024

/** While the memory is full, the equipment that is read has to send this many bytes in this time, or another has its turn. */
const TURN_MS = 5_000
const LEAST_BYTES_OF_TURN = 1024 * 1024
/** Turns pass on only up to so many bytes above the limit. */
const MOST_ABOVE = 16 * 1024 * 1024

/** The long messages of one equipment. */
export interface LongShare {
  /** Bytes held of those that have arrived in part. */
  arriving(bytes: number): void
  /** A message is complete, and counts until it is on disk and its reply is sent; a negative number then. */
  whole(bytes: number): void
}

interface Holder {
  arriving: number
  whole: number
  isHeldBack: boolean
  readonly holdBack: (isHeldBack: boolean) => void
}

/**
 * The memory for long messages, from their first bytes until they are on disk and their replies are sent. While it is full, no
 * equipment with a long message is read, since those that are whole give their memory back by themselves. Where none is
 * whole, the equipment whose message began first is read until that is whole, so that somebody always goes on: the limit
 * is exceeded by one message at most.
 */
export class LongMessages {
  /** In the order in which their messages began. */
  readonly #holders = new Set<Holder>()
  #arriving = 0
  #whole = 0
  /** The one that is read while the memory is full, what it held when its turn began, and the end of the turn. */
  #turn: { readonly holder: Holder; readonly bytes: number; readonly cancel: Cancel } | undefined

  constructor(
    readonly clock: Clock,
    readonly limit = DEFAULT_LONG_MESSAGE_BYTES,
  ) {}

  /** In work now, in bytes. */
  get bytes(): number {
    return this.#arriving + this.#whole
  }

  /** `holdBack` is called whenever the equipment is to be read no more, or again. */
  share(holdBack: (isHeldBack: boolean) => void): LongShare {
    const holder: Holder = { arriving: 0, whole: 0, isHeldBack: false, holdBack }
    return {
      arriving: (bytes) => {
        // A further message of the same equipment waits behind those that began before it.
        if (holder.arriving === 0) this.#holders.delete(holder)
        this.#arriving += bytes - holder.arriving
        holder.arriving = bytes
        this.#changed(holder)
      },
      whole: (bytes) => {
        this.#whole += bytes
        holder.whole += bytes
        this.#changed(holder)
      },
    }
  }

  #changed(holder: Holder): void {
    if (holder.arriving > 0 || holder.whole > 0) this.#holders.add(holder)
    else this.#holders.delete(holder)
    this.#settle()
    if (!this.#holders.has(holder)) this.#hold(holder, false)
  }

  #settle(): void {
    const isFull = this.bytes >= this.limit
    // Where none is whole, each has a message that has arrived in part.
    const [first] = this.#holders
    const next = isFull && this.#whole === 0 ? first : undefined
    if (next !== this.#turn?.holder) this.#giveTurn(next)
    for (const holder of this.#holders) this.#hold(holder, isFull && holder !== next)
  }

  #giveTurn(holder: Holder | undefined): void {
    this.#turn?.cancel()
    this.#turn = undefined
    if (!holder) return
    const cancel = this.clock.at(this.clock.now() + TURN_MS, () => this.#turnOver())
    this.#turn = { holder, bytes: holder.arriving, cancel }
  }

  /** Equipment that sends slowly, or has stopped, does not keep the others from going on. */
  #turnOver(): void {
    const turn = this.#turn
    if (!turn) return
    this.#turn = undefined
    const isSlow = turn.holder.arriving - turn.bytes < LEAST_BYTES_OF_TURN
    if (isSlow && this.bytes < this.limit + MOST_ABOVE && this.#holders.delete(turn.holder))
      this.#holders.add(turn.holder)
    this.#settle()
  }

  #hold(holder: Holder, isHeldBack: boolean): void {
    if (holder.isHeldBack === isHeldBack) return
    holder.isHeldBack = isHeldBack
    holder.holdBack(isHeldBack)
  }
}
