import type { Equipment, EquipmentQuery } from '../../contract/equipment.js'
import type { Page } from '../../contract/schema.js'
import { matchesSelector } from '../../contract/selector.js'
import { decodeCursor, encodeCursor } from '../records/cursor.js'
import { selectorGiven } from './equipment-labels.js'

const positionOf = ({ created_at, id }: Equipment): string => `${created_at}/${id}`
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\/eq_[0-9a-z]+$/

/** The page of `all` that a query asks for. Throws `invalid_cursor`, and `invalid_request` for a selector that cannot be read. */
export function equipmentPage(all: Equipment[], query: EquipmentQuery): Page<Equipment> {
  const filters = { list: 'equipment', ...query }
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, filters, POSITION)
  const selector = selectorGiven(query)
  const healths = query.health === undefined ? undefined : [query.health].flat()
  // Newest first; equal times in the order of ids, so that pages neither overlap nor leave out equipment.
  all.sort((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1))
  if (query.order === 'asc') all.reverse()
  const found = all.filter(
    (equipment) =>
      (query.connection_state === undefined || equipment.connection_state === query.connection_state) &&
      (healths === undefined || healths.includes(equipment.health)) &&
      (query.name === undefined || equipment.name.normalize() === query.name.normalize()) &&
      (selector === undefined || matchesSelector(selector, equipment.labels)) &&
      (after === undefined ||
        (query.order === 'asc' ? positionOf(equipment) > after : positionOf(equipment) < after)),
  )
  const items = found.slice(0, query.limit ?? found.length)
  const last = items.at(-1)
  const more = last && found.length > items.length
  return { items, next_cursor: more ? encodeCursor(filters, positionOf(last)) : null }
}
