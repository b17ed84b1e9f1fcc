import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../catalogue/values/leaf.js'
import type { TypedItem } from '../../contract/topics/messages.js'
import type { NamedValue } from '../../contract/values.js'
import type { Item } from '../../secs2/item.js'
import { toTypedJson } from '../../secs2/json.js'
import type { Reading } from '../records/reading.js'

/** The known identifier, name and unit of a value. */
export interface Owner {
  readonly id: string | null
  readonly name: string | null
  readonly unit: string | null
}

/** An item as a value with its name; undefined stands for a value that does not exist. */
export const namedValue = (owner: Owner, item: Item | undefined, { text }: Reading): NamedValue => ({
  ...owner,
  value: item ? (toTypedJson(item, text) as TypedItem) : null,
  text: item ? inWords(readLeaf(item, { text })) : '',
})

const inWords = (value: ReadValue): string =>
  typeof value === 'string' ? value : `[${value.map(inWords).join(', ')}]`

/** E5 sends a list without items for a value that does not exist. */
export const isNothing = (item: Item | undefined): boolean => item?.format === 'L' && item.items.length === 0
