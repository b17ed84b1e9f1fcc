import type { FastifyRequest } from 'fastify'
import { type AnyEndpoint, type Call, Nothing } from '../../contract/endpoint.js'
import { type Fault, faultyRequest } from '../../contract/errors.js'
import { momentOf } from '../../kit/time-text.js'
import { faultsBy } from './faults.js'
import { withoutNulls } from './nulls.js'
import { queryReader } from './query.js'

const NO_FAULTS: readonly Fault[] = []

/** A body that was left out where it may be. */
const LEFT_OUT = Object.freeze({})

/** One sentence a place: that of a rule, which knows what belongs together. */
const withRules = (faults: readonly Fault[], more: readonly Fault[]): readonly Fault[] => [
  ...faults.filter(({ pointer }) => !more.some((fault) => fault.pointer === pointer)),
  ...more,
]

/**
 * What only the gateway knows of a body: its handler refuses it, or here where the schema does. `said` are the faults that
 * the schema has found, without which a body would not be checked here.
 */
export type FurtherFaults = (
  body: unknown,
  said: readonly Fault[],
  request: FastifyRequest,
) => readonly Fault[]

/** With what else is wrong at other places. Faults of the items of a list are in the order of the list. */
function withFurther(faults: readonly Fault[], further: readonly Fault[]): readonly Fault[] {
  const said = new Set(faults.map(({ pointer }) => pointer))
  const isSaid = ({ pointer }: Fault): boolean =>
    pointer.split('/').some((_, at, steps) => said.has(steps.slice(0, at + 1).join('/')))
  const all = [...faults, ...further.filter((fault) => !isSaid(fault))]
  return all.toSorted((one, other) => itemOf(one) - itemOf(other))
}

/** The place of a fault in a list that is a member of the body; -1 elsewhere. */
const itemOf = ({ pointer }: Fault): number => Number(/^\/[^/]+\/(\d+)(?:\/|$)/.exec(pointer)?.[1] ?? -1)

function bodyFaults(
  { body: schema, bodyRules: rules }: AnyEndpoint,
  further: FurtherFaults = () => NO_FAULTS,
): (body: unknown, request: FastifyRequest) => readonly Fault[] {
  const faultsIn = faultsBy(schema, 'body')
  return (body, request) => {
    if (body === undefined) return [{ pointer: '', detail: 'is required: send a JSON object' }]
    if (schema !== Nothing) {
      const faults = withRules(faultsIn(body), rules?.(body) ?? NO_FAULTS)
      return faults.length === 0 ? NO_FAULTS : withFurther(faults, further(body, faults, request))
    }
    if (body === LEFT_OUT || JSON.stringify(body) === '{}') return NO_FAULTS
    return [{ pointer: '', detail: 'has to be left out, or to be {}: this call takes no body' }]
  }
}

/** A range that ends before it begins has nothing in it, which nobody asks for. */
function rangeFaults({ from, to }: { readonly from?: unknown; readonly to?: unknown }): readonly Fault[] {
  if (typeof from !== 'string' || typeof to !== 'string') return NO_FAULTS
  const [begin, end] = [momentOf(from), momentOf(to)]
  if (begin === undefined || end === undefined || begin <= end) return NO_FAULTS
  return [{ pointer: 'from', detail: 'must not be later than `to`' }]
}

/** Reads the calls of an endpoint. The reader throws `invalid_request` with all that is wrong at once. */
export function callReader(
  row: AnyEndpoint,
  further?: FurtherFaults,
): (request: FastifyRequest) => Call<AnyEndpoint> {
  const inParams = faultsBy(row.params, 'parameter')
  const inQuery = faultsBy(row.query, 'parameter')
  const inBody = bodyFaults(row, further)
  const queryOf = queryReader(row.query)
  return (request) => {
    const { params } = request
    const query = queryOf(request.query as object)
    const given = withoutNulls(request.body ?? undefined, row.body)
    const body = given === undefined && row.bodyOptional ? LEFT_OUT : given
    const faults = [...inParams(params), ...inQuery(query), ...rangeFaults(query), ...inBody(body, request)]
    if (faults.length > 0) throw faultyRequest('invalid_request', faults)
    return { params, query, body }
  }
}
