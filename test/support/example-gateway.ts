import type { Static } from 'typebox'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { equipmentAlarmEndpoints } from '../../src/contract/topics/alarms.js'
import { clockEndpoints } from '../../src/contract/topics/clock.js'
import { collectionEventEndpoints } from '../../src/contract/topics/collection-events.js'
import { controlEndpoints } from '../../src/contract/topics/control.js'
import { carrierEndpoints } from '../../src/contract/topics/gem300/carriers.js'
import { controlJobEndpoints } from '../../src/contract/topics/gem300/control-jobs.js'
import { gem300Endpoints } from '../../src/contract/topics/gem300/mapping.js'
import { objectEndpoints } from '../../src/contract/topics/gem300/objects.js'
import { performanceEndpoints } from '../../src/contract/topics/gem300/performance.js'
import { portEndpoints } from '../../src/contract/topics/gem300/ports.js'
import { processJobEndpoints } from '../../src/contract/topics/gem300/process-jobs.js'
import { substrateEndpoints } from '../../src/contract/topics/gem300/substrates.js'
import { limitEndpoints } from '../../src/contract/topics/limits.js'
import { recipeEndpoints } from '../../src/contract/topics/recipes.js'
import { reportEndpoints } from '../../src/contract/topics/reports.js'
import { spoolEndpoints } from '../../src/contract/topics/spool.js'
import { terminalEndpoints } from '../../src/contract/topics/terminal.js'
import { traceEndpoints } from '../../src/contract/topics/traces.js'
import { constantEndpoints, variableEndpoints } from '../../src/contract/topics/variables.js'
import type { Handlers } from '../../src/gateway/handler.js'
import { handlers } from '../../src/gateway/handlers.js'
import { type FakeAnswer, FakeGateway, problem } from './fake-gateway.js'

type Name = keyof typeof endpoints

const isName = (name: string): name is Name => name in endpoints

/** The endpoint of a call; one whose path has no parameters goes first. */
function endpointOf(method: string, path: string): Name | undefined {
  const matches = (name: Name): boolean => {
    const parts = endpoints[name].path.split('/')
    const given = path.split('/')
    return (
      endpoints[name].method === method &&
      parts.length === given.length &&
      parts.every((part, at) => part.startsWith('{') || part === given[at])
    )
  }
  const found = Object.keys(endpoints).filter(isName).filter(matches)
  return found.find((name) => !endpoints[name].path.includes('{')) ?? found[0]
}

/** Answers every call of the API with the example of its documentation, to the token `example` alone. */
export const exampleGateway = (): FakeGateway =>
  new FakeGateway(({ method, path, headers }) => {
    const name = endpointOf(method, path)
    if (name === undefined) return undefined
    if (endpoints[name].access !== 'anyone' && headers['authorization'] !== 'Bearer example')
      return { status: 401, body: problem(401, 'unauthenticated', 'A token is needed.') }
    return exampleOf(name)
  })

function exampleOf(name: Name): FakeAnswer {
  const { status, media }: AnyEndpoint = endpoints[name]
  const [first = 200] = status
  const body = REPLIES[name]
  const text = JSON.stringify(body)
  // The events go on behind the first; of the wire one message was asked for.
  if (media.includes('text/event-stream'))
    return { media: 'text/event-stream', text: `id: 1\nevent: state\ndata: ${text}\n\n`, isOpen: true }
  if (media.length > 1 || media.includes('application/x-ndjson'))
    return { media: 'application/x-ndjson', text: `${text}\n` }
  return { status: first, body }
}

/** The reply of each endpoint that its documentation shows. */
export const REPLIES = Object.fromEntries(
  Object.entries(endpoints).map(([name, { examples }]) => [name, examples.reply]),
) as { readonly [Name in keyof typeof endpoints]: Static<(typeof endpoints)[Name]['reply']> }

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
  ...processJobEndpoints,
  ...controlJobEndpoints,
  ...carrierEndpoints,
  ...portEndpoints,
  ...substrateEndpoints,
  ...performanceEndpoints,
  ...objectEndpoints,
  ...gem300Endpoints,
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
