import type { Counters } from './counters/counters.js'
import type { HsmsOutput } from './io.js'
import type { DataMessage, PrimaryName } from './message.js'
import type { Outcome } from './outcome.js'

/** One more than the highest number that four system bytes hold. */
const SYSTEM_BYTES_END = 2 ** 32

interface Open extends PrimaryName {
  readonly name: 't3'
  readonly began: number
  /** When T3 ends; infinity where it does not run. */
  at: number
}

/** The primaries of ours that wait for a reply, with one `ended` for each; and the system bytes that distinguish them. */
export class Transactions {
  readonly #reserved = new Set<number>()
  readonly #open = new Map<number, Open>()
  /** In the order in which T3 ends. */
  readonly #order: Open[] = []
  #next: number

  /** `start`: where the system bytes begin, 0 to 1 of their range. */
  constructor(
    readonly maxOpen: number,
    start: number,
    readonly counters: Counters,
    readonly emit: (output: HsmsOutput) => void,
  ) {
    this.#next = Math.floor(start * SYSTEM_BYTES_END) % SYSTEM_BYTES_END
  }

  /** How many wait for a reply. */
  get openCount(): number {
    return this.#open.size
  }

  /** The one whose T3 ends first. */
  get earliest(): Readonly<Open> | undefined {
    const [first] = this.#order
    return first && Number.isFinite(first.at) ? first : undefined
  }

  /** System bytes that none of ours has: they rise, wrap at 2^32, and pass over those in use. */
  systemBytes(): number {
    while (this.#inUse(this.#next)) this.#step()
    const systemBytes = this.#next
    this.#step()
    return systemBytes
  }

  /** Undefined when as many are reserved or open as may be. */
  reserve(): number | undefined {
    if (this.#reserved.size + this.#open.size >= this.maxOpen) return undefined
    const systemBytes = this.systemBytes()
    this.#reserved.add(systemBytes)
    return systemBytes
  }

  /** False when they were not reserved. */
  release(systemBytes: number): boolean {
    return this.#reserved.delete(systemBytes)
  }

  /** When it began and when its T3 ends, in milliseconds. */
  begin({ systemBytes, stream, function: fn }: DataMessage, began: number, at: number): void {
    const open: Open = { name: 't3', systemBytes, stream, function: fn, began, at }
    this.#open.set(systemBytes, open)
    this.#place(open)
  }

  isOpen({ systemBytes, stream, function: fn }: PrimaryName): boolean {
    const open = this.#open.get(systemBytes)
    return open?.stream === stream && open.function === fn
  }

  /** T3 of this primary ends at `at`, or never at infinity; nothing happens unless it is open. */
  wait(primary: PrimaryName, at: number): void {
    const open = this.#open.get(primary.systemBytes)
    if (!open || !this.isOpen(primary)) return
    this.#order.splice(this.#order.indexOf(open), 1)
    open.at = at
    this.#place(open)
  }

  /** Ends the one whose system bytes this secondary has; false when none is open under them, as after T3. */
  reply(secondary: DataMessage, now: number): boolean {
    const primary = this.#open.get(secondary.systemBytes)
    if (!primary) return false
    this.counters.roundTrip(now - primary.began)
    this.end(primary.systemBytes, { kind: endOf(secondary, primary), reply: secondary })
    return true
  }

  /** Ends this primary, and no other one with the same system bytes. */
  endPrimary(primary: PrimaryName, outcome: Outcome): void {
    if (this.isOpen(primary)) this.end(primary.systemBytes, outcome)
  }

  /** The T3 of the earliest has ended. */
  expire(): void {
    const expired = this.earliest
    if (!expired) return
    this.counters.timeout('t3')
    this.end(expired.systemBytes, { kind: 'timed_out' })
  }

  /** No reply can come any more. */
  loseAll(): void {
    for (const systemBytes of [...this.#open.keys()]) this.end(systemBytes, { kind: 'lost' })
  }

  /** Nothing happens unless one is open under these system bytes. */
  end(systemBytes: number, outcome: Outcome): void {
    const open = this.#open.get(systemBytes)
    if (!open) return
    this.#open.delete(systemBytes)
    this.#order.splice(this.#order.indexOf(open), 1)
    this.emit({ kind: 'ended', systemBytes, outcome })
  }

  #place(open: Open): void {
    this.#order.splice(this.#order.findLastIndex((other) => other.at <= open.at) + 1, 0, open)
  }

  #inUse(systemBytes: number): boolean {
    return this.#reserved.has(systemBytes) || this.#open.has(systemBytes)
  }

  #step(): void {
    this.#next = (this.#next + 1) % SYSTEM_BYTES_END
  }
}

/** How a secondary ends the primary with the same system bytes. */
export function endOf(secondary: DataMessage, primary: PrimaryName): 'replied' | 'aborted' | 'error' {
  const sameStream = secondary.stream === primary.stream
  if (sameStream && secondary.function === primary.function + 1) return 'replied'
  return secondary.function === 0 && (sameStream || secondary.stream === 0) ? 'aborted' : 'error'
}
