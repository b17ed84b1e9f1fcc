/** How long a line may be, in bytes. */
const MAX_LINE_LENGTH = 1024 * 1024
const LINE_FEED = 0x0a

export class LongLineError extends Error {
  override readonly name = 'LongLineError'

  constructor() {
    super(`a line has ${MAX_LINE_LENGTH} bytes at most`)
  }
}

/** The lines of a stream of bytes, UTF-8, without their ends. Throws `LongLineError`. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      if (length + end - from > MAX_LINE_LENGTH) throw new LongLineError()
      yield text([...begun, chunk.subarray(from, end)])
      begun = []
      length = 0
      from = end + 1
    }
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > MAX_LINE_LENGTH) throw new LongLineError()
  }
  if (length > 0) yield text(begun)
}

const text = (parts: readonly Uint8Array[]): string =>
  Buffer.concat(parts).toString('utf8').replace(/\r$/, '')
