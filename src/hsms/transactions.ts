import type { DataMessage } from './message.js'
import type { Outcome } from './outcome.js'

/** One more than the highest number that four system bytes hold. */
const SYSTEM_BYTES_END = 2 ** 32

interface Open {
  readonly stream: number
  readonly function: number
  readonly deadline: number
}

/** The primaries of ours that wait for a reply, and the system bytes that tell them apart. */
export class Transactions {
  readonly #reserved = new Set<number>()
  readonly #open = new Map<number, Open>()
  #next: number

  /** `start`: where the system bytes begin, 0 to 1 of their range. */
  constructor(
    readonly maxOpen: number,
    start: number,
  ) {
    this.#next = Math.floor(start * SYSTEM_BYTES_END) % SYSTEM_BYTES_END
  }

  /** The system bytes that wait for a reply. */
  get open(): readonly number[] {
    return [...this.#open.keys()]
  }

  /** The one whose T3 ends first. */
  get earliest(): { readonly systemBytes: number; readonly at: number } | undefined {
    let earliest: { systemBytes: number; at: number } | undefined
    for (const [systemBytes, { deadline: at }] of this.#open) {
      if (!earliest || at < earliest.at) earliest = { systemBytes, at }
    }
    return earliest
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

  begin({ systemBytes, stream, function: fn }: DataMessage, deadline: number): void {
    this.#open.set(systemBytes, { stream, function: fn, deadline })
  }

  /** How `secondary` ends one of ours; undefined when none is open under its system bytes. */
  outcomeOf(secondary: DataMessage): Outcome | undefined {
    const primary = this.#open.get(secondary.systemBytes)
    if (!primary) return undefined
    const sameStream = secondary.stream === primary.stream
    if (sameStream && secondary.function === primary.function + 1)
      return { kind: 'replied', reply: secondary }
    if (secondary.function === 0 && (sameStream || secondary.stream === 0)) {
      return { kind: 'aborted', reply: secondary }
    }
    return { kind: 'error', reply: secondary }
  }

  /** False when it was not open, as with a reply that comes after T3. */
  end(systemBytes: number): boolean {
    return this.#open.delete(systemBytes)
  }

  #inUse(systemBytes: number): boolean {
    return this.#reserved.has(systemBytes) || this.#open.has(systemBytes)
  }

  #step(): void {
    this.#next = (this.#next + 1) % SYSTEM_BYTES_END
  }
}
