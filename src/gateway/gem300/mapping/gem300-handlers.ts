import { type ErrorCode, faultyRequest, Problem } from '../../../contract/errors.js'
import { onePage } from '../../../contract/schema.js'
import type { Gem300, Gem300Mapping, gem300Endpoints } from '../../../contract/topics/gem300/mapping.js'
import { compileMapping } from '../../../gem300/mapping/compiled-mapping.js'
import type { Mapping } from '../../../gem300/mapping/mapping.js'
import {
  type KnownNames,
  proposalText,
  proposeMapping,
} from '../../../gem300/mapping/propose/propose-mapping.js'
import { reportsFor } from '../../../gem300/mapping/reports-for.js'
import { OBJECT_KINDS } from '../../../gem300/object-states.js'
import type { Handlers } from '../../handler.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { Gateway } from '../../open-gateway.js'
import { passOverRefusal } from '../../services/unknown-message.js'
import { throwBug } from '../../store-problem.js'
import type { Alignment } from '../view/equipment-objects.js'
import { shownAsOfNow } from '../view/shown-as-of-now.js'
import { judgedReferences } from './references.js'

type World = Pick<Gateway, 'mappings' | 'objects' | 'naming' | 'equipment' | 'clock'>

/** How the GEM 300 of equipment is mapped, and what it says of its objects when it is asked. */
export const gem300Handlers: Handlers<typeof gem300Endpoints> = {
  async getGem300({ params: { id } }, gateway) {
    return shown(id, gateway)
  },

  async applyGem300({ params: { id }, query, body, caller }, gateway) {
    const { mappings, clock, equipment, objects, naming } = gateway
    const { name, tap, communication_state } = await equipment.get(id)
    const given = body as Mapping
    const { mapping, faults } = compileMapping(given)
    await learnNames(id, mapping.references, gateway)
    const judged = judgedReferences(mapping.references, naming.of(id), name)
    const all = [...faults, ...judged.faults]
    if (all.length > 0) throw faultyRequest('invalid_message', all)
    if (query.dry_run) return { ...(await shown(id, gateway)), mapping: body, unknown: [...judged.unknown] }
    await mappings.put({
      id,
      mapping: given,
      applied_at: clock.date().toISOString(),
      applied_by: caller.email,
    })
    if (tap === null && communication_state === 'COMMUNICATING') objects.inquire(id)
    return shown(id, gateway)
  },

  async removeGem300({ params: { id } }, gateway) {
    await gateway.equipment.get(id)
    await gateway.mappings.delete(id)
    return shown(id, gateway)
  },

  async alignGem300({ params: { id } }, gateway) {
    gateway.asking.nameOf(id)
    await gateway.objects.align(id)
    return shown(id, gateway)
  },

  async listKnownObjects({ params: { id }, query: { kind, object_id } }, gateway) {
    const { equipment, objects } = gateway
    await equipment.get(id)
    const known = objects.of(id)
    const all = (kind ?? OBJECT_KINDS).flatMap((one) => known.list(one))
    const wanted = all.filter((one) => object_id === undefined || one.id === object_id)
    return onePage(await shownAsOfNow(id, wanted, gateway))
  },

  async proposeGem300({ params: { id }, query: { known = false } }, { equipment, naming, asking }) {
    const { name } = await equipment.get(id)
    const refusal = known ? undefined : await askForNames(id, { naming, asking })
    const names = namesIn(naming.of(id))
    if (!known && names.events.length + names.variables.length === 0) throw refusal ?? noNames(name)
    const proposal = proposeMapping(names)
    const lines = [...proposal.variables, ...proposal.events]
    const certain = lines.filter(({ isCertain }) => isCertain).length
    return { file: proposalText(proposal, names, name), certain, to_decide: lines.length - certain }
  },

  async gem300Reports({ params: { id } }, { equipment, mappings }) {
    await equipment.get(id)
    const { record } = mappings.get(id) ?? {}
    const { reports, events } = reportsFor(record?.mapping ?? {})
    return { reports: [...reports], events: [...events], others: 'keep' }
  },
}

/**
 * Asks the equipment for its names where one that the mapping refers to is not known yet. Where it gives none, the mapping
 * is judged by those that are known.
 */
async function learnNames(
  id: string,
  references: ReturnType<typeof compileMapping>['mapping']['references'],
  { naming, equipment }: World,
): Promise<void> {
  if (equipment.known(id)?.communication_state !== 'COMMUNICATING') return
  for (const [kind, names] of [
    ['event', 'events'],
    ['variable', 'variables'],
  ] as const) {
    const given = references.filter((one) => one.kind === kind).map(({ reference }) => String(reference))
    await naming.learn(id, names, given, {}).catch(throwBug)
  }
}

/** The lists that a proposal is made of. */
const NAME_LISTS = ['S1F23', 'S1F11', 'S1F21'] as const

/**
 * Asks for the lists of names that are not known yet, as after a connect. Returns why one is not known: the equipment does
 * not have the list, may not be asked, or is not connected. Throws where it does not reply, since it may have the names.
 */
async function askForNames(
  id: string,
  { naming, asking }: Pick<Gateway, 'naming' | 'asking'>,
): Promise<Problem | undefined> {
  let refusal: Problem | undefined
  for (const list of NAME_LISTS) {
    const known = naming.of(id)
    if (known.hasWhole(list) || known.isRefused(list)) continue
    try {
      await asking.ask(id, list, {})
    } catch (error) {
      if (!(error instanceof Problem) || !MAY_BE_KNOWN.includes(error.code)) passOverRefusal(error)
      refusal ??= error as Problem
    }
  }
  return refusal
}

/** With these nothing can be asked, and the names of an earlier connection may be known. */
const MAY_BE_KNOWN: readonly ErrorCode[] = [
  'equipment_not_connected',
  'equipment_not_communicating',
  'tapped_read_only',
]

const noNames = (name: string): Problem =>
  new Problem('equipment_error', `${name} gives no names of events (S1F23) or variables (S1F11, S1F21).`)

const namesIn = (known: EquipmentKnowledge): KnownNames => ({
  events: [...known.events].map(([id, { name, variables }]) => ({ id, name, variables })),
  variables: [...known.variables].map(([id, { name, kind }]) => ({ id, name, isStatus: kind === 'status' })),
})

async function shown(id: string, { mappings, objects, naming, equipment }: World): Promise<Gem300> {
  const { name, tap, control_state } = await equipment.get(id)
  const { record, compiled } = mappings.get(id) ?? {}
  const alignment = objects.alignmentOf(id)
  const { faults, unknown } = judgedReferences(compiled?.references ?? [], naming.of(id), name)
  return {
    mapping: record ? (record.mapping as Gem300Mapping) : null,
    applied_at: record?.applied_at ?? null,
    applied_by: record?.applied_by ?? null,
    aligned_at: alignment.aligned_at,
    refused: [...alignment.refused],
    missing: [...alignment.missing],
    unknown: [...unknown, ...faults.map(({ detail }) => detail)],
    note: noteOf(name, alignment, {
      isMapped: record !== undefined,
      isTapped: tap !== null,
      isOffline: control_state.endsWith('OFFLINE'),
    }),
  }
}

function noteOf(
  name: string,
  { refused, missing, error }: Alignment,
  {
    isMapped,
    isTapped,
    isOffline,
  }: { readonly isMapped: boolean; readonly isTapped: boolean; readonly isOffline: boolean },
): string | null {
  if (error !== null) return `The last question for all objects ended early: ${error}`
  if (!isMapped)
    return `${name} has no mapping: its events tell no states, and the gateway asks for them only when it is called.`
  if (isTapped)
    return `${name} is shared with its host: the gateway does not ask for objects by itself, and events alone tell states.`
  if (isOffline) return `${name} is offline, and replies to no question: what is known may be old.`
  if (refused.includes('S14F1') && refused.includes('S16F19'))
    return `${name} knows neither S14F1 nor S16F19: events alone tell the states of its objects.`
  if (missing.length > 0)
    return `${name} does not give objects of these kinds: ${missing.join(', ')}. Events alone tell their states.`
  return null
}
