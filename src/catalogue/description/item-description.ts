import type { Catalogue } from '../catalogue.js'
import type { DataItem } from '../data-item.js'
import { itemNames } from '../structure/structure.js'

/** A data item in words, for a person. */
export interface ItemDescription {
  readonly item: DataItem
  /** The messages that have it, in order, each once: `S2F42`. */
  readonly messages: readonly string[]
}

/** Undefined for a name that no message has. */
export function describeItem(catalogue: Catalogue, name: string): ItemDescription | undefined {
  const item = catalogue.item(name)
  return item && { item, messages: messagesByItem(catalogue).get(name) ?? [] }
}

/** The messages that have each item. */
export function messagesByItem(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const row of catalogue.messages) {
    for (const name of catalogue.structures(row).flatMap(itemNames)) {
      const messages = found.get(name) ?? new Set()
      found.set(name, messages.add(`S${row.stream}F${row.function}`))
    }
  }
  return new Map([...found].map(([name, messages]) => [name, [...messages]]))
}
