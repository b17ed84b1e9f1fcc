import { DEFAULT_CONNECT_WAIT } from '../../contract/equipment.js'
import type { equipmentEndpoints } from '../../contract/topics/equipment-endpoints.js'
import type { trafficEndpoints } from '../../contract/topics/traffic.js'
import { Accepted, type Handlers } from '../handler.js'

export const equipmentHandlers: Handlers<typeof equipmentEndpoints & typeof trafficEndpoints> = {
  listEquipment: ({ query }, { equipment }) => equipment.list(query),
  getEquipment: ({ params }, { equipment }) => equipment.get(params.id),
  createEquipment: ({ body }, { equipment }) => equipment.create(body),
  updateEquipment: ({ params, body, revisions }, { equipment }) =>
    equipment.update(params.id, body, revisions),
  deleteEquipment: ({ params }, { equipment }) => equipment.delete(params.id),
  async connectEquipment({ params, query: { wait = DEFAULT_CONNECT_WAIT } }, { equipment }) {
    const record = await equipment.connect(params.id, wait)
    const { connection_state, communication_state } = record
    const isReady = connection_state === 'SELECTED' && communication_state === 'COMMUNICATING'
    return isReady ? record : new Accepted(record)
  },
  disconnectEquipment: ({ params }, { equipment }) => equipment.disconnect(params.id),
  getTraffic: ({ params }, { traffic }) => traffic.of(params.id),
}
