import { joined, type Leaf, treeParts, valueChunks } from '../in-parts.js'
import type { Item, TextItem } from '../item.js'
import { numberText } from '../number.js'
import { LeafLine } from './leaf-line.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { hexByte, quoteAscii, quoteText } from './quote.js'

export interface PrintOptions extends SmlOptions {
  /** Lines longer than this many characters are broken between values; never when left out. */
  readonly width?: number
}

const INDENT = '  '

/** A message in canonical SML: double quotes, counts on lists alone, a dot at the end. */
export const printSml = (message: SmlMessage, options: PrintOptions = {}): string =>
  joined(smlParts(message, options))

/** The same in parts of some kilobytes; an empty part marks a step of work without output. */
export function* smlParts(message: SmlMessage, options: PrintOptions = {}): Generator<string> {
  const { stream, function: fn, wait, item } = message
  yield `S${stream}F${fn}${wait ? ' W' : ''}${item ? '\n' : '.'}`
  if (!item) return
  yield* itemParts(item, options)
  yield '.'
}

/** An item in canonical SML, over as many lines as it takes. What it prints parses back to the same bytes. */
export const printItem = (item: Item, options: PrintOptions = {}): string => joined(itemParts(item, options))

const itemParts = (root: Item, options: PrintOptions): Generator<string> =>
  treeParts(root, {
    open: ({ items }, depth) =>
      `${INDENT.repeat(depth)}<L [${items.length}]${items.length === 0 ? '' : '\n'}`,
    separator: '\n',
    close: ({ items }, depth) => (items.length === 0 ? '>' : `\n${INDENT.repeat(depth)}>`),
    leaf: (leaf, depth) => printLeaf(leaf, INDENT.repeat(depth), options),
    leafParts: (leaf, depth) => leafParts(leaf, INDENT.repeat(depth), options),
  })

function printLeaf(leaf: Leaf, indent: string, options: PrintOptions): string {
  const words = shortWords(leaf, options.text)
  if (words !== undefined) {
    const line = `${indent}<${leaf.format}${words}>`
    if (options.width === undefined || line.length <= options.width) return line
  }
  return joined(leafParts(leaf, indent, options))
}

/** The words of a short leaf, a space before each; undefined for text that is not plain ASCII. */
function shortWords(leaf: Leaf, text: SmlOptions['text']): string | undefined {
  if (isText(leaf)) return leaf.format === 'A' ? quoteAscii(leaf.value, text) : undefined
  const { format, value } = leaf
  if (typeof value !== 'object') return ` ${valueWord(format, value)}`
  let words = ''
  for (const one of value) words += ` ${valueWord(format, one)}`
  return words
}

function* leafParts(leaf: Leaf, indent: string, { text, width }: PrintOptions): Generator<string> {
  const line = new LeafLine(indent + INDENT, `${indent}<${leaf.format}`, width)
  const steps = isText(leaf) ? quoteText(leaf, text, line) : writeValues(leaf, line)
  while (!steps.next().done) yield line.taken()
  line.append('>')
  yield line.taken()
}

const isText = (leaf: Leaf): leaf is TextItem => typeof leaf.value === 'string'

/** Writes the values of a leaf to `line`, in steps. */
function* writeValues(leaf: Exclude<Leaf, TextItem>, line: LeafLine): Generator<void> {
  for (const values of valueChunks(leaf)) {
    for (const value of values) line.add(valueWord(leaf.format, value))
    yield
  }
}

/** A number, a byte or a truth, as SML writes it. */
function valueWord(format: Exclude<Leaf, TextItem>['format'], value: number | bigint): string {
  if (format === 'BOOLEAN' && value <= 1) return value === 1 ? 'T' : 'F'
  return format === 'B' || format === 'BOOLEAN' ? hexByte(Number(value)) : numberText(format, value)
}
