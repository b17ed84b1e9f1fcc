/**
 * The values that were put in last, as many as fit in `limit`: the half of it at least. The older half goes at once: to take the
 * first of a `Map` again and again costs more than to make most values.
 */
export class RecentCache<Value> {
  #newer = new Map<number, Value>()
  #older: ReadonlyMap<number, Value> = new Map()
  /** Of the newer half. */
  #size = 0

  constructor(readonly limit: number) {}

  get(key: number): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  /** `size`: what the value takes of the limit. */
  put(key: number, value: Value, size: number): void {
    if (this.#size + size > this.limit / 2) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#size = 0
    }
    this.#newer.set(key, value)
    this.#size += size
  }
}
