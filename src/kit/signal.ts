/** Ends a subscription; calling it twice does nothing. */
export type Unsubscribe = () => void

/** One kind of happening and those who want to hear of it. Listeners run at once, in the order they came. */
export class Signal<T> {
  /** Made anew with each change, so that who is being told is not disturbed by it. */
  #listeners: readonly ((value: T) => void)[] = []

  /** `heard` is told when the first listener comes and when the last one goes. */
  constructor(private readonly heard: (heard: boolean) => void = () => {}) {}

  on(listener: (value: T) => void): Unsubscribe {
    const own = (value: T): void => listener(value)
    this.#listeners = [...this.#listeners, own]
    if (this.#listeners.length === 1) this.heard(true)
    return () => {
      const left = this.#listeners.filter((other) => other !== own)
      if (left.length === this.#listeners.length) return
      this.#listeners = left
      if (left.length === 0) this.heard(false)
    }
  }

  emit(value: T): void {
    for (const listener of this.#listeners) listener(value)
  }
}
