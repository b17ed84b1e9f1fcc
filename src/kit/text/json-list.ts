/** An array of JSON. One of very many numbers is made as a Float64Array: see `JsonValues`. */
export type JsonList = readonly unknown[] | Float64Array

export const isJsonList = (value: unknown): value is JsonList =>
  Array.isArray(value) || value instanceof Float64Array

/**
 * An array of so many numbers is not made: V8 copies all of it whenever it grows, and looks through it for objects. Their
 * text has 1 MiB or more.
 */
const MANY_NUMBERS = 512 * 1024

/** The values of one array, as they are read. */
export class JsonValues {
  readonly #parts: (readonly unknown[] | Float64Array)[] = []
  #areNumbers = true
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds a few thousand values. */
  add(read: readonly unknown[]): void {
    this.#areNumbers &&= read.every((value) => typeof value === 'number')
    this.#parts.push(this.#areNumbers ? new Float64Array(read as readonly number[]) : read)
    this.#length += read.length
  }

  /** The array, in steps. */
  *list(): Generator<void, JsonList> {
    const isNumeric = this.#areNumbers && this.#length >= MANY_NUMBERS
    const all: unknown[] | Float64Array = isNumeric ? new Float64Array(this.#length) : new Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      for (const one of part) all[at++] = one as number
      yield
    }
    return all
  }
}
