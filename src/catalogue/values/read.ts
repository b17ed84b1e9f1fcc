import type { Item } from '../../secs2/item.js'
import type { DataItem } from '../data-item.js'
import type { Choice, Structure } from '../structure/structure.js'
import type { ItemView, View } from '../view.js'
import { leafReads, readLeaf } from './leaf.js'

export type NamedValues = Readonly<Record<string, unknown>>

/** Converts an item to the value that is returned for its name. */
export type LeafReader = (item: Item, view: ItemView) => unknown

/** The named values of a body, or null when it does not have this structure. `itemNamed` knows its items. */
export function read(
  structure: Structure,
  item: Item | undefined,
  view: View,
  itemNamed: (name: string) => DataItem,
  leaf: LeafReader = readLeaf,
): NamedValues | null {
  if (item === undefined) return structure.kind === 'nothing' ? {} : null
  return new Reader(view, itemNamed, leaf).read(structure, item)
}

class Reader {
  constructor(
    private readonly view: View,
    private readonly itemNamed: (name: string) => DataItem,
    private readonly leaf: LeafReader,
  ) {}

  read(structure: Structure, item: Item): NamedValues | null {
    const values: Record<string, unknown> = {}
    return this.#into(values, structure, item) ? values : null
  }

  #into(values: Record<string, unknown>, structure: Structure, item: Item): boolean {
    switch (structure.kind) {
      case 'nothing':
        return false
      case 'item':
        if (!leafReads(this.itemNamed(structure.name), item, structure.many, this.view)) return false
        values[structure.name] = this.leaf(item, this.view)
        return true
      case 'choice':
        return this.#choice(values, structure, item)
    }
    if (item.format !== 'L') return false
    const { items } = item
    switch (structure.kind) {
      case 'list':
        return (structure.mayBeEmpty && items.length === 0) || this.#members(values, structure.members, items)
      case 'items': {
        const known = this.itemNamed(structure.name)
        if (!items.every((inner) => leafReads(known, inner, false, this.view))) return false
        values[structure.name] = items.map((inner) => this.leaf(inner, this.view))
        return true
      }
      case 'group': {
        const rows: NamedValues[] = []
        for (const inner of items) {
          const row = this.read(structure.member, inner)
          if (!row) return false
          rows.push(row)
        }
        values[structure.name] = rows
        return true
      }
    }
  }

  #members(values: Record<string, unknown>, members: readonly Structure[], items: readonly Item[]): boolean {
    if (items.length !== members.length) return false
    return members.every((member, at) => {
      const inner = items[at]
      return inner !== undefined && this.#into(values, member, inner)
    })
  }

  #choice(values: Record<string, unknown>, { alternatives }: Choice, item: Item): boolean {
    for (const alternative of alternatives) {
      const inner = this.read(alternative, item)
      if (!inner) continue
      Object.assign(values, inner)
      return true
    }
    return false
  }
}
