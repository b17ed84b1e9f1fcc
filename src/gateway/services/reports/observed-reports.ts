import { Problem } from '../../../contract/errors.js'
import type { KnownReports, WantedReports } from '../../../contract/topics/reports.js'
import type { Caller } from '../../accounts/caller.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { GivenReports } from '../../knowledge/observation.js'
import type { Gateway } from '../../open-gateway.js'
import { resolveReports } from './resolve-reports.js'

/** The reports and links of the host that are known. */
export function knownReports(known: EquipmentKnowledge): KnownReports {
  return {
    reports: [...known.reports].map(([id, variables]) => ({
      id,
      variables: [...variables],
      names: variables.map((vid) => known.named(vid)?.name || null),
      origin: known.originOf('reports', id),
    })),
    events: [...known.links].map(([id, reports]) => ({
      id,
      name: known.events.get(id)?.name || null,
      reports: [...reports],
      enabled: known.isEnabled(id),
      origin: known.originOf('events', id),
    })),
  }
}

type World = Pick<Gateway, 'equipment' | 'naming' | 'reports'>

/** Takes the definitions of the host of tapped equipment by hand. Nothing is sent. */
export async function observeReports(
  id: string,
  definition: WantedReports,
  caller: Pick<Caller, 'email'>,
  { equipment, naming, reports }: World,
): Promise<KnownReports> {
  return reports.inTurn(id, async () => {
    const { name, tap } = await equipment.get(id)
    if (!tap)
      throw new Problem(
        'not_tapped',
        `${name} has no tap: apply its reports instead, and the gateway defines them.`,
      )
    if (definition.reports.length + definition.events.length === 0)
      throw new Problem('invalid_message', 'The definition has no report and no event.')
    const { setup } = resolveReports({ ...definition, others: 'keep' }, naming.of(id), { id, name })
    const given: GivenReports = {
      reports: setup.reports.map(({ id: rptid, variables }) => [rptid, variables]),
      events: setup.events.map(({ id: ceid, reports: linked, enabled }) => [ceid, linked, enabled]),
    }
    await reports.observed(id, given, caller.email)
    return knownReports(naming.of(id))
  })
}
