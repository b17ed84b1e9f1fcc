import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { implement } from '../implement.js'
import { callerOf } from '../request/authenticate.js'

export function setupRoutes(app: FastifyInstance, { services }: Gateway): void {
  const { reports, recipes, traces } = services
  implement(app, endpoints.getReports, ({ params }) => reports.get(params.id))
  implement(app, endpoints.applyReports, ({ params, query, body }, request) =>
    reports.apply(params.id, body, callerOf(request), query),
  )
  implement(app, endpoints.clearReports, ({ params, query }) => reports.clear(params.id, query))

  implement(app, endpoints.listRecipes, ({ params, query }) => recipes.list(params.id, query))
  implement(app, endpoints.fetchRecipe, ({ params, query }) => recipes.fetch(params.id, params.ppid, query))
  implement(app, endpoints.storeRecipe, ({ params, query, body }) =>
    recipes.store(params.id, params.ppid, body, query),
  )
  implement(app, endpoints.deleteRecipe, ({ params, query }) => recipes.delete(params.id, params.ppid, query))
  implement(app, endpoints.selectRecipe, ({ params, query, body }) =>
    recipes.select(params.id, params.ppid, body, query),
  )

  implement(app, endpoints.listTraces, ({ params }) => traces.list(params.id))
  implement(app, endpoints.startTrace, ({ params, query, body }) => traces.start(params.id, body, query))
  implement(app, endpoints.endTrace, ({ params, query }) => traces.end(params.id, params.trid, query))
}
