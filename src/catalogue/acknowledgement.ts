import type { Item } from '../secs2/item.js'
import { numbersOf } from '../secs2/number.js'
import { meaningOf } from './codes.js'
import { itemOf } from './items.js'
import type { Structure } from './structure.js'

/** What a reply says to its request. */
export interface Acknowledgement {
  /** The code's item, such as `HCACK`. */
  readonly item: string
  readonly code: number
  readonly accepted: boolean
  /** What the code means, in short words. */
  readonly text: string
}

/** The first acknowledge code of a body. The rest of it need not fit, and any format that holds a byte will do. */
export function acknowledgementIn(structure: Structure, item: Item | undefined): Acknowledgement | undefined {
  if (item === undefined) return undefined
  if (structure.kind === 'list' && item.format === 'L') {
    for (const [at, member] of structure.members.entries()) {
      const found = acknowledgementIn(member, item.items[at])
      if (found) return found
    }
  }
  if (structure.kind !== 'item') return undefined
  const known = itemOf(structure.name)
  const code = firstCode(item)
  if (known?.accepts === undefined || code === undefined) return undefined
  return { item: known.name, code, accepted: known.accepts.includes(code), text: meaningOf(known, code) }
}

function firstCode(item: Item): number | undefined {
  if (item.format === 'B') return item.bytes[0]
  if (item.format === 'BOOLEAN') return item.bytes[0] === undefined ? undefined : Number(item.bytes[0] !== 0)
  if (!('value' in item)) return undefined
  const [first] = numbersOf(item)
  return first === undefined ? undefined : Number(first)
}
