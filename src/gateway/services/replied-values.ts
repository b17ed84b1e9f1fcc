import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { readLeaf } from '../../catalogue/values/leaf.js'
import { Problem } from '../../contract/errors.js'
import type { TypedItem } from '../../contract/topics/messages.js'
import type { NamedValue } from '../../contract/values.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import { toTypedJson } from '../../secs2/json.js'
import type { Reading } from '../records/reading.js'
import type { Asking, Exchanged } from './asking.js'

interface RepliedValues {
  /** The primary, such as `S1F3`. */
  readonly message: string
  readonly ids: readonly string[]
  readonly known: ReadonlyMap<string, { readonly name: string; readonly unit: string }>
  readonly reply: Exchanged & { readonly body: Item | undefined }
}

/**
 * The values of a reply, which are in the order of the ids that were asked for. An empty list means that
 * the equipment does not have the id, unless the id is known. Throws `equipment_error` when the numbers of values and
 * ids differ.
 */
export function valuesOf(
  asking: Asking,
  equipmentId: string,
  { message, ids, known, reply: { body, message_id, reply_id } }: RepliedValues,
): NamedValue[] {
  const items = itemsIn(body)
  if (items.length !== ids.length) {
    const text =
      items.length === 0
        ? 'with an empty list: it has none of the values that were asked for, or gives none of them now.'
        : `for ${ids.length} ids with ${items.length} values: whose they are is not known.`
    throw new Problem('equipment_error', `${asking.nameOf(equipmentId)} replied to ${message} ${text}`, {
      message_id,
      reply_id,
    })
  }
  const reading = asking.reading(equipmentId)
  return ids.map((id, at) => {
    const { name = null, unit = null } = known.get(id) ?? {}
    const item = items[at]
    const exists = name !== null || !isNothing(item)
    return namedValue({ id, name, unit }, exists ? item : undefined, reading)
  })
}

/** The known identifier, name and unit of a value. */
interface Owner {
  readonly id: string | null
  readonly name: string | null
  readonly unit: string | null
}

/** An item as a value with its name; undefined stands for a value that does not exist. */
export const namedValue = (owner: Owner, item: Item | undefined, reading: Reading): NamedValue => ({
  ...owner,
  ...(item ? shownValue(item, reading) : { value: null, text: '' }),
})

/** An item as a typed value, and readable. */
export const shownValue = (
  item: Item,
  { text }: Pick<Reading, 'text'>,
): { readonly value: TypedItem; readonly text: string } => ({
  value: toTypedJson(item, text) as TypedItem,
  text: inWords(readLeaf(item, { text })),
})

const inWords = (value: ReadValue): string =>
  typeof value === 'string' ? value : `[${value.map(inWords).join(', ')}]`

/** E5 sends a list without items for a value that does not exist. */
const isNothing = (item: Item | undefined): boolean => item?.format === 'L' && item.items.length === 0
