import type { PassedBytes } from './raw-link.js'

/** Messages that are kept of the beginning of a check, and at least as many of its end. */
export const KEPT = 500

/** What passed in one check: equipment may send without end. */
export class Kept {
  readonly #first: PassedBytes[] = []
  #last: PassedBytes[] = []
  #leftOut = 0

  add(bytes: PassedBytes): void {
    if (this.#first.length < KEPT) return void this.#first.push(bytes)
    this.#last.push(bytes)
    if (this.#last.length < 2 * KEPT) return
    this.#last = this.#last.slice(KEPT)
    this.#leftOut += KEPT
  }

  /** Oldest first, with one in the place of those that were left out. */
  get passed(): readonly PassedBytes[] {
    const [next] = this.#last
    if (!next || this.#leftOut === 0) return [...this.#first, ...this.#last]
    const { link, at } = next
    const gap = { link, at, direction: 'received', leftOut: this.#leftOut } as const
    return [...this.#first, gap, ...this.#last]
  }
}
