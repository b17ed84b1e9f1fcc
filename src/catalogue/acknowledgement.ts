import type { Item } from '../secs2/item.js'
import { meaningOf } from './codes.js'
import type { DataItem } from './data-item.js'
import type { Structure } from './structure/structure.js'

/** The acknowledge code of a reply. */
export interface Acknowledgement {
  /** The code's item, such as `HCACK`. */
  readonly item: string
  readonly code: number
  readonly accepted: boolean
  /** What the code means, in short words. */
  readonly text: string
}

/**
 * The first acknowledge code of a body; the rest of the body need not fit the structure. A code may have any
 * integer format; of an item that may have several values, it is the first.
 * `itemOf` knows the items that the structure names.
 */
export function acknowledgementIn(
  structure: Structure,
  item: Item | undefined,
  itemOf: (name: string) => DataItem | undefined,
): Acknowledgement | undefined {
  if (item === undefined) return undefined
  if (structure.kind === 'list' && item.format === 'L') {
    for (const [at, member] of structure.members.entries()) {
      const found = acknowledgementIn(member, item.items[at], itemOf)
      if (found) return found
    }
  }
  if (structure.kind !== 'item') return undefined
  const known = itemOf(structure.name)
  if (known?.accepts === undefined) return undefined
  const code = codeIn(item, known.single)
  if (code === undefined) return undefined
  return { item: known.name, code, accepted: known.accepts.includes(code), text: meaningOf(known, code) }
}

/** Whether a body of this structure may have one. */
export const mayAcknowledge = (
  structure: Structure,
  itemOf: (name: string) => DataItem | undefined,
): boolean =>
  structure.kind === 'list'
    ? structure.members.some((member) => mayAcknowledge(member, itemOf))
    : structure.kind === 'item' && itemOf(structure.name)?.accepts !== undefined

function codeIn(item: Item, single: boolean): number | undefined {
  if (item.format === 'L' || item.format === 'F4' || item.format === 'F8') return undefined
  const { value } = item
  if (typeof value === 'string' || (single && typeof value === 'object')) return undefined
  const first = typeof value === 'object' ? value[0] : value
  if (first === undefined) return undefined
  return item.format === 'BOOLEAN' ? Number(first !== 0) : Number(first)
}
