/** Counts what each holder has of something, so that none has more than its share. */
export class Shares {
  readonly #held = new Map<string, number>()

  /** `most`: how many each may hold. */
  constructor(readonly most: number) {}

  /** How many `holder` has. */
  of(holder: string): number {
    return this.#held.get(holder) ?? 0
  }

  /** True when `holder` has its share, and may take no more. */
  isUsedUp(holder: string): boolean {
    return this.of(holder) >= this.most
  }

  /** Counts one more; what is returned counts it back, once. */
  take(holder: string): () => void {
    this.#held.set(holder, this.of(holder) + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      const left = this.of(holder) - 1
      if (left > 0) this.#held.set(holder, left)
      else this.#held.delete(holder)
    }
  }
}
