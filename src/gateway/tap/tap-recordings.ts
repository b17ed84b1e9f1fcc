/** Counts what a tap told, in its order, as soon as it is recorded, or need not be. */
export class TapRecordings {
  /** Of each, in their order: whether it is recorded. */
  readonly #waiting: { isRecorded: boolean }[] = []
  /** How many were told so far. */
  told = 0

  constructor(private readonly recorded: (count: number) => void) {}

  /** `recording` settles when it is on disk, or will not be. */
  add(recording: Promise<unknown>): void {
    this.told += 1
    const one = { isRecorded: false }
    this.#waiting.push(one)
    const done = (): void => {
      one.isRecorded = true
      this.#count()
    }
    recording.then(done, done)
  }

  #count(): void {
    const first = this.#waiting.findIndex(({ isRecorded }) => !isRecorded)
    const count = first < 0 ? this.#waiting.length : first
    if (count === 0) return
    this.#waiting.splice(0, count)
    this.recorded(count)
  }
}
