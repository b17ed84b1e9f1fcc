/** Words held before they become one string. Joining in portions keeps millions of words from being millions of objects. */
const PORTION = 4096

/** Writes the words of one item to a line, broken where it would pass `width` characters. */
export class LeafLine {
  readonly #chunks: string[] = []
  #words: string[] = []
  #column: number

  constructor(
    private readonly indent: string,
    start: string,
    private readonly width: number,
  ) {
    this.#words.push(start)
    this.#column = start.length
  }

  add(word: string): void {
    // One more for the bracket that may follow.
    if (this.#column + word.length + 2 > this.width) {
      this.#words.push('\n', this.indent, word)
      this.#column = this.indent.length + word.length
    } else {
      this.#words.push(' ', word)
      this.#column += word.length + 1
    }
    if (this.#words.length >= PORTION) this.#join()
  }

  end(): string {
    this.#words.push('>')
    this.#join()
    return this.#chunks.join('')
  }

  #join(): void {
    this.#chunks.push(this.#words.join(''))
    this.#words = []
  }
}
