/** Who sends a message. */
export type Sender = 'host' | 'equipment'

/** Of a primary: whether it asks for a reply. A secondary never does. */
export type WBit = 'required' | 'optional' | 'forbidden'

/** What the catalogue knows of a message (SEMI E5), as one kind of sender sends it. */
export interface MessageRow {
  readonly stream: number
  readonly function: number
  readonly name: string
  /** Who may send it. */
  readonly direction: Sender | 'both'
  readonly wBit: WBit
  /** In the notation of structure.ts. */
  readonly structure: string
  /** Other structures that are about: they are read, and never built. */
  readonly alsoRead?: readonly string[]
  /** Of an equipment's primary: named data of the secondary by which a host answers it, whatever it says. */
  readonly answer?: Readonly<Record<string, unknown>>
  /** Where the facts come from: a public document, or a site's own words. */
  readonly source: Source | SiteSource
  /** Other public documents that say the same. */
  readonly confirmedBy?: readonly Source[]
}

/** A site's own file says so. */
export interface SiteSource {
  readonly site: string
  /** The standard's message, or item, of this name is no longer the one that counts. */
  readonly replaces: boolean
}

/** A row as the compiler knows it, from which the types of its named data come. */
export interface TypedRow<
  Stream extends number,
  Fn extends number,
  Direction extends MessageRow['direction'],
  Text extends string,
  Also extends string,
> extends MessageRow {
  readonly stream: Stream
  readonly function: Fn
  readonly direction: Direction
  readonly structure: Text
  readonly alsoRead?: readonly Also[]
  readonly source: Source
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

interface Rest<Text extends string, Also extends string> {
  readonly structure: Text
  readonly alsoRead?: readonly Also[]
  readonly source: Source
  readonly confirmedBy?: readonly Source[]
}

/** A primary of a stream. */
export const primary = <
  Stream extends number,
  Fn extends number,
  Direction extends MessageRow['direction'],
  Text extends string,
  Also extends string = never,
>(
  stream: Stream,
  fn: Fn,
  name: string,
  direction: Direction,
  wBit: WBit,
  rest: Rest<Text, Also>,
): TypedRow<Stream, Fn, Direction, Text, Also> => ({ stream, function: fn, name, direction, wBit, ...rest })

/** A secondary of a stream. */
export const secondary = <
  Stream extends number,
  Fn extends number,
  Direction extends MessageRow['direction'],
  Text extends string,
  Also extends string = never,
>(
  stream: Stream,
  fn: Fn,
  name: string,
  direction: Direction,
  rest: Rest<Text, Also>,
): TypedRow<Stream, Fn, Direction, Text, Also> => primary(stream, fn, name, direction, 'forbidden', rest)

/** Function 0 of a stream, which has no row of its own. */
export const abortTransaction = (stream: number): MessageRow => ({
  stream,
  function: 0,
  name: 'Abort Transaction',
  direction: 'both',
  wBit: 'forbidden',
  structure: '',
  source: 'secsgem',
})

/** Whether two rows are of one message as one side sends it. */
export const overlaps = (one: MessageRow, other: MessageRow): boolean =>
  one.stream === other.stream &&
  one.function === other.function &&
  (one.direction === other.direction || one.direction === 'both' || other.direction === 'both')

/** Where a row's or an item's facts come from, in words. */
export const sourceText = (source: MessageRow['source']): string =>
  typeof source === 'string' ? SOURCES[source] : source.site
