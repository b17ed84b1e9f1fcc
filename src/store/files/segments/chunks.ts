/** Of what is read at once: as many, and no more bytes than this unless one alone has more. */
const MAX_AT_ONCE = 200
const MAX_BYTES = 4 * 1024 * 1024

/** The same values in chunks that are small enough to be held in memory. */
export function* inChunks<T>(values: Iterable<T>, bytesOf: (value: T) => number): Generator<readonly T[]> {
  let chunk: T[] = []
  let held = 0
  for (const value of values) {
    const bytes = bytesOf(value)
    if (chunk.length === MAX_AT_ONCE || (chunk.length > 0 && held + bytes > MAX_BYTES)) {
      yield chunk
      chunk = []
      held = 0
    }
    chunk.push(value)
    held += bytes
  }
  if (chunk.length > 0) yield chunk
}
