import { Problem } from '../../contract/errors.js'
import type { NamedValue } from '../../contract/values.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import type { Asking, Exchanged } from './asking.js'
import { isNothing, namedValue } from './values.js'

interface AnsweredValues {
  /** The primary, such as `S1F3`. */
  readonly message: string
  readonly ids: readonly string[]
  readonly known: ReadonlyMap<string, { readonly name: string; readonly unit: string }>
  readonly answer: Exchanged & { readonly body: Item | undefined }
}

/**
 * The values of a reply, which are in the order of the ids that were asked for. An empty list means that
 * the equipment does not have the id, unless the id is known. Throws `equipment_error` when the numbers of values and
 * ids differ.
 */
export function valuesOf(
  asking: Asking,
  equipmentId: string,
  { message, ids, known, answer: { body, message_id, reply_id } }: AnsweredValues,
): NamedValue[] {
  const items = itemsIn(body)
  if (items.length !== ids.length) {
    const text =
      items.length === 0
        ? 'with an empty list: it has none of the values that were asked for, or gives none of them now.'
        : `for ${ids.length} ids with ${items.length} values: whose they are is not known.`
    throw new Problem('equipment_error', `${asking.nameOf(equipmentId)} answered ${message} ${text}`, {
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
