import { collectionEventEndpoints } from '../../src/contract/collection-events.js'
import { constantEndpoints } from '../../src/contract/constants.js'
import { controlEndpoints } from '../../src/contract/control.js'
import type { endpoints } from '../../src/contract/endpoints.js'
import { equipmentAlarmEndpoints } from '../../src/contract/equipment-alarms.js'
import { clockEndpoints } from '../../src/contract/equipment-clock.js'
import { recipeEndpoints } from '../../src/contract/recipes.js'
import { reportEndpoints } from '../../src/contract/reports.js'
import { terminalEndpoints } from '../../src/contract/terminal.js'
import { traceEndpoints } from '../../src/contract/traces.js'
import { variableEndpoints } from '../../src/contract/variables.js'
import type { Handlers } from '../../src/gateway/handler.js'
import { handlers } from '../../src/gateway/handlers.js'
import { REPLIES } from './example-replies.js'

/** Endpoints that need equipment to answer. */
const SERVICES = {
  ...controlEndpoints,
  ...variableEndpoints,
  ...constantEndpoints,
  ...collectionEventEndpoints,
  ...clockEndpoints,
  ...terminalEndpoints,
  ...equipmentAlarmEndpoints,
  ...reportEndpoints,
  ...recipeEndpoints,
  ...traceEndpoints,
}

/** The gateway's handlers; those that need equipment answer as the document shows, for equipment that `find` knows. */
export function exampleHandlers(find: (equipmentId: string) => unknown): Handlers<typeof endpoints> {
  const answer =
    (name: keyof typeof SERVICES) =>
    async ({ params }: { readonly params: { readonly id: string } }): Promise<unknown> => {
      find(params.id)
      return REPLIES[name]
    }
  const names = Object.keys(SERVICES) as (keyof typeof SERVICES)[]
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, answer(name)])) }
}
