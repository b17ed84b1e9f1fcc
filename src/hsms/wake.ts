import type { Cancel, Clock } from '../kit/clock.js'

/** The one timer of a driver: calls `run` when the deadline that was set last has come. */
export class Wake {
  #set: { readonly at: number; readonly cancel: Cancel } | undefined

  constructor(
    readonly clock: Clock,
    readonly run: () => void,
  ) {}

  /** Undefined: nothing is waited for. `run` may be called early, and then sets what is left to wait for. */
  set(at: number | undefined): void {
    // Most deadlines move on before they come: a timer that is too early costs less than a new one each time.
    if (this.#set && at !== undefined && this.#set.at <= at) return
    this.#set?.cancel()
    this.#set = undefined
    if (at === undefined) return
    const cancel = this.clock.at(at, () => {
      this.#set = undefined
      this.run()
    })
    this.#set = { at, cancel }
  }
}
