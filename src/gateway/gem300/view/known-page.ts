import { DEFAULT_LIMIT, type Page } from '../../../contract/schema.js'
import type { KnownListQuery, SiteObject } from '../../../contract/topics/gem300/known-lists.js'
import type { ObjectKind } from '../../../gem300/object-states.js'
import { nextTurn, StepMeter } from '../../../kit/turns.js'
import { decodeCursor, encodeCursor } from '../../records/cursor.js'
import { type KnownObject, type ObjectsOfEquipment, shownObject } from './known-objects.js'

/** Objects that are looked at before the event loop is given back. */
const OBJECTS_IN_A_TURN = 20_000

/** Of which equipment, and what is known of it. */
interface Site {
  readonly ids: Iterable<string>
  readonly objectsOf: (equipmentId: string) => ObjectsOfEquipment
  readonly nameOf: (equipmentId: string) => string | null
}

interface Placed {
  readonly position: string
  readonly equipmentId: string
  readonly object: KnownObject
}

const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\/eq_[0-9a-z]+\/".*"$/

/** By the time at which an object was known first. As text the IDs of equipment have no character of their own. */
const positionOf = (equipmentId: string, { since, id }: KnownObject): string =>
  `${since}/${equipmentId}/${JSON.stringify(id)}`

/** One page of the objects of a kind that are known of several equipment. Throws `invalid_cursor`. */
export async function knownPage(
  kind: ObjectKind,
  query: KnownListQuery,
  { ids, objectsOf, nameOf }: Site,
): Promise<Page<SiteObject>> {
  const { limit = DEFAULT_LIMIT, order = 'desc', cursor } = query
  const filters = { list: `known_${kind}`, ...query }
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filters, POSITION)
  const isFirst = (one: string, other: string): boolean => (order === 'asc' ? one < other : one > other)
  const found: Placed[] = []
  const meter = new StepMeter(OBJECTS_IN_A_TURN)
  for (const equipmentId of ids) {
    const objects = objectsOf(equipmentId).list(kind)
    for (const object of objects) {
      const position = positionOf(equipmentId, object)
      const isMeant = (after === undefined || isFirst(after, position)) && isWanted(object, query)
      if (isMeant) keep(found, { position, equipmentId, object }, limit + 1, isFirst)
    }
    if (meter.due(objects.length + 1)) await nextTurn()
  }
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(({ equipmentId, object }) => ({
      equipment_id: equipmentId,
      equipment_name: nameOf(equipmentId),
      ...shownObject(object),
    })),
    next_cursor: last && found.length > limit ? encodeCursor(filters, last.position) : null,
  }
}

const isWanted = ({ id, states }: KnownObject, { object_id, state }: KnownListQuery): boolean =>
  (object_id === undefined || object_id.includes(id)) &&
  (state === undefined || Object.values(states).some((one) => state.includes(one.state)))

/** Puts one in its place among the first `most`, which are in order. */
function keep(
  first: Placed[],
  one: Placed,
  most: number,
  isFirst: (one: string, other: string) => boolean,
): void {
  const last = first.at(-1)
  if (first.length >= most && last && !isFirst(one.position, last.position)) return
  let low = 0
  let high = first.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isFirst(one.position, (first[middle] as Placed).position)) high = middle
    else low = middle + 1
  }
  first.splice(low, 0, one)
  if (first.length > most) first.pop()
}
