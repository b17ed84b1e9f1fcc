import { endpoints } from '../../contract/endpoints.js'
import type { SiteObject } from '../../contract/topics/gem300/known-lists.js'
import { KINDS } from '../../gem300/object-states.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { selectorGiven } from '../equipment/label-flags.js'
import { switchFlag, textsFlag } from '../input/flags.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'
import { stateIn } from './state-wait.js'

/** Flags of a list that also shows what the gateway knows of all equipment. */
export const KNOWN_FLAGS = {
  known: switchFlag('List what the gateway knows, and ask nothing: as without EQUIPMENT.'),
  object: textsFlag('ID', 'Of what is known, only this ID. May be repeated.'),
  state: textsFlag('STATE', 'Of what is known, only those in this state. May be repeated.'),
}

interface KnownGiven {
  readonly known?: boolean
  readonly object?: readonly string[] | undefined
  readonly state?: readonly string[] | undefined
  readonly selector?: string | undefined
}

const ENDPOINTS = {
  carrier: endpoints.listKnownCarriers,
  job: endpoints.listKnownJobs,
  substrate: endpoints.listKnownSubstrates,
} as const
type ListedKind = keyof typeof ENDPOINTS

/** All states that an object of the kind may have. */
const statesOf = (kind: ListedKind): readonly string[] =>
  Object.values(KINDS[kind].states).flatMap(({ transitions }) =>
    transitions.map(({ to }) => to).filter((word) => word !== 'NO_STATE'),
  )

/** Whether the flags ask for what is known. */
export const asksForKnown = ({ known = false, object, state }: KnownGiven): boolean =>
  known || object !== undefined || state !== undefined

export const stateOf = ({ states }: SiteObject, name: string): string => states[name]?.state ?? ''
export const detailOf = ({ details }: SiteObject, name: string): string => details[name] ?? ''

/** Prints what is known of the named equipment, or of all. */
export async function printKnown(
  on: EquipmentCommand,
  { names, flags }: { readonly names: readonly string[]; readonly flags: KnownGiven },
  kind: ListedKind,
  columns: (formatTime: FormatTime) => readonly Column<SiteObject>[],
  none: string,
): Promise<void> {
  const { object, state, selector } = flags
  const named = names.filter((name) => name !== '*')
  const equipment_id = await on.equipmentIds(named.length > 0 ? named : undefined)
  const query = {
    ...selectorGiven(selector),
    ...(equipment_id && { equipment_id }),
    ...(object && { object_id: [...object] }),
    ...(state && { state: state.map((text) => stateIn('--state', text, statesOf(kind))) }),
  }
  const titled: readonly Column<SiteObject>[] = [
    { title: 'EQUIPMENT', text: ({ equipment_id: id, equipment_name }) => equipment_name ?? id },
    ...columns(on.formatTime),
  ]
  await on.printPages(
    { all: true },
    (paging) => on.call(ENDPOINTS[kind], { query: { ...query, ...paging } }),
    (items, isFirst) => on.printList(items, titled, isFirst ? none : '', isFirst),
  )
}
