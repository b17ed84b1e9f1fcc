import { Signal } from '../../kit/signal.js'

/** Values in the order in which they came, and a way to wait for one of them. */
export class Arrivals<T> {
  readonly all: T[] = []
  readonly #changed = new Signal<void>()
  #failure: Error | undefined

  add(value: T): void {
    this.all.push(value)
    this.#changed.emit()
  }

  /** No more values will come: every wait fails with this error. */
  end(failure: Error): void {
    this.#failure = failure
    this.#changed.emit()
  }

  /** The first value that `matches`, past or future. */
  async first(matches: (value: T) => boolean): Promise<T> {
    for (;;) {
      const found = this.all.find(matches)
      if (found !== undefined) return found
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve) => {
        const off = this.#changed.on(() => {
          off()
          resolve()
        })
      })
    }
  }
}
