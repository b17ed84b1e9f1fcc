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
  /** All so far, as long as they are numbers. */
  #numbers: Float64Array[] = []
  #values: unknown[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds a few thousand values. */
  *add(read: readonly unknown[]): Generator<void> {
    const isNumeric = this.#values.length === 0 && read.every((value) => typeof value === 'number')
    if (isNumeric) this.#numbers.push(new Float64Array(read as readonly number[]))
    else {
      yield* this.#unpack()
      for (const value of read) this.#values.push(value)
    }
    this.#length += read.length
  }

  /** The array, in steps. */
  *list(): Generator<void, JsonList> {
    if (this.#numbers.length === 0 || this.#length < MANY_NUMBERS) {
      yield* this.#unpack()
      return this.#values
    }
    const all = new Float64Array(this.#length)
    let at = 0
    for (const part of this.#numbers) {
      all.set(part, at)
      at += part.length
      yield
    }
    return all
  }

  *#unpack(): Generator<void> {
    for (const part of this.#numbers) {
      for (const one of part) this.#values.push(one)
      yield
    }
    this.#numbers = []
  }
}
