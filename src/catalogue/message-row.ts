/** Who sends a message. */
export type Sender = 'host' | 'equipment'

/** Of a primary: whether it asks for a reply. A secondary never does. */
export type WBit = 'required' | 'optional' | 'forbidden'

/** The definition of a message (SEMI E5) for one sender. */
interface MessageFacts {
  readonly stream: number
  readonly function: number
  readonly name: string
  /** Who may send it. */
  readonly direction: Sender | 'both'
  readonly wBit: WBit
  /** In the notation of structure.ts; empty when the message is header-only. */
  readonly structure: string
  /** Other structures in use: they are read, and never built. */
  readonly alsoRead?: readonly string[]
  /** Of an equipment's primary: named data of the secondary with which a host always answers it. */
  readonly answer?: Readonly<Record<string, unknown>>
}

/** A row of the catalogue: the definition of a message, and its source. */
export interface MessageRow extends MessageFacts, Sourced {}

interface Sourced {
  /** The public document that the row was made from, then those that confirm it; or a site's file. */
  readonly source: readonly Source[] | SiteSource
}

/** The definition is in a site's own file. */
export interface SiteSource {
  readonly site: string
  /** It replaces the standard's message or item of this name. */
  readonly replaces: boolean
}

/** Public documents that the rows are made from. */
export const SOURCES = {
  secsgem: 'secsgem, function and item definitions (github.com/bparzella/secsgem, data/*.yaml)',
  asymtek: 'Nordson Asymtek, SECS/GEM for FluidMove, owner’s manual, chapter 4',
  siplace: 'Siemens, GEM for SIPLACE, host interface manual',
  nikon: 'Nikon, NWL860 SECS communications specification',
  secsgemnet: 'secsgem.net, SECS/GEM specification page',
  secsgemdocs: 'secsgem-docs.pages.dev, messages of stream 7',
  semirs: 'semi-rs, crate semi_e5 (github.com/farhanmustar/semi-rs, semi_e5/src/messages)',
  bee: 'BEE Co., SECS library in C++, BS2DefineMessage.cpp (2004; a copy on GitHub)',
  ifab: 'ifabSecs, messages in SML with the names of their items (a copy on GitHub)',
  hume: 'Hume Integration, SECS messages and items (hume.com/secs, as listed in guides on GitHub)',
  xcom: 'XCom, message definitions of a host driver (a copy on GitHub)',
} as const
export type Source = keyof typeof SOURCES

/** A message in a row: `S1F13 W` asks for a reply, `S2F21 [W]` may ask for one. */
type MessageText = `S${number}F${number}${'' | ' W' | ' [W]'}`

type StreamIn<Message> = Message extends `S${infer Stream extends number}F${string}` ? Stream : never
type FunctionIn<Message> = Message extends `${infer Name} ${string}`
  ? FunctionIn<Name>
  : Message extends `S${number}F${infer Fn extends number}`
    ? Fn
    : never

/** A message with literal types, from which the compiler derives the types of its named data. */
interface TypedFacts<
  Direction extends MessageRow['direction'],
  Message extends MessageText,
  Text extends string,
  Also extends string,
> extends MessageFacts {
  readonly stream: StreamIn<Message>
  readonly function: FunctionIn<Message>
  readonly direction: Direction
  readonly structure: Text
  readonly alsoRead?: readonly Also[]
}

const sentBy =
  <Direction extends MessageRow['direction']>(direction: Direction) =>
  <Message extends MessageText, Text extends string = '', Also extends string = never>(
    message: Message,
    name: string,
    /** One structure, or first the one that is built, then those that are only read. None when header-only. */
    structures?: Text | readonly [Text, ...Also[]],
  ): TypedFacts<Direction, Message, Text, Also> => {
    const [, stream, fn, wait] = /^S(\d{1,3})F(\d{1,3})(?!\d)(.*)$/.exec(message) ?? []
    const [structure = '', ...alsoRead] = typeof structures === 'string' ? [structures] : (structures ?? [])
    return {
      stream: Number(stream),
      function: Number(fn),
      name,
      direction,
      wBit: wait === ' W' ? 'required' : wait === ' [W]' ? 'optional' : 'forbidden',
      structure,
      ...(alsoRead.length > 0 && { alsoRead }),
    } as unknown as TypedFacts<Direction, Message, Text, Also>
  }

/** A message that the host sends. */
export const host = sentBy('host')
/** A message that the equipment sends. */
export const equipment = sentBy('equipment')
/** A message that either side sends, with the same structure. */
export const both = sentBy('both')

type SourceText = Source | `${Source}, ${Source}` | `${Source}, ${Source}, ${Source}`

/**
 * The rows of one stream. `sources` says of which functions each document, or list of documents, is the source:
 * `{ secsgem: 'F1-F5 F17', 'bee, hume': 'F7-F10' }`; a text alone is the source of all.
 */
// The type of the rows is not MessageFacts: the compiler would then widen their structures to `string`.
export function stream<Rows extends readonly Pick<MessageFacts, 'stream' | 'function'>[]>(
  sources: SourceText | { readonly [Text in SourceText]?: string },
  ...rows: Rows
): readonly (Rows[number] & Sourced)[] {
  const functionsOf = Object.entries(typeof sources === 'string' ? { [sources]: 'F1-F255' } : sources)
  return rows.map((row) => {
    const text = functionsOf.find(([, ranges]) => includes(ranges, row.function))?.[0]
    if (text === undefined) throw new Error(`S${row.stream}F${row.function} has no source`)
    return { ...row, source: text.split(', ') as Source[] }
  })
}

/** Whether ranges such as `F1-F5 F17` have a function. */
const includes = (ranges: string, fn: number): boolean =>
  ranges.split(' ').some((range) => {
    const [from, to = from] = range.split('-').map((end) => Number(end.slice(1)))
    return from !== undefined && to !== undefined && from <= fn && fn <= to
  })

/** Function 0 of a stream, which has no row of its own. */
export const abortTransaction = (stream: number): MessageRow => ({
  stream,
  function: 0,
  name: 'Abort Transaction',
  direction: 'both',
  wBit: 'forbidden',
  structure: '',
  source: ['secsgem', 'semirs'],
})

/** Whether two rows describe the same message of the same sender. */
export const overlaps = (one: MessageRow, other: MessageRow): boolean =>
  one.stream === other.stream &&
  one.function === other.function &&
  (one.direction === other.direction || one.direction === 'both' || other.direction === 'both')
