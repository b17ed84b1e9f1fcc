import type { Equipment } from '../../contract/equipment.js'
import { rateNow } from './rates.js'
import { countsOf, type TopState } from './top-state.js'

const collator = new Intl.Collator('en', { numeric: true })

/** What the filter searches. */
const wordsOf = (equipment: Equipment): readonly string[] => {
  const { name, health, connection_state, communication_state, control_state, lock } = equipment
  const locked = lock ? [`locked by ${lock.by}`] : []
  return [name, health, connection_state, communication_state, control_state, ...locked]
}

/** Lowest for the equipment that needs attention first. */
function urgency(equipment: Equipment): number {
  const { enabled, health, connection_state, communication_state, control_state } = equipment
  if (!enabled) return 5
  if (connection_state !== 'SELECTED') return 0
  if (communication_state !== 'COMMUNICATING') return 1
  if (health !== 'ok') return health === 'failing' ? 1 : 2
  return control_state.startsWith('ONLINE') ? 4 : 3
}

/** Gives an equipment its rank in the order that is chosen: the lowest comes first, equals by name. */
function ranking(state: TopState): (equipment: Equipment) => number {
  const { sort, rates } = state
  if (sort === 'name') return () => 0
  if (sort === 'state') return urgency
  if (sort === 'rate') return ({ id }) => -(rateNow(rates.get(id)) ?? -1)
  return ({ id }) => -countsOf(state, id).active
}

/** The equipment that the filter leaves, in order. */
export function shownEquipment(state: TopState): readonly Equipment[] {
  const wanted = state.filter.toLowerCase()
  const rank = ranking(state)
  return [...state.equipment.values()]
    .filter((equipment) => wordsOf(equipment).some((word) => word.toLowerCase().includes(wanted)))
    .map((equipment) => ({ equipment, rank: rank(equipment) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.equipment.name, b.equipment.name))
    .map(({ equipment }) => equipment)
}

/** Where the cursor is among the equipment shown; the first where its equipment is no longer shown. */
export const cursorIn = (shown: readonly Equipment[], { selected }: TopState): number =>
  Math.max(
    0,
    shown.findIndex(({ id }) => id === selected),
  )

/** So many of `all`, with `at` among them, in the middle where that is possible. */
export function windowAround<T>(
  all: readonly T[],
  at: number,
  room: number,
): { readonly part: readonly T[]; readonly from: number } {
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), all.length - room))
  return { part: all.slice(from, from + Math.max(0, room)), from }
}
