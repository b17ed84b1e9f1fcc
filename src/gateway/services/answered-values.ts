import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { NamedValue } from '../../contract/values.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import type { Asking, Exchanged } from './asking.js'
import { isNothing, namedValue } from './values.js'

/** A list that the equipment gives whole. */
export const onePage = <T>(items: T[]): Page<T> => ({ items, next_cursor: null })

interface AnsweredValues {
  /** What was asked, such as `S1F3`. */
  readonly message: string
  readonly ids: readonly string[]
  readonly known: ReadonlyMap<string, { readonly name: string; readonly unit: string }>
  readonly answer: Exchanged & { readonly body: Item | undefined }
}

/**
 * The values of a reply, which are in the order of the ids that were asked for. An empty list is the value of
 * an id that the equipment has, and says of any other that it has none. Throws `equipment_error` when they are
 * not as many.
 */
export function valuesOf(
  asking: Asking,
  equipmentId: string,
  { message, ids, known, answer: { body, message_id, reply_id } }: AnsweredValues,
): NamedValue[] {
  const items = itemsIn(body)
  if (items.length !== ids.length) {
    const told =
      items.length === 0
        ? 'with an empty list: it has none of the values that were asked for, or gives none of them now.'
        : `for ${ids.length} ids with ${items.length} values: whose they are is not known.`
    throw new Problem('equipment_error', `${asking.nameOf(equipmentId)} answered ${message} ${told}`, {
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
