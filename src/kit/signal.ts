/** Ends a subscription; calling it twice does nothing. */
export type Unsubscribe = () => void

/** One kind of happening and those who want to hear of it. Listeners run at once, in the order they came. */
export class Signal<T> {
  readonly #listeners = new Set<(value: T) => void>()

  on(listener: (value: T) => void): Unsubscribe {
    const own = (value: T): void => listener(value)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value)
  }
}
