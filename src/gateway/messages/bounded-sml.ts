import { type Item, lengthOf } from '../../secs2/item.js'
import { type PrintOptions, printItem } from '../../secs2/sml/print.js'

const INDENT = '  '

/** As many lines of canonical SML as fit, and whether that was all. The cost is proportional to the printed text. */
export function boundedSml(
  item: Item,
  characters: number,
  options: PrintOptions,
): { readonly sml: string; readonly cut: boolean } {
  const page = new BoundedPage(characters, options)
  page.print(item, '')
  return { sml: page.text, cut: page.full }
}

class BoundedPage {
  readonly #lines: string[] = []
  #left: number
  full = false

  constructor(
    characters: number,
    readonly options: PrintOptions,
  ) {
    this.#left = characters
  }

  get text(): string {
    return this.#lines.join('\n')
  }

  print(item: Item, indent: string): void {
    if (item.format !== 'L') return this.#leaf(item, indent)
    if (item.items.length === 0) return this.#add(`${indent}<L [0]>`)
    this.#add(`${indent}<L [${item.items.length}]`)
    for (const inner of item.items) {
      if (this.full) return
      this.print(inner, indent + INDENT)
    }
    this.#add(`${indent}>`)
  }

  #leaf(item: Item, indent: string): void {
    // Each value takes at least one character, so no more values than that fit.
    const shown = lengthOf(item) > this.#left ? beginning(item, this.#left) : item
    this.#add(`${indent}${printItem(shown, this.options)}`)
  }

  #add(line: string): void {
    if (this.full) return
    this.full = line.length > this.#left
    if (!this.full) this.#lines.push(line)
    else if (this.#left > 0) this.#lines.push(line.slice(0, this.#left))
    this.#left -= line.length + 1
  }
}

/** The first values of an item that has many. */
function beginning(item: Item, values: number): Item {
  if (item.format === 'L' || typeof item.value === 'number' || typeof item.value === 'bigint') return item
  return { ...item, value: item.value.slice(0, Math.max(2, values)) } as Item
}
