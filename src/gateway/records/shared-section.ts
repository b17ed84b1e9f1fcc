import { deferred } from '../../kit/deferred.js'

/** Runs work while no other process does the same. */
export type Exclusively = <R>(work: () => Promise<R>) => Promise<R>

/** Pieces of work that one exclusive section takes; the next has to wait, so that other processes have their turn. */
const MAX_IN_SECTION = 64

interface Section {
  taken: number
  running: number
  readonly entered: Promise<void>
  readonly leave: () => void
}

/** Runs pieces of work at the same time in one exclusive section. */
export class SharedSection {
  #open: Section | undefined

  constructor(private readonly exclusively: Exclusively) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const section = this.#open && this.#open.taken < MAX_IN_SECTION ? this.#open : this.#enter()
    section.taken++
    section.running++
    try {
      await section.entered
      return await work()
    } finally {
      if (--section.running === 0) this.#leave(section)
    }
  }

  #enter(): Section {
    const entered = deferred<void>()
    const left = deferred<void>()
    this.exclusively(() => {
      entered.resolve()
      return left.promise
    }).catch((error: Error) => entered.reject(error))
    this.#open = { taken: 0, running: 0, entered: entered.promise, leave: () => left.resolve() }
    return this.#open
  }

  #leave(section: Section): void {
    if (this.#open === section) this.#open = undefined
    section.leave()
  }
}
