import type { Cancel, Clock } from '../../kit/clock.js'

/** The one timer of a driver: calls `run` when the deadline that was set last has come. */
export class Timer {
  #set: { readonly at: number; readonly cancel: Cancel } | undefined

  constructor(
    readonly clock: Clock,
    readonly run: () => void,
  ) {}

  /** Undefined: nothing is waited for. `run` may be called early, and then sets what is left to wait for. */
  set(at: number | undefined): void {
    // Deadlines come and go with every message, and few are reached: a timer that fires too early now and then
    // costs less than a new one each time.
    if (at === undefined || (this.#set && this.#set.at <= at)) return
    this.cancel()
    const cancel = this.clock.at(at, () => this.#fire(at))
    this.#set = { at, cancel }
  }

  cancel(): void {
    this.#set?.cancel()
    this.#set = undefined
  }

  /** A timer is late when the process was busy: bytes that the peer sent meanwhile are read first. */
  #fire(at: number): void {
    if (this.clock.now() <= at) {
      this.#set = undefined
      this.run()
      return
    }
    const immediate = setImmediate(() => {
      this.#set = undefined
      this.run()
    })
    this.#set = { at, cancel: () => clearImmediate(immediate) }
  }
}
