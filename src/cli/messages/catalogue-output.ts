import type { Catalogue } from '../../catalogue/catalogue.js'
import type { DataItem } from '../../catalogue/data-item.js'
import type { ItemDescription } from '../../catalogue/description/item-description.js'
import { describeMessage, type MessageDescription } from '../../catalogue/description/message-description.js'
import { parseStructure } from '../../catalogue/structure/parse-structure.js'
import { structureText } from '../../catalogue/structure/structure-text.js'
import {
  directionOf,
  formatsText,
  REPLIES,
  replyWords,
  SENDERS,
  sxfyOf,
  titleOf,
} from '../../catalogue/wording.js'
import { visible } from '../../kit/text/visible-text.js'
import { paint } from '../output/highlight.js'
import { type Column, cellLines } from '../output/output.js'

/** Every message, or those of one stream, each once and in order. */
export function describeMessages(catalogue: Catalogue, stream?: number): readonly MessageDescription[] {
  const rows = catalogue.messages.filter((row) => stream === undefined || row.stream === stream)
  const numbers = new Map(rows.map((row) => [`S${row.stream}F${row.function}`, row]))
  return [...numbers.values()].flatMap((row) => describeMessage(catalogue, row.stream, row.function) ?? [])
}

export const DESCRIPTION_COLUMNS: readonly Column<MessageDescription>[] = [
  { title: 'MESSAGE', text: sxfyOf },
  { title: 'NAME', text: titleOf },
  { title: 'SENT', text: (message) => SENDERS[directionOf(message)] },
  { title: 'REPLY', text: replyWords },
]

const REPLACED = ", in place of the standard's"

/** Width of a line of a structure: with its indentation it fits into 80 columns. */
const STRUCTURE_WIDTH = 76

/** A message for a person. */
export function messageInWords({ name, forms, items }: MessageDescription): string {
  const lines = [paint.bold(visible(name))]
  for (const { direction, wBit, structure, alsoRead, answer, source, replacesStandard } of forms) {
    lines.push('', `${SENDERS[direction]}, ${REPLIES[wBit]}`, structureInWords(structure))
    for (const other of alsoRead)
      lines.push('  another structure, which secsctl accepts but never sends:', structureInWords(other))
    if (answer) lines.push(`  reply of the gateway: ${JSON.stringify(answer)}`)
    lines.push(paint.dim(`  source: ${visible(String(source))}${replacesStandard ? REPLACED : ''}`))
  }
  for (const item of items) lines.push('', ...itemLines(item, FEW_CODES))
  return lines.join('\n')
}

/** Codes that are listed with a message; where there are more, only with their item. */
const FEW_CODES = 20

/** A data item for a person, with the messages that have it. */
export function itemInWords({ item, messages }: ItemDescription, catalogue: Catalogue): string {
  const names = messages.map((message) => {
    const [stream = 0, fn = 0] = message.slice(1).split('F').map(Number)
    return `  ${catalogue.name(stream, fn)}`
  })
  return [...itemLines(item), '', 'In', ...names.map((name) => visible(name))].join('\n')
}

function itemLines(item: DataItem, mostCodes = Number.POSITIVE_INFINITY): readonly string[] {
  const head = [`${paint.bold(item.name)}  ${visible(item.meaning)}`, `  ${formatsText(item)}`]
  const own = item.source
    ? [paint.dim(`  ${visible(item.source.site)}${item.source.replaces ? REPLACED : ''}`)]
    : []
  const codes = codesOf(item)
  if (codes.length > mostCodes) {
    return [...head, `  ${codes.length} codes: catalogue describe ${item.name}`, ...own]
  }
  const width = Math.max(3, ...codes.map(({ code }) => code.length))
  const lines = codes.map(({ code, text, accepts }) => {
    const line = `  ${code.padStart(width)}  ${visible(text)}`
    return accepts ? paint.green(line) : line
  })
  return [...head, ...lines, ...(item.open ? [`  ${' '.repeat(width)}  and others`] : []), ...own]
}

/** A line a fact, its kind first: `message`, `form`, `also`, `answer`, `item`, `code`. Nothing is left out. */
export function messageAsTsv(message: MessageDescription): string {
  const { forms, items } = message
  const facts = forms.flatMap(({ direction, wBit, structure, alsoRead, answer, source }) => [
    ['form', direction, wBit, structure, source],
    ...alsoRead.map((other) => ['also', direction, wBit, other, source]),
    ...(answer ? [['answer', direction, JSON.stringify(answer)]] : []),
  ])
  return cellLines([['message', sxfyOf(message), titleOf(message)], ...facts, ...items.flatMap(itemFacts)])
}

/** A line a fact, its kind first: `item`, `code`, `message`. */
export const itemAsTsv = ({ item, messages }: ItemDescription): string =>
  cellLines([...itemFacts(item), ...messages.map((message) => ['message', message])])

const itemFacts = (item: DataItem): readonly (readonly string[])[] => [
  ['item', item.name, item.free ? 'any' : item.formats.join(' '), item.meaning],
  ...codesOf(item).map(({ code, text }) => ['code', item.name, code, text]),
]

/** A message with the member names of the API. */
export function messageAsJson({ stream, function: fn, name, forms, items, replies }: MessageDescription) {
  return {
    stream,
    function: fn,
    name,
    replies,
    forms: forms.map(({ direction, wBit, structure, alsoRead, answer, source, replacesStandard }) => ({
      direction,
      w_bit: wBit,
      structure,
      also_read: alsoRead,
      ...(answer && { answer }),
      source,
      replaces_standard: replacesStandard,
    })),
    items: items.map(itemAsJson),
  }
}

export function itemAsJson(item: DataItem) {
  const { name, formats, free, meaning, values, accepts, open, source } = item
  const codes = values && {
    codes: codesOf(item).map(({ code, text }) => ({ code: Number(code), meaning: text })),
  }
  return {
    name,
    formats: free ? 'any' : formats,
    meaning,
    ...codes,
    ...(values && { complete: open !== true }),
    ...(accepts && { accepts }),
    ...(source && { source: source.site, replaces_standard: source.replaces }),
  }
}

/** In order of their numbers, which an object keeps only above zero. */
const codesOf = ({ values = {}, accepts }: DataItem) =>
  Object.entries(values)
    .map(([code, text]) => ({ code, text, accepts: accepts?.includes(Number(code)) === true }))
    .sort((a, b) => Number(a.code) - Number(b.code))

function structureInWords(structure: string): string {
  const text = structureText(parseStructure(structure), STRUCTURE_WIDTH) || '(header only)'
  return text.replace(/^/gm, '  ')
}
