import type { Cancel, Clock } from './clock.js'

/** Callbacks that wait for their times, and can be cancelled together. */
export class Schedule {
  readonly #waiting = new Set<Cancel>()

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#waiting.size
  }

  after(ms: number, run: () => void): void {
    const cancel = this.clock.at(this.clock.now() + ms, () => {
      this.#waiting.delete(cancel)
      run()
    })
    this.#waiting.add(cancel)
  }

  cancel(): void {
    for (const cancel of this.#waiting) cancel()
    this.#waiting.clear()
  }
}
