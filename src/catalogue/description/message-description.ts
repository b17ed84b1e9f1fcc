import type { Catalogue } from '../catalogue.js'
import type { DataItem } from '../data-item.js'
import { abortTransaction, type MessageRow, SOURCES, type WBit } from '../message-row.js'
import { itemNames } from '../structure/structure.js'

/** A message in words, for a person. */
export interface MessageDescription {
  readonly stream: number
  readonly function: number
  readonly name: string
  /** One for each direction or structure in which it is sent. */
  readonly forms: readonly {
    readonly direction: MessageRow['direction']
    readonly wBit: WBit
    /** In the notation of structure.ts; empty when header-only. */
    readonly structure: string
    /** Other structures that are read. */
    readonly alsoRead: readonly string[]
    /** Named data of the host's answer, if a site's file defines it. */
    readonly answer?: Readonly<Record<string, unknown>>
    readonly source: string
    /** It is a site's own, and replaces the standard's. */
    readonly replacesStandard: boolean
  }[]
  /** The data items in it, in order. */
  readonly items: readonly DataItem[]
  readonly replies: boolean
}

/** Undefined for a message that is not known. */
export function describeMessage(
  catalogue: Catalogue,
  stream: number,
  fn: number,
): MessageDescription | undefined {
  const rows = fn === 0 ? [abortTransaction(stream)] : catalogue.rows(stream, fn)
  if (rows.length === 0) return undefined
  const names = new Set(rows.flatMap((row) => catalogue.structures(row).flatMap(itemNames)))
  return {
    stream,
    function: fn,
    name: catalogue.name(stream, fn),
    forms: rows.map(({ direction, wBit, structure, alsoRead = [], answer, source }) => ({
      direction,
      wBit,
      structure,
      alsoRead,
      ...(answer && { answer }),
      source: 'site' in source ? source.site : source.map((name) => SOURCES[name]).join('; '),
      replacesStandard: 'site' in source && source.replaces,
    })),
    items: [...names].flatMap((name) => catalogue.item(name) ?? []),
    replies: catalogue.replies(stream, fn),
  }
}
