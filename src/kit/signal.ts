/** Ends a subscription; calling it twice does nothing. */
export type Unsubscribe = () => void

/** Shared: each link has many signals. */
const UNNOTICED = (): void => {}

/** One kind of event and its listeners, which run at once, in the order in which they came. */
export class Signal<T> {
  /** A new array with each change, so that an `emit` that is under way is not disturbed. */
  #listeners: readonly { readonly run: (value: T) => void }[] = []

  /** `onListening` is called when the first listener comes and when the last one goes. */
  constructor(private readonly onListening: (hasListeners: boolean) => void = UNNOTICED) {}

  on(run: (value: T) => void): Unsubscribe {
    const own = { run }
    this.#listeners = this.#listeners.concat(own) // a spread would leave room for sixteen more
    if (this.#listeners.length === 1) this.onListening(true)
    return () => {
      const left = this.#listeners.filter((other) => other !== own)
      if (left.length === this.#listeners.length) return
      this.#listeners = left
      if (left.length === 0) this.onListening(false)
    }
  }

  emit(value: T): void {
    for (const { run } of this.#listeners) run(value)
  }
}
