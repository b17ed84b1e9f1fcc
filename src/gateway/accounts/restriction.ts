import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import { type Reach, reachOf } from '../../contract/reach.js'
import { type Labels, matchesSelector } from '../../contract/selector.js'
import { alarmNotFound } from '../alarms/alarm-board.js'
import { equipmentNotFound, selectorGiven } from '../equipment/equipment-labels.js'
import { labelsAfter } from '../records/equipment-record.js'
import { messageNotFound } from '../sending/message-log.js'
import type { Caller } from './caller.js'

/** A caller who sees and reaches only the equipment that a selector selects. */
export type RestrictedCaller = Caller & { readonly selector: NonNullable<Caller['selector']> }

export const isRestricted = (caller: Caller | null): caller is RestrictedCaller => !!caller?.selector

/** What the restriction has to know of the gateway. */
interface Known {
  readonly equipment: Labelled
  readonly audit: { equipmentOf(entryIds: readonly string[]): Promise<string | null> }
}

interface Labelled {
  readonly labels: { of(id: string): Labels | undefined }
}

interface Parts {
  readonly id?: string
  readonly label_selector?: string
  readonly labels?: Readonly<Record<string, string | null>>
}

/** The error of a restricted caller's call that is about more than some equipment; undefined for every other call. */
export function refusedToRestricted(caller: Caller, row: AnyEndpoint): Problem | undefined {
  if (!isRestricted(caller) || reachOf(row) !== 'everything') return undefined
  const detail = `${caller.email} is restricted to equipment with ${caller.label_selector}; this call is about more than that.`
  return new Problem('forbidden', detail)
}

/**
 * The call of a restricted caller, narrowed to what the caller reaches. Throws for all else what is thrown for what does
 * not exist, and `forbidden` where equipment would leave the caller's reach.
 */
export async function restrictedCall(
  row: AnyEndpoint,
  call: Call<AnyEndpoint>,
  caller: RestrictedCaller,
  gateway: Known,
): Promise<Call<AnyEndpoint>> {
  const { id = '' } = call.params as Parts
  const { labels: change } = (call.body ?? {}) as Parts
  const reaches = (equipmentId: string): boolean => reachesEquipment(caller, equipmentId, gateway.equipment)
  const reach: Reach = reachOf(row)
  switch (reach) {
    case 'equipment':
      if (!reaches(id)) throw equipmentNotFound(id)
      if (change && row.path === '/equipment/{id}')
        requireWithin(caller, labelsAfter(gateway.equipment.labels.of(id) ?? {}, change))
      return call
    case 'new':
      requireWithin(caller, labelsAfter({}, change))
      return call
    case 'entry': {
      const equipmentId = await gateway.audit.equipmentOf([id])
      // One that does not exist yet may, with the number in the path, when the call is carried out.
      if (equipmentId !== null && reaches(equipmentId)) return call
      throw row.path.startsWith('/alarms') ? alarmNotFound(id) : messageNotFound(id)
    }
    case 'list': {
      const query = call.query as Parts
      // What was given has to be a selector by itself.
      selectorGiven(query)
      const both = [query.label_selector, caller.label_selector].filter(Boolean).join(',')
      return { ...call, query: { ...query, label_selector: both } }
    }
    default:
      return call
  }
}

/** The parts of a stream, which ends when its equipment leaves the reach of the caller. */
export async function* restrictedParts<T>(
  parts: AsyncIterable<T>,
  row: AnyEndpoint,
  call: Call<AnyEndpoint>,
  caller: RestrictedCaller,
  gateway: Known,
): AsyncGenerator<T> {
  const { id = '' } = call.params as Parts
  for await (const part of parts) {
    if (reachOf(row) === 'equipment' && !reachesEquipment(caller, id, gateway.equipment)) return
    yield part
  }
}

/** Whether the equipment has the labels now that the caller is restricted to. */
export function reachesEquipment({ selector }: Caller, id: string, { labels }: Labelled): boolean {
  if (selector === null) return true
  const has = labels.of(id)
  return has !== undefined && matchesSelector(selector, has)
}

/** Throws `forbidden` where equipment with these labels would be out of the caller's reach. */
export function requireWithin(
  { selector, label_selector, email }: Pick<Caller, 'selector' | 'label_selector' | 'email'>,
  labels: Labels,
): void {
  if (selector === null || matchesSelector(selector, labels)) return
  const detail = `${email} is restricted to equipment with ${label_selector}: with these labels it would not be.`
  throw new Problem('forbidden', detail)
}
