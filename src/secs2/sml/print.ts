import { bytesOf, type Item } from '../item.js'
import { numbersOf, numberText } from '../number.js'
import { LeafLine } from './leaf-line.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { hexByte, quoteAscii, quoteText, type TakeWord } from './quote.js'

export interface PrintOptions extends SmlOptions {
  /** Lines longer than this many characters are broken between values; never when left out. */
  readonly width?: number
}

const INDENT = '  '

/** A message in canonical SML: double quotes, counts on lists alone, a dot at the end. */
export function printSml(message: SmlMessage, options: PrintOptions = {}): string {
  const header = `S${message.stream}F${message.function}${message.wait ? ' W' : ''}`
  return message.item ? `${header}\n${printItem(message.item, options)}.` : `${header}.`
}

/** An item in canonical SML, over as many lines as it takes. What it prints parses back to the same bytes. */
export function printItem(item: Item, options: PrintOptions = {}): string {
  const lines: string[] = []
  print(item, '', options, lines)
  return lines.join('\n')
}

function print(item: Item, indent: string, options: PrintOptions, lines: string[]): void {
  if (item.format !== 'L') {
    printLeaf(item, indent, options, lines)
  } else if (item.items.length === 0) {
    lines.push(`${indent}<L [0]>`)
  } else {
    lines.push(`${indent}<L [${item.items.length}]`)
    for (const inner of item.items) print(inner, indent + INDENT, options, lines)
    lines.push(`${indent}>`)
  }
}

type Leaf = Exclude<Item, { format: 'L' }>

function printLeaf(item: Leaf, indent: string, options: PrintOptions, lines: string[]): void {
  const start = `${indent}<${item.format}`
  const width = options.width ?? Number.POSITIVE_INFINITY
  const only = onlyWord(item, options)
  if (only !== undefined && start.length + only.length + 2 <= width) {
    lines.push(`${start} ${only}>`)
    return
  }
  const line = new LeafLine(indent + INDENT, start, width)
  eachWord(item, options, (word) => line.add(word))
  lines.push(line.end())
}

/** The word of an item that has a single one, as most have; undefined when only `eachWord` can tell. */
function onlyWord(item: Leaf, options: PrintOptions): string | undefined {
  switch (item.format) {
    case 'A':
      return quoteAscii(item.value, options.text)
    case 'J':
    case 'C':
      return undefined
    case 'B':
    case 'BOOLEAN':
      return typeof item.value === 'number' ? byteWord(item.format, item.value) : undefined
    default:
      return typeof item.value === 'object' ? undefined : numberText(item.format, item.value)
  }
}

/** A byte, or a truth, as SML writes it. */
export function byteWord(format: 'B' | 'BOOLEAN', byte: number): string {
  if (format === 'BOOLEAN' && byte <= 1) return byte === 1 ? 'T' : 'F'
  return hexByte(byte)
}

function eachWord(item: Leaf, options: PrintOptions, take: TakeWord): void {
  switch (item.format) {
    case 'A':
    case 'J':
    case 'C':
      return quoteText(item, options.text, take)
    case 'B':
    case 'BOOLEAN':
      for (const byte of bytesOf(item)) take(byteWord(item.format, byte))
      return
    default:
      for (const value of numbersOf(item)) take(numberText(item.format, value))
  }
}
