import { isDeepStrictEqual } from 'node:util'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { ReportSetup } from './report-setup.js'

/** Whether recorded messages show that the equipment has exactly the links and the enabled events of a setup. */
export function hasEvents(known: EquipmentKnowledge, setup: ReportSetup): boolean {
  const wanted = new Map(setup.events.map((event) => [event.id, event]))
  const asWanted = setup.events.every(
    ({ id, reports, enabled }) =>
      isDeepStrictEqual(known.reportsOf(id), [...reports]) && known.isEnabled(id) === enabled,
  )
  if (!asWanted || setup.others === 'keep') return asWanted
  const reports = new Set(setup.reports.map(({ id }) => id))
  return (
    [...known.reports.keys()].every((id) => reports.has(id)) &&
    [...known.events.keys()].every((id) => wanted.has(id) || known.isEnabled(id) !== true)
  )
}
