import { StepMeter } from '../../kit/turns.js'
import { PORTION } from '../../secs2/in-parts.js'
import { MAX_ITEMS } from '../../secs2/limits.js'

/** Data that make more items than a message may have. */
export class TooManyItems extends Error {
  override readonly name = 'TooManyItems'
}

/** The work of building one body, and how many items it has so far. */
export class BuildWork extends StepMeter {
  #items = 0

  constructor() {
    super(PORTION)
  }

  /** Throws `TooManyItems`. */
  countItem(): void {
    if (++this.#items > MAX_ITEMS) throw new TooManyItems()
  }
}
