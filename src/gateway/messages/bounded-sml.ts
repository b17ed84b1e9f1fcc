import { ItemReader } from '../../secs2/item-reader.js'
import { type PrintOptions, printItem } from '../../secs2/sml/print.js'

const INDENT = '  '

/**
 * As many lines of canonical SML as fit, and whether that was all. Only what is shown is read of the item that `bytes`
 * are. Throws as `decodeItem` does.
 */
export function boundedSml(
  bytes: Uint8Array,
  characters: number,
  options: PrintOptions,
): { readonly sml: string; readonly cut: boolean } {
  const page = new BoundedPage(new ItemReader(bytes), characters, options)
  page.print('')
  return { sml: page.text, cut: page.full }
}

class BoundedPage {
  readonly #lines: string[] = []
  #left: number
  full = false

  constructor(
    readonly reader: ItemReader,
    characters: number,
    readonly options: PrintOptions,
  ) {
    this.#left = characters
  }

  get text(): string {
    return this.#lines.join('\n')
  }

  /** The next item. */
  print(indent: string): void {
    // Each value takes at least one character, so no more values than that fit.
    const { item, items } = this.reader.outermost(this.#left)
    if (item.format !== 'L') return this.#add(`${indent}${printItem(item, this.options)}`)
    if (items === 0) return this.#add(`${indent}<L [0]>`)
    this.#add(`${indent}<L [${items}]`)
    for (let left = items; left > 0; left--) {
      if (this.full) return
      this.print(indent + INDENT)
    }
    this.#add(`${indent}>`)
  }

  #add(line: string): void {
    if (this.full) return
    this.full = line.length > this.#left
    if (!this.full) this.#lines.push(line)
    else if (this.#left > 0) this.#lines.push(line.slice(0, this.#left))
    this.#left -= line.length + 1
  }
}
