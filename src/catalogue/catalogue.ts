import type { Item } from '../secs2/item.js'
import { type Acknowledgement, acknowledgementIn } from './acknowledgement.js'
import { build, type ItemProblem } from './build.js'
import { categoryOf, meaningOf } from './codes.js'
import type { DataItem } from './data-item.js'
import { itemNamed, itemOf } from './items.js'
import { type MessageRow, type Sender, SOURCES, structuresOf, type WBit } from './message-row.js'
import { type NamedValues, read } from './read.js'
import { STREAM_1 } from './s1.js'
import { STREAM_2 } from './s2.js'
import { STREAM_3 } from './s3.js'
import { STREAM_4 } from './s4.js'
import { STREAM_5 } from './s5.js'
import { STREAM_6 } from './s6.js'
import { STREAM_7 } from './s7.js'
import { STREAM_8 } from './s8.js'
import { STREAM_9 } from './s9.js'
import { STREAM_10 } from './s10.js'
import { STREAM_12 } from './s12.js'
import { STREAM_13 } from './s13.js'
import { STREAM_14 } from './s14.js'
import { STREAM_15 } from './s15.js'
import { STREAM_16 } from './s16.js'
import { STREAM_17 } from './s17.js'
import { STREAM_18 } from './s18.js'
import { STREAM_19 } from './s19.js'
import { STREAM_21 } from './s21.js'
import { itemNames } from './structure.js'
import type { View } from './view.js'

export type { View } from './view.js'

const ROWS: readonly MessageRow[] = [
  ...STREAM_1,
  ...STREAM_2,
  ...STREAM_3,
  ...STREAM_4,
  ...STREAM_5,
  ...STREAM_6,
  ...STREAM_7,
  ...STREAM_8,
  ...STREAM_9,
  ...STREAM_10,
  ...STREAM_12,
  ...STREAM_13,
  ...STREAM_14,
  ...STREAM_15,
  ...STREAM_16,
  ...STREAM_17,
  ...STREAM_18,
  ...STREAM_19,
  ...STREAM_21,
]

const sxfy = (stream: number, fn: number): string => `S${stream}F${fn}`

/** Rows by their `S1F13`. A message that looks different from either side has two. */
const rowsOf = new Map<string, readonly MessageRow[]>()
for (const row of ROWS) {
  const key = sxfy(row.stream, row.function)
  rowsOf.set(key, [...(rowsOf.get(key) ?? []), row])
}

/** Named data that do not fit a message; all that is wrong with them at once. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'
  /** The first problem's. */
  readonly item: string
  readonly detail: string

  constructor(
    message: string,
    readonly problems: readonly [ItemProblem, ...ItemProblem[]],
  ) {
    super(`${message}: ${problems.map(({ item, detail }) => `${item} ${detail}`).join('; ')}`)
    this.item = problems[0].item
    this.detail = problems[0].detail
  }
}

/** Every row, in order of stream and function. */
export const allMessages = (): readonly MessageRow[] => ROWS

/** A message as `sender` sends it; as the other side does when only that one is known to. */
export function findMessage(stream: number, fn: number, sender?: Sender): MessageRow | undefined {
  const rows = rowsOf.get(sxfy(stream, fn)) ?? []
  return rows.find(({ direction }) => direction === sender || direction === 'both') ?? rows[0]
}

/** Such as `S1F13 Establish Communications Request`; `S99F1` for a message that is not known. */
export function messageName(stream: number, fn: number): string {
  const name = fn === 0 ? 'Abort Transaction' : findMessage(stream, fn)?.name
  return name === undefined ? sxfy(stream, fn) : `${sxfy(stream, fn)} ${name}`
}

/** Undefined for a message that is not known. */
export const wBitOf = (stream: number, fn: number, sender: Sender): WBit | undefined =>
  findMessage(stream, fn, sender)?.wBit

/** Whether a primary has a secondary. */
export const replies = (stream: number, fn: number): boolean =>
  fn % 2 === 1 && rowsOf.has(sxfy(stream, fn + 1))

/** Undefined for a name that no message has. */
export const findItem = (name: string): DataItem | undefined => itemOf(name)

/** What a code means, in short words: `codeText('HCACK', 2)` is `cannot perform now`; `unknown` for no code. */
export function codeText(item: string, code: number): string {
  const known = findItem(item)
  return known?.values ? meaningOf(known, code) : 'unknown'
}

/** What an alarm's category means. `code` may be all of ALCD: its top bit is not looked at. */
export const alarmCategory = (code: number): string => categoryOf(code)

/**
 * A message's item from named values. A value is a string; a number, boolean, array, nested or typed object
 * is taken as well. Undefined when the message is header-only. CatalogueError for what does not fit, and for a
 * message that is not known.
 */
export function buildBody(
  stream: number,
  fn: number,
  data: Readonly<Record<string, unknown>>,
  view: View,
): Item | undefined {
  const row = findMessage(stream, fn, view.sender)
  if (!row) {
    throw new CatalogueError(sxfy(stream, fn), [
      { item: sxfy(stream, fn), detail: 'is not in the catalogue' },
    ])
  }
  const { item, problems } = build(structuresOf(row)[0], data, view)
  const [first, ...others] = problems
  if (first) throw new CatalogueError(messageName(stream, fn), [first, ...others])
  return item
}

/**
 * The named values of a message's body as strings, which `buildBody` takes. Null when the message is not known
 * or the body does not fit it.
 */
export function readBody(stream: number, fn: number, item: Item | undefined, view: View): NamedValues | null {
  const row = findMessage(stream, fn, view.sender)
  if (!row) return null
  for (const structure of structuresOf(row)) {
    const values = read(structure, item, view)
    if (values) return values
  }
  return null
}

/** Whether a body is what the catalogue says of the message, as `sender` sends it. */
export const fits = (
  stream: number,
  fn: number,
  item: Item | undefined,
  sender: Sender,
  view: Omit<View, 'sender'> = {},
): boolean => readBody(stream, fn, item, { ...view, sender }) !== null

/** The acknowledge code that a secondary carries, if it does. The rest of its body need not fit. */
export function acknowledgement(
  stream: number,
  fn: number,
  item: Item | undefined,
): Acknowledgement | undefined {
  const row = findMessage(stream, fn)
  return row && fn % 2 === 0 ? acknowledgementIn(structuresOf(row)[0], item) : undefined
}

/** A message in words, for a person. */
export interface MessageDescription {
  readonly stream: number
  readonly function: number
  readonly name: string
  /** One for each way it is sent. */
  readonly forms: readonly {
    readonly direction: MessageRow['direction']
    readonly wBit: WBit
    /** In the notation of structure.ts; empty when header-only. */
    readonly structure: string
    readonly source: string
  }[]
  /** The data items in it, in order. */
  readonly items: readonly DataItem[]
  readonly replies: boolean
}

/** Undefined for a message that is not known. */
export function describeMessage(stream: number, fn: number): MessageDescription | undefined {
  const rows = rowsOf.get(sxfy(stream, fn))
  if (!rows) return undefined
  const names = new Set(rows.flatMap((row) => structuresOf(row).flatMap(itemNames)))
  return {
    stream,
    function: fn,
    name: messageName(stream, fn),
    forms: rows.map(({ direction, wBit, structure, source }) => ({
      direction,
      wBit,
      structure,
      source: SOURCES[source],
    })),
    items: [...names].map(itemNamed),
    replies: replies(stream, fn),
  }
}
