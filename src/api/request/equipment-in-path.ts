import type { FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { reachOf } from '../../contract/reach.js'
import { EQUIPMENT_ID_PREFIX } from '../../contract/schema.js'
import type { Caller } from '../../gateway/accounts/caller.js'
import { reachesEquipment } from '../../gateway/accounts/restriction.js'
import type { Gateway } from '../../gateway/open-gateway.js'

/**
 * Puts the id where the path has the name of equipment that the caller reaches: from here on the call is about that id,
 * also in the audit and in another daemon. What is not found stays as it was given: then this is false.
 */
export function readEquipmentName(
  { params }: FastifyRequest,
  row: AnyEndpoint,
  caller: Caller,
  equipment: Pick<Gateway['equipment'], 'idOf' | 'labels'>,
): boolean {
  const path = params as { id?: string }
  if (reachOf(row) !== 'equipment' || !path.id) return true
  const id = path.id.startsWith(EQUIPMENT_ID_PREFIX) ? path.id : equipment.idOf(path.id)
  const isFound = id !== undefined && isReached(id, caller, equipment)
  if (isFound) path.id = id
  return isFound
}

export const isReached = (
  id: string,
  caller: Caller,
  { labels }: Pick<Gateway['equipment'], 'labels'>,
): boolean => labels.of(id) !== undefined && reachesEquipment(caller, id, { labels })
