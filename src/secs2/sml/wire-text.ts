import { joinSteps } from '../../kit/text/join-steps.js'

/** Pieces held before they become one string: millions of them are not to be millions of objects. */
const CHUNK = 4096

/** Text as it is on the wire, a character for each byte, that comes in pieces. */
export class WireText {
  readonly #chunks: string[] = []
  #pieces: string[] = []
  #length = 0

  constructor(start = '') {
    this.add(start)
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length >= CHUNK) this.#join()
  }

  /** All so far. */
  all(): Generator<void, string> {
    this.#join()
    return joinSteps(this.#chunks)
  }

  #join(): void {
    this.#chunks.push(this.#pieces.join(''))
    this.#pieces = []
  }
}
