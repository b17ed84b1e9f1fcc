import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { implement } from '../implement.js'

export function serviceRoutes(app: FastifyInstance, { services }: Gateway): void {
  const { variables, constants, collectionEvents, clocks, terminals, equipmentAlarms } = services
  implement(app, endpoints.goOnline, ({ params, query }) => services.control.online(params.id, query))
  implement(app, endpoints.goOffline, ({ params, query }) => services.control.offline(params.id, query))

  implement(app, endpoints.listVariables, ({ params, query }) => variables.list(params.id, query))
  implement(app, endpoints.readVariables, ({ params, query }) => variables.read(params.id, query))

  implement(app, endpoints.listConstants, ({ params, query }) => constants.list(params.id, query))
  implement(app, endpoints.readConstants, ({ params, query }) => constants.read(params.id, query))
  implement(app, endpoints.writeConstants, ({ params, query, body }) =>
    constants.write(params.id, body, query),
  )

  implement(app, endpoints.listCollectionEvents, ({ params, query }) =>
    collectionEvents.list(params.id, query),
  )
  implement(app, endpoints.enableCollectionEvents, ({ params, query, body }) =>
    collectionEvents.switch(params.id, true, body, query),
  )
  implement(app, endpoints.disableCollectionEvents, ({ params, query, body }) =>
    collectionEvents.switch(params.id, false, body, query),
  )
  implement(app, endpoints.requestEventReport, ({ params, query }) =>
    collectionEvents.report(params.id, params.ceid, query),
  )
  implement(app, endpoints.requestReport, ({ params, query }) =>
    collectionEvents.requestReport(params.id, params.rptid, query),
  )

  implement(app, endpoints.getClock, ({ params, query }) => clocks.read(params.id, query))
  implement(app, endpoints.setClock, ({ params, query, body }) => clocks.set(params.id, body, query))

  implement(app, endpoints.sendTerminalText, ({ params, query, body }) =>
    terminals.send(params.id, body, query),
  )

  implement(app, endpoints.listEquipmentAlarms, ({ params, query }) => equipmentAlarms.list(params.id, query))
  implement(app, endpoints.enableAlarms, ({ params, query, body }) =>
    equipmentAlarms.switch(params.id, true, body, query),
  )
  implement(app, endpoints.disableAlarms, ({ params, query, body }) =>
    equipmentAlarms.switch(params.id, false, body, query),
  )
}
