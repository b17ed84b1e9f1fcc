import { parseStructure, type Structure } from './structure.js'

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
  /** Where the facts come from. */
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
  hume: 'Hume Integration, SECS messages and items (hume.com/secs, as listed in a guide on GitHub)',
} as const
export type Source = keyof typeof SOURCES

type Rest = Pick<MessageRow, 'structure' | 'source'> & Partial<Pick<MessageRow, 'alsoRead'>>

/** A primary of a stream. */
export const primary = (
  stream: number,
  fn: number,
  name: string,
  direction: MessageRow['direction'],
  wBit: WBit,
  rest: Rest,
): MessageRow => ({ stream, function: fn, name, direction, wBit, ...rest })

/** A secondary of a stream. */
export const secondary = (
  stream: number,
  fn: number,
  name: string,
  direction: MessageRow['direction'],
  rest: Rest,
): MessageRow => ({ stream, function: fn, name, direction, wBit: 'forbidden', ...rest })

const parsed = new Map<string, Structure>()

/** The structures that a row's body may have, the one to build first. Read when first asked for. */
export function structuresOf(row: MessageRow): readonly [Structure, ...Structure[]] {
  const [first, ...others] = [row.structure, ...(row.alsoRead ?? [])].map((text) => {
    const structure = parsed.get(text) ?? parseStructure(text)
    parsed.set(text, structure)
    return structure
  })
  return [first ?? { kind: 'nothing' }, ...others]
}
