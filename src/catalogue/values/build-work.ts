import { StepMeter } from '../../kit/turns.js'
import { STEP } from '../../secs2/in-parts.js'
import type { Item } from '../../secs2/item.js'
import { MAX_ITEMS } from '../../secs2/limits.js'

/** Data that make more items than a message may have. */
export class TooManyItems extends Error {
  override readonly name = 'TooManyItems'
}

/** What is wrong with one named item. */
export interface ItemProblem {
  /** The item's name, after the names and places that lead to it: `SVID`, `PARAMS/0/CPVAL`. */
  readonly item: string
  readonly detail: string
}

/** The result of building: an item (none for a header-only message), and what is wrong with the data. */
export interface Built {
  readonly item: Item | undefined
  readonly problems: readonly ItemProblem[]
  /** The number of problems that are not in `problems`. */
  readonly more: number
}

/** The most problems that are listed: one message may have a million. */
const MAX_PROBLEMS = 100

/** The work of building one body: its steps, how many items it has so far, and what is wrong with its data. */
export class BuildWork extends StepMeter {
  readonly problems: ItemProblem[] = []
  more = 0
  #items = 0

  constructor() {
    super(STEP)
  }

  /** Throws `TooManyItems`. */
  countItem(): void {
    if (++this.#items > MAX_ITEMS) throw new TooManyItems()
  }

  report(item: string, detail: () => string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ item, detail: detail() })
    else this.more++
  }

  built(item: Item | undefined): Built {
    return { item, problems: this.problems, more: this.more }
  }
}
