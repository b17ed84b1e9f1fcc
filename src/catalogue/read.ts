import type { Item } from '../secs2/item.js'
import { itemNamed } from './items.js'
import { leafFits, readLeaf } from './leaf.js'
import type { Choice, Structure } from './structure.js'
import type { View } from './view.js'

export type NamedValues = Record<string, unknown>

/** The named values of a body, or null when it does not have this structure. */
export function read(structure: Structure, item: Item | undefined, view: View): NamedValues | null {
  const values: NamedValues = {}
  if (item === undefined) return structure.kind === 'nothing' ? values : null
  return readInto(values, structure, item, view) ? values : null
}

function readInto(values: NamedValues, structure: Structure, item: Item, view: View): boolean {
  if (structure.kind === 'nothing') return false
  if (structure.kind === 'item') return readItem(values, structure.name, item, structure.many, view)
  if (structure.kind === 'choice') return readChoice(values, structure, item, view)
  if (item.format !== 'L') return false
  switch (structure.kind) {
    case 'list':
      if (structure.mayBeEmpty && item.items.length === 0) return true
      if (item.items.length !== structure.members.length) return false
      return structure.members.every((member, at) => {
        const inner = item.items[at]
        return inner !== undefined && readInto(values, member, inner, view)
      })
    case 'items': {
      const known = itemNamed(structure.name)
      if (!item.items.every((inner) => leafFits(known, inner, false, view))) return false
      values[structure.name] = item.items.map((inner) => readLeaf(inner, view))
      return true
    }
    case 'group': {
      const rows = item.items.map((inner): NamedValues | null => {
        const row: NamedValues = {}
        return readInto(row, structure.member, inner, view) ? row : null
      })
      values[structure.name] = rows
      return !rows.includes(null)
    }
  }
}

function readChoice(values: NamedValues, { alternatives }: Choice, item: Item, view: View): boolean {
  for (const alternative of alternatives) {
    const inner: NamedValues = {}
    if (!readInto(inner, alternative, item, view)) continue
    Object.assign(values, inner)
    return true
  }
  return false
}

function readItem(values: NamedValues, name: string, item: Item, many: boolean, view: View): boolean {
  if (!leafFits(itemNamed(name), item, many, view)) return false
  values[name] = readLeaf(item, view)
  return true
}
