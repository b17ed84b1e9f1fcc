import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import { DEFAULT_CONNECT_WAIT, type Equipment } from '../../contract/equipment.js'
import type { WireMedia } from '../../contract/wire.js'
import type { Gateway } from '../../gateway/gateway.js'
import { Answer } from '../answers/answer.js'
import type { WireStreams } from '../answers/wire-streams.js'
import { implement, implementStream } from '../implement.js'
import { revisionsWanted } from '../request/revision.js'

const isThere = ({ connection_state, communication_state }: Equipment): boolean =>
  connection_state === 'SELECTED' && communication_state === 'COMMUNICATING'

export function equipmentRoutes(
  app: FastifyInstance,
  { equipment, commands, traffic }: Gateway,
  wires: WireStreams,
): void {
  implement(app, endpoints.listEquipment, ({ query }) => equipment.list(query))
  implement(app, endpoints.getEquipment, ({ params }) => equipment.get(params.id))
  implement(app, endpoints.createEquipment, ({ body }) => equipment.create(body))
  implement(app, endpoints.updateEquipment, ({ params, body }, request) =>
    equipment.update(params.id, body, revisionsWanted(request.headers['if-match'])),
  )
  implement(app, endpoints.deleteEquipment, ({ params }) => equipment.delete(params.id))
  implement(app, endpoints.connectEquipment, async ({ params, query }) => {
    const record = await equipment.connect(params.id, query.wait ?? DEFAULT_CONNECT_WAIT)
    return new Answer(isThere(record) ? 200 : 202, record)
  })
  implement(app, endpoints.disconnectEquipment, ({ params }) => equipment.disconnect(params.id))
  implement(app, endpoints.sendCommand, async ({ params, query, body }) => {
    const { result, waited } = await commands.send(params.id, body, query.timeout)
    return new Answer(waited ? 200 : 202, result)
  })
  implementStream(app, endpoints.followWire, ({ params, query }, request, reply, media) =>
    wires.serve(params.id, query, media as WireMedia, request, reply),
  )
  implement(app, endpoints.getTraffic, ({ params }) => traffic.of(params.id))
}
