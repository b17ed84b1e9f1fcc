import type { endpoints } from '../../src/contract/endpoints.js'
import { equipmentAlarmEndpoints } from '../../src/contract/topics/alarms.js'
import { clockEndpoints } from '../../src/contract/topics/clock.js'
import { collectionEventEndpoints } from '../../src/contract/topics/collection-events.js'
import { controlEndpoints } from '../../src/contract/topics/control.js'
import { limitEndpoints } from '../../src/contract/topics/limits.js'
import { recipeEndpoints } from '../../src/contract/topics/recipes.js'
import { reportEndpoints } from '../../src/contract/topics/reports.js'
import { spoolEndpoints } from '../../src/contract/topics/spool.js'
import { terminalEndpoints } from '../../src/contract/topics/terminal.js'
import { traceEndpoints } from '../../src/contract/topics/traces.js'
import { constantEndpoints, variableEndpoints } from '../../src/contract/topics/variables.js'
import type { Handlers } from '../../src/gateway/handler.js'
import { handlers } from '../../src/gateway/handlers.js'
import { REPLIES } from './example-gateway.js'

/** Endpoints that need equipment to answer. */
const SERVICES = {
  ...controlEndpoints,
  ...variableEndpoints,
  ...constantEndpoints,
  ...limitEndpoints,
  ...collectionEventEndpoints,
  ...clockEndpoints,
  ...terminalEndpoints,
  ...equipmentAlarmEndpoints,
  ...reportEndpoints,
  ...recipeEndpoints,
  ...traceEndpoints,
  ...spoolEndpoints,
}

/** The gateway's handlers; those that need equipment answer as the document shows, for equipment that `find` knows. */
export function exampleHandlers(find: (equipmentId: string) => Promise<unknown>): Handlers<typeof endpoints> {
  const answer =
    (name: keyof typeof SERVICES) =>
    async ({ params }: { readonly params: { readonly id: string } }): Promise<unknown> => {
      await find(params.id)
      return REPLIES[name]
    }
  const names = Object.keys(SERVICES) as (keyof typeof SERVICES)[]
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, answer(name)])) }
}
