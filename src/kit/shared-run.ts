/**
 * `work` for any number of callers, one run at a time. Each caller gets a run that began after the call: those who call
 * during a run share the next one.
 */
export class SharedRun {
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(private readonly work: () => Promise<void>) {}

  run(): Promise<void> {
    if (!this.#running) return this.#begin()
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<void> {
    const running = this.work().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
