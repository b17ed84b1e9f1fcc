/** Bytes that come in parts, millions of them perhaps. */
export class Bytes {
  #held = new Uint8Array(64)
  #length = 0

  add(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, this.#held.length * 2))
      larger.set(this.#held)
      this.#held = larger
    }
    this.#held.set(part, this.#length)
    this.#length = length
  }

  /** A copy of all so far. */
  all(): Uint8Array {
    return this.#held.slice(0, this.#length)
  }
}
