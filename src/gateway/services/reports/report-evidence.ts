import { isDeepStrictEqual } from 'node:util'
import type { EventReport } from '../../../gem/host/peer-names.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import { plainId, sameIds } from './kept-reports.js'
import type { ReportSetup } from './report-setup.js'

/**
 * Whether an event report shows that its equipment does not have a setup: its event should not be sent, has other
 * reports, or a report with another number of values. Of other events it shows nothing.
 */
export function contradicts({ CEID, REPORTS }: EventReport, { reports, events }: ReportSetup): boolean {
  const event = events.find(({ id }) => plainId(id) === String(CEID))
  if (!event) return false
  if (!event.enabled || REPORTS.length !== event.reports.length) return true
  const linked = new Set(event.reports.map(plainId))
  return REPORTS.some(({ RPTID, V, VALUES }) => {
    const report = reports.find(({ id }) => plainId(id) === String(RPTID))
    const isOther = report !== undefined && (V ?? VALUES ?? []).length !== report.variables.length
    return isOther || !linked.has(String(RPTID))
  })
}

/** Whether recorded messages show that the events have the reports of a setup: nobody has linked others since. */
export const hasLinks = (known: EquipmentKnowledge, { events }: ReportSetup): boolean =>
  events.every(({ id, reports }) => sameIds(known.reportsOf(plainId(id)) ?? undefined, reports))

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
