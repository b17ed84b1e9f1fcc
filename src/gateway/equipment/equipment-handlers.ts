import { DEFAULT_CONNECT_WAIT } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import type { Identity } from '../../contract/topics/accounts/users.js'
import type { equipmentEndpoints } from '../../contract/topics/equipment/equipment-endpoints.js'
import type { trafficEndpoints } from '../../contract/topics/traffic.js'
import type { Caller } from '../accounts/caller.js'
import { reachesEquipment, requireWithin } from '../accounts/restriction.js'
import { Accepted, type Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import { notConnectedInTime } from './connect-problem.js'
import type { ApplyOptions } from './registry.js'

export const equipmentHandlers: Handlers<typeof equipmentEndpoints & typeof trafficEndpoints> = {
  listEquipment: ({ query }, { equipment }) => equipment.list(query),
  getEquipment: ({ params }, { equipment }) => equipment.get(params.id),
  createEquipment: ({ body, caller }, { equipment }) =>
    equipment.create(body, (id) => reachesEquipment(caller, id, equipment)),
  updateEquipment: ({ params, body, revisions, caller }, { equipment }) =>
    equipment.update(params.id, body, revisions, (id) => reachesEquipment(caller, id, equipment)),
  applyEquipment: ({ body, query: { dry_run: dryRun = false }, caller }, { equipment }) =>
    equipment.apply(body.equipment, { dryRun, ...applyRights(caller, { equipment }) }),
  deleteEquipment: ({ params, query: { force }, revisions }, { equipment }) =>
    equipment.delete(params.id, revisions, force),
  async connectEquipment({ params, query: { wait } }, { equipment }) {
    const record = await equipment.connect(params.id, wait ?? DEFAULT_CONNECT_WAIT)
    const { connection_state, communication_state } = record
    const isReady = connection_state === 'SELECTED' && communication_state === 'COMMUNICATING'
    if (isReady) return record
    if (wait) throw notConnectedInTime(record, wait)
    return new Accepted(record)
  },
  disconnectEquipment: ({ params }, { equipment }) => equipment.disconnect(params.id),
  lockEquipment: ({ params, body, caller }, { equipment }) => equipment.lock(params.id, caller, body),
  async unlockEquipment({ params, query: { force = false, reason }, caller }, { equipment }) {
    if (force) refuseToBreak(caller, reason)
    await equipment.unlock(params.id, caller, force)
  },
  getTraffic: ({ params }, { traffic }) => traffic.of(params.id),
}

/** What the caller of `applyEquipment` may do. */
export const applyRights = (
  caller: Caller,
  { equipment }: Pick<Gateway, 'equipment'>,
): Omit<ApplyOptions, 'dryRun'> => ({
  caller,
  reaches: (id) => reachesEquipment(caller, id, equipment),
  mayHave: (labels) => requireWithin(caller, labels),
})

/** Throws `forbidden` for a caller who is no administrator, and `invalid_request` without a reason. */
function refuseToBreak({ email, role }: Identity, reason: string | undefined): void {
  if (role !== 'admin')
    throw new Problem('forbidden', `Breaking a lock needs the role admin; ${email} is ${role}.`)
  if (reason === undefined)
    throw new Problem('invalid_request', 'reason is required with force.', {
      errors: [{ pointer: 'reason', detail: 'is required with force' }],
    })
}
