import { carriedOutBy } from '../../contract/carried-out.js'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { SITE_KEY } from '../../store/ownership.js'
import type { Caller } from '../accounts/caller.js'
import { isRestricted, reachesEquipment } from '../accounts/restriction.js'
import type { Gateway } from '../open-gateway.js'

/** Whether the key is that of the duties of the site, and not an equipment. */
export const isOfSite = (key: string): boolean => key === SITE_KEY

/** The key whose owner carries out a call; undefined where each daemon does. */
export function keyOfCall(
  row: AnyEndpoint,
  params: unknown,
  caller: Caller | null,
  { equipment }: Pick<Gateway, 'equipment'>,
): string | undefined {
  const carriedOut = carriedOutBy(row)
  if (carriedOut === 'anywhere') return undefined
  if (carriedOut === 'site') return SITE_KEY
  const { id } = params as { readonly id: string }
  // What does not exist, or not for this caller, is said at once.
  if (equipment.labels.of(id) === undefined) return undefined
  return isRestricted(caller) && !reachesEquipment(caller, id, equipment) ? undefined : id
}
