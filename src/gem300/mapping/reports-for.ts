import { KINDS, OBJECT_KINDS, type ObjectKind } from '../object-states.js'
import type { MappedEvent, MappedVariables, Mapping, Reference } from './mapping.js'

/** A report, and the events with their reports, as `PUT /equipment/{id}/reports` takes them. */
export interface NeededReports {
  readonly reports: readonly { readonly id: number; readonly variables: Reference[] }[]
  readonly events: readonly { readonly event: Reference; readonly reports: number[] }[]
}

/** RPTIDs of the reports of the kinds, and the first of those that an event has alone. */
const FIRST_OF_KINDS = 8701
const FIRST_OF_EVENTS = 8801

const kindOf = ({ state = '' }: MappedEvent): ObjectKind | undefined =>
  OBJECT_KINDS.find((kind) => kind === state.split('.')[0])

/** What an occurrence is about. */
const kindOfOccurrence = ({ occurrence }: MappedEvent): ObjectKind | undefined =>
  occurrence?.startsWith('carrier') ? 'port' : undefined

/**
 * The event reports that a mapping needs: one for each kind of object that its events are about, and one for an event with
 * variables of its own. An event whose name says the port has data only where the mapping says which.
 */
export function reportsFor(mapping: Mapping): NeededReports {
  const { variables = {}, events = [] } = mapping
  const reports = new Map<number, Reference[]>()
  const byEvent = new Map<string, { event: Reference; reports: number[] }>()
  let next = FIRST_OF_EVENTS
  for (const mapped of events) {
    const kind = kindOf(mapped) ?? kindOfOccurrence(mapped)
    const own = kind && wanted(kind, { ...variables[kind], ...mapped.variables })
    const given = byEvent.get(String(mapped.event)) ?? { event: mapped.event, reports: [] }
    byEvent.set(String(mapped.event), given)
    const hasData = mapped.port === undefined || mapped.variables !== undefined
    if (!kind || !own || own.length === 0 || !hasData) continue
    const id = mapped.variables ? next++ : FIRST_OF_KINDS + OBJECT_KINDS.indexOf(kind)
    reports.set(id, own)
    if (!given.reports.includes(id)) given.reports.push(id)
  }
  return {
    reports: [...reports].map(([id, held]) => ({ id, variables: held })),
    events: [...byEvent.values()],
  }
}

/** In the order of the states and details, each once. */
function wanted(kind: ObjectKind, variables: MappedVariables): Reference[] {
  const { states, details } = KINDS[kind]
  const held = ['id', ...Object.keys(states), ...Object.keys(details)].flatMap(
    (name) => variables[name] ?? [],
  )
  return held.filter((one, at) => held.findIndex((other) => String(other) === String(one)) === at)
}
