import type { Catalogue } from '../catalogue.js'
import type { DataItem } from '../data-item.js'
import { type MessageRow, SOURCES } from '../message-row.js'
import { STANDARDS, type Standard } from '../standards.js'
import { STREAM_SUBJECTS } from '../streams.js'
import type { Structure } from '../structure/structure.js'
import { structureText } from '../structure/structure-text.js'
import { directionOf, formatsText, REPLIES, replyWords, SENDERS, sxfyOf, titleOf } from '../wording.js'
import { messagesByItem } from './item-description.js'
import { describeMessage, type MessageDescription } from './message-description.js'

/** Width of a line of a structure: a longer one is indented over several lines. */
const STRUCTURE_WIDTH = 72

/** Every message and data item of a catalogue as one page of Markdown, for GitHub. */
export function referencePage(catalogue: Catalogue): string {
  const streams = [...new Set(catalogue.messages.map(({ stream }) => stream))]
  const functions = streams.reduce((sum, stream) => sum + functionsOf(catalogue, stream).length, 0)
  return [
    introduction(functions, catalogue.items.length),
    contents(catalogue, streams),
    '## Standards',
    standardsTable(catalogue),
    ...streams.flatMap((stream) => streamSection(catalogue, stream)),
    '## Data items',
    ...itemSections(catalogue),
    '## Sources',
    'The facts come from these public documents, in our own words.',
    sourcesTable(catalogue),
    '',
  ].join('\n\n')
}

const introduction = (functions: number, items: number): string => `# Messages and data items

<!-- Printed by "secsctl catalogue describe --markdown". -->

The ${functions} functions and ${items} data items that secsctl knows by name. \
\`secsctl catalogue describe S2F41\` and \`secsctl catalogue describe HCACK\` print the same in a terminal.

${NOTATION}

Function 0 of every stream, Abort Transaction, is sent either way, has no body and no reply.`

/** How the page of the documentation shows it as well. */
export const NOTATION = `The body of a message is a structure of data items:

| Notation | Body |
| --- | --- |
| *header only* | none |
| \`<MDLN>\` | one item |
| \`<ALID...>\` | one item that holds any number of values |
| \`<L <MDLN> <SOFTREV>>\` | a list of exactly these |
| \`<L? <MDLN> <SOFTREV>>\` | a list of exactly these, or an empty one |
| \`<L <SVID>...>\` | a list of any number of one item |
| \`<L PARAMS... <L <CPNAME> <CPVAL>>>\` | a list with any number of the structure inside; in named data it is called \`PARAMS\` |
| \`(<L <MID>...> \\| <L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>>)\` | one of these |`

function contents(catalogue: Catalogue, streams: readonly number[]): string {
  const rows = streams.map((stream) => {
    const count = functionsOf(catalogue, stream).length
    return [link(`Stream ${stream}`), STREAM_SUBJECTS[stream] ?? '', String(count)]
  })
  const others = ['Standards', 'Data items', 'Sources'].map((title) => [link(title), '', ''])
  return table(['', 'About', 'Functions'], [...rows, ...others])
}

function standardsTable(catalogue: Catalogue): string {
  const rows = STANDARDS.map((standard) => [
    `SEMI ${standard.name}`,
    standard.subject,
    sentences(standardMessages(catalogue, standard), standard.note && linked(catalogue, standard.note)),
  ])
  return table(['Standard', 'About', 'Messages'], rows)
}

function standardMessages(catalogue: Catalogue, { messages }: Standard): string {
  const ranges = messages.map((range) => linked(catalogue, range.replace('-', ' to ')))
  return ranges.length === 0 ? '' : `${ranges.join(', ')}.`
}

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** A text in which the names of messages are links. */
const linked = (catalogue: Catalogue, text: string): string =>
  text.replace(/S(\d+)F(\d+)/g, (name, stream, fn) =>
    catalogue.rows(Number(stream), Number(fn)).length > 0 ? link(name) : name,
  )

function streamSection(catalogue: Catalogue, stream: number): readonly string[] {
  const described = functionsOf(catalogue, stream).flatMap(
    (fn) => describeMessage(catalogue, stream, fn) ?? [],
  )
  const rows = described.map((message) => [
    link(sxfyOf(message)),
    titleOf(message),
    SENDERS[directionOf(message)],
    replyWords(message),
  ])
  return [
    `## Stream ${stream}`,
    `${sentence(STREAM_SUBJECTS[stream] ?? 'messages of this site')}.`,
    table(['Message', 'Name', 'Sent', 'Reply'], rows),
    ...described.flatMap((message) => messageSection(catalogue, message)),
  ]
}

function messageSection(catalogue: Catalogue, message: MessageDescription): readonly string[] {
  const items = message.items.map(({ name, meaning }) => `- ${link(name)}: ${meaning}`).join('\n')
  return [
    `### ${sxfyOf(message)}`,
    `**${titleOf(message)}**`,
    ...catalogue.rows(message.stream, message.function).flatMap((row) => form(catalogue, row)),
    ...(items === '' ? [] : [items]),
  ]
}

function form(catalogue: Catalogue, row: MessageRow): readonly string[] {
  const [built, ...others] = catalogue.structures(row).map(structureBlock)
  return [
    `${sentence(SENDERS[row.direction])}${replyTo(row)}. <sub>${sourcesOf(row)}</sub>`,
    built ?? HEADER_ONLY,
    ...(others.length === 0 ? [] : ['Read as well, never sent:', ...others]),
  ]
}

function structureBlock(structure: Structure): string {
  const text = structureText(structure, STRUCTURE_WIDTH)
  return text === '' ? HEADER_ONLY : `\`\`\`text\n${text}\n\`\`\``
}

const HEADER_ONLY = '*Header only.*'

function replyTo({ stream, function: fn, wBit }: MessageRow): string {
  if (fn % 2 === 0) return `, in reply to ${link(`S${stream}F${fn - 1}`)}`
  return wBit === 'forbidden' ? ', no reply' : `, ${REPLIES[wBit]}: ${link(`S${stream}F${fn + 1}`)}`
}

const sourcesOf = ({ source }: MessageRow): string =>
  'site' in source ? source.site : source.map((name) => `[${name}](#sources)`).join(', ')

function itemSections(catalogue: Catalogue): readonly string[] {
  const messages = messagesByItem(catalogue)
  const items = [...catalogue.items].sort((a, b) => (a.name < b.name ? -1 : 1))
  const index = items.map(({ name }) => link(name)).join(' · ')
  return [
    'Codes in bold mean that the request is accepted.',
    index,
    ...items.flatMap((item) => itemSection(item, messages.get(item.name) ?? [])),
  ]
}

function itemSection(item: DataItem, messages: readonly string[]): readonly string[] {
  const codes = Object.entries(item.values ?? {})
    .map(([code, text]) => [Number(code), text] as const)
    .sort(([a], [b]) => a - b)
    .map(([code, text]) => [String(code), item.accepts?.includes(code) ? `**${text}**` : text])
  return [
    `### ${item.name}`,
    `${sentence(item.meaning)}. Format ${formatsText(item)}. In ${messages.map(link).join(', ')}.`,
    ...(codes.length === 0 ? [] : [table(['Code', 'Meaning'], codes)]),
    ...(item.open ? ['There are more codes than these.'] : []),
  ]
}

function sourcesTable({ messages }: Catalogue): string {
  const rows = Object.entries(SOURCES).map(([name, text]) => [
    name,
    text,
    String(messages.filter(({ source }) => !('site' in source) && source[0] === name).length),
  ])
  return table(['Source', 'Document', 'Rows'], rows)
}

/** Each function of a stream once, in order. */
const functionsOf = ({ messages }: Catalogue, stream: number): readonly number[] => [
  ...new Set(messages.filter((row) => row.stream === stream).map((row) => row.function)),
]

/** A link to a heading of the page, with the anchor that GitHub makes. */
const link = (heading: string): string => `[${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}
