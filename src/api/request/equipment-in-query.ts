import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import { EQUIPMENT_ID_PREFIX } from '../../contract/schema.js'
import type { Caller } from '../../gateway/accounts/caller.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { upToDate } from '../../gateway/up-to-date.js'
import { isReached } from './equipment-in-path.js'

type Known = Pick<Gateway, 'equipment' | 'catchUp' | 'clock'>

/**
 * The call with ids where `equipment_id` of its query has names of equipment that the caller reaches. Throws
 * `invalid_request` for what is no id and no such name. Ids stay as they are: equipment that is deleted has records.
 */
export async function withEquipmentIds(
  call: Call<AnyEndpoint>,
  caller: Caller | null,
  gateway: Known,
): Promise<Call<AnyEndpoint>> {
  const { equipment_id: given } = call.query as { readonly equipment_id?: readonly string[] }
  if (!caller || !given || given.every(isId)) return call
  const { equipment } = gateway
  const idOf = (one: string): string | undefined => {
    if (isId(one)) return one
    const id = equipment.idOf(one)
    return id !== undefined && isReached(id, caller, equipment) ? id : undefined
  }
  // Another daemon may have added it a moment ago.
  if (gateway.catchUp && given.some((one) => idOf(one) === undefined)) await upToDate(gateway)
  const ids = given.map((one) => idOf(one) ?? unknown(one))
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
