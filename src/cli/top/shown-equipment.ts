import type { Equipment } from '../../contract/equipment.js'
import { rateNow } from './pulse.js'
import type { Sort, TopState } from './top-state.js'

const collator = new Intl.Collator('en', { numeric: true })

/** What wants to be looked at first. */
function urgency({
  enabled,
  health,
  connection_state,
  communication_state,
  control_state,
}: Equipment): number {
  if (!enabled) return 5
  if (connection_state !== 'SELECTED') return 0
  if (communication_state !== 'COMMUNICATING') return 1
  if (health !== 'ok') return health === 'failing' ? 1 : 2
  return control_state.startsWith('ONLINE') ? 4 : 3
}

/** Equipment with the least number of these comes first; equals by name. */
function ranks({ pulses, alarms }: TopState): Record<Sort, (equipment: Equipment) => number> {
  const open = new Map<string, number>()
  for (const { equipment_id } of alarms) open.set(equipment_id, (open.get(equipment_id) ?? 0) + 1)
  return {
    name: () => 0,
    state: urgency,
    rate: ({ id }) => -(rateNow(pulses.get(id)) ?? -1),
    alarms: ({ id }) => -(open.get(id) ?? 0),
  }
}

/** The equipment that the filter leaves, in order. */
export function shownEquipment(state: TopState): readonly Equipment[] {
  const wanted = state.filter.toLowerCase()
  const matches = ({
    name,
    health,
    connection_state,
    communication_state,
    control_state,
  }: Equipment): boolean =>
    [name, health, connection_state, communication_state, control_state].some((text) =>
      text.toLowerCase().includes(wanted),
    )
  const rank = ranks(state)[state.sort]
  return [...state.equipment.values()]
    .filter((equipment) => wanted === '' || matches(equipment))
    .map((equipment) => ({ equipment, rank: rank(equipment) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.equipment.name, b.equipment.name))
    .map(({ equipment }) => equipment)
}

/** Where the cursor is among the equipment shown; the first where what it was on is shown no more. */
export const cursorIn = (shown: readonly Equipment[], { selected }: TopState): number =>
  Math.max(
    0,
    shown.findIndex(({ id }) => id === selected),
  )

/** So many of `all`, with `at` among them, in the middle where that is possible. */
export function around<T>(
  all: readonly T[],
  at: number,
  room: number,
): { readonly part: readonly T[]; readonly from: number } {
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), all.length - room))
  return { part: all.slice(from, from + Math.max(0, room)), from }
}
