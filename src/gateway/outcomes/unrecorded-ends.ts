import type { Clock } from '../../kit/clock.js'
import type { NewEntry } from '../../store/entry.js'
import { NotOwner } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { OpenTransactions } from './open-transactions.js'

/** Milliseconds from the first entry after a failure: one that the store took without an answer is known by then. */
const WAIT_MS = 1000

/** Ends of transactions that could not be recorded while the store was away: written when it takes entries again. */
export class UnrecordedEnds {
  readonly #ends = new Map<number, NewEntry>()
  #isWaiting = false

  constructor(
    readonly journal: Journal,
    readonly open: OpenTransactions,
    readonly clock: Clock,
  ) {
    journal.appended.on(() => {
      if (this.#ends.size > 0 && !this.#isWaiting) this.#writeLater()
    })
  }

  add(end: NewEntry): void {
    this.#ends.set(Number(end.data['message_id']), end)
  }

  #writeLater(): void {
    this.#isWaiting = true
    this.clock.at(this.clock.now() + WAIT_MS, () => {
      this.#isWaiting = false
      this.#write()
    })
  }

  #write(): void {
    // Those that are not open any more were recorded all the same, or ended by the process that took the equipment meanwhile.
    const ends = [...this.#ends].filter(([seq]) => this.open.has(seq))
    this.#ends.clear()
    for (const [, end] of ends) {
      this.journal.append(end).catch((error: unknown) => {
        if (!(error instanceof NotOwner)) this.add(end)
      })
    }
  }
}
