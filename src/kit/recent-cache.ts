/**
 * The values that were put in last, as many as `limit` bytes have room for. The older half goes at once: to take the
 * first of a `Map` again and again costs more than to make most values.
 */
export class RecentCache<Value> {
  #newer = new Map<number, Value>()
  #older: ReadonlyMap<number, Value> = new Map()
  /** Of the newer half. */
  #bytes = 0

  constructor(readonly limit: number) {}

  get(key: number): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  /** `bytes`: what the value takes, about. */
  put(key: number, value: Value, bytes: number): void {
    if (this.#bytes + bytes > this.limit / 2) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#bytes = 0
    }
    this.#newer.set(key, value)
    this.#bytes += bytes
  }
}
