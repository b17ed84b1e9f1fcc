import { atOnce } from '../kit/turns.js'
import type { Item } from '../secs2/item.js'
import type { ItemReader } from '../secs2/item-reader.js'
import { type Acknowledgement, acknowledgementIn, mayAcknowledge } from './acknowledgement.js'
import { meaningOf } from './codes.js'
import type { DataItem } from './data-item.js'
import { type Content, type Given, type KnownMessage, type MessageFrom, numbersOf } from './known-message.js'
import { abortTransaction, type MessageRow, type Sender, type WBit } from './message-row.js'
import { parseStructure } from './structure/parse-structure.js'
import { coversShape, type Structure } from './structure/structure.js'
import { buildSteps } from './values/build.js'
import type { Built, ItemProblem } from './values/build-work.js'
import { type LeafReader, type NamedValues, read } from './values/read.js'
import { readBodySteps } from './values/read-body.js'
import { readBytes } from './values/read-bytes.js'
import { readInParts } from './values/read-in-parts.js'
import { inOrderSteps, saysAllFormats } from './values/values-in-order.js'
import type { View } from './view.js'

/** Named data that do not fit a message, with everything that is wrong: up to a hundred problems. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'
  /** Of the first problem. */
  readonly item: string
  readonly detail: string

  constructor(
    message: string,
    readonly problems: readonly [ItemProblem, ...ItemProblem[]],
    /** The number of further problems. */
    more = 0,
  ) {
    const texts = problems.map(({ item, detail }) => `${item} ${detail}`)
    super(`${message}: ${[...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`)
    this.item = problems[0].item
    this.detail = problems[0].detail
  }
}

/** The structures that a body may have. It is built by the first one. */
type Structures = readonly [Structure, ...Structure[]]

const sxfy = (stream: number, fn: number): string => `S${stream}F${fn}`

/**
 * The messages and data items that are known. Builds message bodies from named data, and reads them.
 * Indexes and structures are made at their first use.
 */
export class Catalogue {
  readonly #structures = new Map<MessageRow, Structures>()
  /** By `build` or `read`, and the sender. */
  readonly #rowsAsKnown = {
    build: { host: new Map<string, MessageRow>(), equipment: new Map<string, MessageRow>() },
    read: { host: new Map<string, MessageRow>(), equipment: new Map<string, MessageRow>() },
  }
  #rows: ReadonlyMap<string, readonly MessageRow[]> | undefined
  #itemsByName: ReadonlyMap<string, DataItem> | undefined

  constructor(
    /** In order of stream and function. A message that looks different from either side has two rows. */
    readonly messages: readonly MessageRow[],
    readonly items: readonly DataItem[],
    /** The catalogue that this one extends; `build` and `read` have its types. */
    private readonly standard?: Catalogue,
  ) {}

  /** Every row of a message; none for one that is not known. */
  rows(stream: number, fn: number): readonly MessageRow[] {
    this.#rows ??= rowsByMessage(this.messages)
    return this.#rows.get(sxfy(stream, fn)) ?? []
  }

  /** The row of a message from `sender`; the row of the other side if only that side sends it. */
  find(stream: number, fn: number, sender?: Sender): MessageRow | undefined {
    const rows = this.rows(stream, fn)
    return rows.find(({ direction }) => direction === sender || direction === 'both') ?? rows[0]
  }

  /** Such as `S1F13 Establish Communications Request`; `S99F1` for a message that is not known. */
  name(stream: number, fn: number): string {
    const { name } = fn === 0 ? abortTransaction(stream) : (this.find(stream, fn) ?? {})
    return name === undefined ? sxfy(stream, fn) : `${sxfy(stream, fn)} ${name}`
  }

  /** Undefined for a message that is not known. */
  wBit(stream: number, fn: number, sender: Sender): WBit | undefined {
    return this.find(stream, fn, sender)?.wBit
  }

  /** Whether a primary has a secondary. */
  replies(stream: number, fn: number): boolean {
    return fn % 2 === 1 && this.rows(stream, fn + 1).length > 0
  }

  /** Undefined for a name that no message has. */
  item(name: string): DataItem | undefined {
    this.#itemsByName ??= new Map(this.items.map((item) => [item.name, item]))
    return this.#itemsByName.get(name)
  }

  /** What a code means, in short words: `codeText('HCACK', 2)` is `cannot perform now`; `unknown` for no code. */
  codeText(item: string, code: number): string {
    const known = this.item(item)
    return known?.values ? meaningOf(known, code) : 'unknown'
  }

  structures(row: MessageRow): Structures {
    const known = this.#structures.get(row)
    if (known) return known
    const made: Structures = [parseStructure(row.structure), ...(row.alsoRead ?? []).map(parseStructure)]
    this.#structures.set(row, made)
    return made
  }

  /**
   * The body of a message of the standard, from named data that the compiler checks; undefined when it is
   * header-only. Groups are given whole. Throws `CatalogueError` for a value that its item cannot hold.
   */
  build<From extends Sender, Name extends MessageFrom<From>>(
    message: Name & KnownMessage,
    data: Given<Name, From>,
    view: View & { readonly sender: From },
  ): Item | undefined {
    return this.buildKnown(message, data as unknown as NamedValues, view)
  }

  /** The named values of a message of the standard; null when the body does not fit it. */
  read<From extends Sender, Name extends MessageFrom<From>>(
    message: Name & KnownMessage,
    item: Item | undefined,
    view: View & { readonly sender: From },
  ): Content<Name, From> | null {
    return this.readKnown(message, item, view) as unknown as Content<Name, From> | null
  }

  /** As `build`, for a table of messages whose data the compiler has checked already. */
  buildKnown(message: KnownMessage, data: NamedValues, view: View): Item | undefined {
    return atOnce(this.#build(this.#rowAsKnown(message, view.sender, 'build'), data, view))
  }

  /** As `read`, for a table of messages whose data the compiler has checked already. */
  readKnown(
    message: KnownMessage,
    item: Item | undefined,
    view: View,
    leaf?: LeafReader,
  ): NamedValues | null {
    return this.#read(this.#rowAsKnown(message, view.sender, 'read'), item, view, leaf)
  }

  /** As `readKnown`, of the bytes of a short body, whose values become text only when `String` asks: see `readBytes`. */
  readBytes(message: KnownMessage, body: Uint8Array, view: View): NamedValues | null {
    for (const structure of this.structures(this.#rowAsKnown(message, view.sender, 'read'))) {
      const values = readBytes(structure, body, view, this.#itemNamed)
      if (values) return values
    }
    return null
  }

  /**
   * The body of any message from named values. A value is a string; a number, boolean, array, nested or typed
   * object is accepted too. Undefined when the message is header-only. Throws `CatalogueError` for what does
   * not fit, and for a message that is not known.
   */
  buildAny(stream: number, fn: number, data: NamedValues, view: View): Item | undefined {
    const row = this.find(stream, fn, view.sender)
    if (row) return atOnce(this.#build(row, data, view))
    const item = sxfy(stream, fn)
    throw new CatalogueError(item, [{ item, detail: 'is not in the catalogue' }])
  }

  /**
   * As `buildAny`, also for a message that is not known, and if each name gives its format (`CHUCKTEMP:F4`): then
   * the body is one list of the values in their order, as A if no format is known; none without values.
   */
  buildGiven(stream: number, fn: number, data: NamedValues, view: View): Item | undefined {
    return atOnce(this.buildGivenSteps(stream, fn, data, view))
  }

  /** The same in steps of a few milliseconds. */
  *buildGivenSteps(
    stream: number,
    fn: number,
    data: NamedValues,
    view: View,
  ): Generator<void, Item | undefined> {
    const row = this.find(stream, fn, view.sender)
    if (row && !saysAllFormats(data)) return yield* this.#build(row, data, view)
    if (Object.keys(data).length === 0) return undefined
    return itemOf(sxfy(stream, fn), yield* inOrderSteps(data, view, (name) => this.item(name)))
  }

  /**
   * The named values of any message's body as strings, which `buildAny` takes. Null when the message is not
   * known or the body does not fit it. `leaf` converts each value to something other than a string.
   */
  readAny(
    stream: number,
    fn: number,
    item: Item | undefined,
    view: View,
    leaf?: LeafReader,
  ): NamedValues | null {
    const row = this.find(stream, fn, view.sender)
    return row ? this.#read(row, item, view, leaf) : null
  }

  /** As `readAny`, of a long body in steps: see `readInParts`. */
  *readAnyInParts(
    stream: number,
    fn: number,
    item: Item | undefined,
    view: View,
  ): Generator<undefined, NamedValues | null> {
    const row = this.find(stream, fn, view.sender)
    for (const structure of row ? this.structures(row) : []) {
      const values = yield* readInParts(structure, item, view, this.#itemNamed)
      if (values) return values
    }
    return null
  }

  /**
   * What `readKnown` gives for a message of the standard, or `readAny` where a site says what to answer, of a body of
   * very many items: see `readBodySteps`. Null also for a message that is not known.
   */
  *readBodySteps(
    stream: number,
    fn: number,
    reader: ItemReader,
    view: View,
    maxKept?: number,
  ): Generator<undefined, NamedValues | null> {
    const own = this.find(stream, fn, view.sender)
    if (!own) return null
    const known = sxfy(stream, fn) as KnownMessage
    const row = own.answer === undefined ? this.#rowAsKnown(known, view.sender, 'read') : own
    for (const structure of this.structures(row)) {
      const values = yield* readBodySteps(structure, reader, view, this.#itemNamed, maxKept)
      if (values) return values
    }
    return null
  }

  /** The acknowledge code that a secondary carries, if it does. The rest of its body need not fit. */
  acknowledgement(stream: number, fn: number, item: Item | undefined): Acknowledgement | undefined {
    const row = this.find(stream, fn)
    return row && fn % 2 === 0
      ? acknowledgementIn(this.structures(row)[0], item, (name) => this.item(name))
      : undefined
  }

  /** Whether a message may carry an acknowledge code. */
  mayAcknowledge(stream: number, fn: number): boolean {
    const row = fn % 2 === 0 ? this.find(stream, fn) : undefined
    return row !== undefined && mayAcknowledge(this.structures(row)[0], (name) => this.item(name))
  }

  *#build(row: MessageRow, data: NamedValues, view: View): Generator<void, Item | undefined> {
    const built = yield* buildSteps(this.structures(row)[0], data, view, this.#itemNamed)
    return itemOf(this.name(row.stream, row.function), built)
  }

  #read(row: MessageRow, item: Item | undefined, view: View, leaf?: LeafReader): NamedValues | null {
    for (const structure of this.structures(row)) {
      const values = read(structure, item, view, this.#itemNamed, leaf)
      if (values) return values
    }
    return null
  }

  /**
   * The row that builds or reads a message of the standard whose names the compiler knows. A site's row is used
   * instead of the standard's if it has these names.
   */
  #rowAsKnown(message: KnownMessage, sender: Sender, use: 'build' | 'read'): MessageRow {
    const rows = this.#rowsAsKnown[use][sender]
    const known = rows.get(message)
    if (known) return known
    const { stream, function: fn } = numbersOf(message)
    const own = this.find(stream, fn, sender)
    const standard = this.standard?.find(stream, fn, sender) ?? own
    if (!own || !standard) throw new Error(`${message} is not in the catalogue`)
    const row = this.#serves(own, standard, use) ? own : standard
    rows.set(message, row)
    return row
  }

  #serves(own: MessageRow, standard: MessageRow, use: 'build' | 'read'): boolean {
    if (own === standard) return true
    const [structure] = this.structures(own)
    const [wanted] = this.structures(standard)
    return coversShape(structure, wanted) && (use === 'read' || coversShape(wanted, structure))
  }

  /** An item that a structure names. It exists: every row is checked for that. */
  readonly #itemNamed = (name: string): DataItem => {
    const item = this.item(name)
    if (!item) throw new Error(`no data item ${name} in the catalogue`)
    return item
  }
}

/** What was built; throws `CatalogueError` when something was wrong. */
function itemOf(message: string, { item, problems, more }: Built): Item | undefined {
  const [first, ...others] = problems
  if (first) throw new CatalogueError(message, [first, ...others], more)
  return item
}

function rowsByMessage(messages: readonly MessageRow[]): ReadonlyMap<string, readonly MessageRow[]> {
  const rows = new Map<string, MessageRow[]>()
  for (const row of messages) {
    const key = sxfy(row.stream, row.function)
    const others = rows.get(key)
    if (others) others.push(row)
    else rows.set(key, [row])
  }
  return rows
}
