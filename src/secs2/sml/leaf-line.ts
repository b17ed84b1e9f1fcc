/** Writes the words of one item to a line, broken where it would pass `width` characters. */
export class LeafLine {
  #words: string[]
  #column: number

  constructor(
    private readonly indent: string,
    start: string,
    readonly width = Number.POSITIVE_INFINITY,
  ) {
    this.#words = [start]
    this.#column = start.length
  }

  /** Adds a word of which `more` characters follow. */
  add(word: string, more = 0): void {
    // One more for the bracket that may follow.
    if (this.#column + word.length + more + 2 > this.width) {
      this.#words.push('\n', this.indent, word)
      this.#column = this.indent.length + word.length
    } else {
      this.#words.push(' ', word)
      this.#column += word.length + 1
    }
  }

  /** Adds to the last word. */
  append(text: string): void {
    this.#words.push(text)
    this.#column += text.length
  }

  /** All that was added since it was last taken: millions of words are not to be millions of objects. */
  taken(): string {
    const text = this.#words.join('')
    this.#words = []
    return text
  }
}
