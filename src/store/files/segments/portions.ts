/** Of what is read at once: as many, and no more bytes than this unless one alone has more. */
const MAX_AT_ONCE = 200
const MAX_BYTES = 4 * 1024 * 1024

/** The same values in portions that are small enough to be held in memory. */
export function* inPortions<T>(values: Iterable<T>, bytesOf: (value: T) => number): Generator<readonly T[]> {
  let portion: T[] = []
  let held = 0
  for (const value of values) {
    const bytes = bytesOf(value)
    if (portion.length === MAX_AT_ONCE || (portion.length > 0 && held + bytes > MAX_BYTES)) {
      yield portion
      portion = []
      held = 0
    }
    portion.push(value)
    held += bytes
  }
  if (portion.length > 0) yield portion
}
