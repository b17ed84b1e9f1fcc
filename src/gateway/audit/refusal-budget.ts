import type { Cancel, Clock } from '../../kit/clock.js'

/** Milliseconds in which refusals are counted. */
const WINDOW_MS = 60 * 60_000

/** Refusals of one source that are not recorded one by one. */
export interface Summary<T> {
  /** The source's first refusal in the window; undefined for sources without one, all together. */
  readonly first: T | undefined
  readonly count: number
}

interface Source<T> {
  readonly first: T
  recorded: number
  left: number
}

/**
 * Bounds what callers who are refused add to the audit: in an hour so many entries of one source and of all. The
 * others are counted, and `summarise` gets the numbers at the end of the hour.
 */
export class RefusalBudget<T> {
  #sources = new Map<string, Source<T>>()
  #recorded = 0
  #left = 0
  #cancel: Cancel | undefined

  constructor(
    readonly clock: Clock,
    readonly limits: { readonly ofSource: number; readonly all: number },
    readonly summarise: (summary: Summary<T>) => void,
  ) {}

  /** True when the refusal may have an entry of its own; otherwise it is counted. */
  admits(source: string, refusal: T): boolean {
    this.#cancel ??= this.clock.at(this.clock.now() + WINDOW_MS, () => this.end())
    const known = this.#sources.get(source)
    const isWithin = this.#recorded < this.limits.all && (known?.recorded ?? 0) < this.limits.ofSource
    if (!isWithin) {
      if (known) known.left++
      else this.#left++
      return false
    }
    this.#recorded++
    if (known) known.recorded++
    else this.#sources.set(source, { first: refusal, recorded: 1, left: 0 })
    return true
  }

  /** Ends the window now. */
  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    for (const { first, left } of this.#sources.values()) if (left > 0) this.summarise({ first, count: left })
    if (this.#left > 0) this.summarise({ first: undefined, count: this.#left })
    this.#sources = new Map()
    this.#recorded = 0
    this.#left = 0
  }
}
