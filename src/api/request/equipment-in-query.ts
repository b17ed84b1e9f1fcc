import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import { EQUIPMENT_ID_PREFIX } from '../../contract/schema.js'
import type { Caller } from '../../gateway/accounts/caller.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { upToDate } from '../../gateway/up-to-date.js'
import { isReached } from './equipment-in-path.js'

type Known = Pick<Gateway, 'equipment' | 'identities' | 'catchUp' | 'clock'>

/**
 * The call with ids where `equipment_id` of its query has names of equipment that the caller reaches, or that is
 * deleted and had the name last. Throws `invalid_request` for what is no id and no such name. Ids stay as they are:
 * equipment that is deleted has records.
 */
export async function withEquipmentIds(
  call: Call<AnyEndpoint>,
  caller: Caller | null,
  gateway: Known,
): Promise<Call<AnyEndpoint>> {
  const { equipment_id: given } = call.query as { readonly equipment_id?: readonly string[] }
  if (!caller || !given || given.every(isId)) return call
  const { equipment, identities } = gateway
  const idsOf = (one: string): readonly string[] => {
    if (isId(one)) return [one]
    const id = equipment.idOf(one)
    if (id !== undefined) return isReached(id, caller, equipment) ? [id] : []
    // Who is restricted by labels does not reach what has none any more.
    if (caller.selector !== null) return []
    return identities.idsOfLast(one).filter((gone) => !equipment.isRegistered(gone))
  }
  // Another daemon may have added it a moment ago.
  if (gateway.catchUp && given.some((one) => idsOf(one).length === 0)) await upToDate(gateway)
  const ids = given.flatMap((one) => {
    const found = idsOf(one)
    return found.length === 0 ? unknown(one) : found
  })
  return { ...call, query: { ...(call.query as object), equipment_id: ids } }
}

const isId = (given: string): boolean => given.startsWith(EQUIPMENT_ID_PREFIX)

function unknown(given: string): never {
  const detail = `is ${given}, which is neither the name of equipment nor an id (${EQUIPMENT_ID_PREFIX}...)`
  throw new Problem('invalid_request', `equipment_id ${detail}.`, {
    errors: [{ pointer: 'equipment_id', detail }],
    next: [{ operation: 'listEquipment' }],
  })
}
