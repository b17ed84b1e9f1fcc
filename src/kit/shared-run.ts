/**
 * `work` for any number of callers, one run at a time. Each caller gets a run that began after the call: those who call
 * during a run share the next one.
 */
export class SharedRun<Result = void> {
  #running: Promise<Result> | undefined
  #next: Promise<Result> | undefined

  constructor(private readonly work: () => Promise<Result>) {}

  run(): Promise<Result> {
    if (!this.#running) return this.#begin()
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<Result> {
    const running = this.work().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
