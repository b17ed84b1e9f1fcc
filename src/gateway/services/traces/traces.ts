import { faultyRequest, type Problem } from '../../../contract/errors.js'
import { onePage } from '../../../contract/schema.js'
import type { NewTrace, Trace, traceEndpoints } from '../../../contract/topics/traces.js'
import type { Handlers } from '../../handler.js'
import { givenId } from '../given-id.js'
import type { Naming } from '../naming.js'
import { verdict } from '../verdict.js'
import type { RunningTrace } from './running-traces.js'
import { periodText } from './sample-period.js'

/** The period in an S2F23 that ends a trace: required, but without meaning. */
const ANY_PERIOD = '000001'

/** Traces: status variables sampled by the equipment itself (S2F23), which sends them as S6F1. */
export const traceHandlers: Handlers<typeof traceEndpoints> = {
  async listTraces({ params: { id } }, { equipment, naming, traces }) {
    await equipment.get(id)
    return onePage(traces.of(id).map((trace) => shown(id, trace, naming)))
  },

  async startTrace({ params: { id }, query, send, body }, { asking, naming, traces, clock }) {
    const DSPER = requirePossible(body)
    const where = (at: number): string => `/variables/${at}`
    const variables = await naming.idsOf(id, 'variables', body.variables.map(String), { where, ...query })
    const { trid, endStart } = traces.begin(id, body.trid)
    const asked = {
      trid,
      variables,
      period_seconds: body.period_seconds,
      samples: body.samples,
      group_size: body.group_size ?? 1,
    }
    const data = {
      TRID: givenId(trid),
      DSPER,
      TOTSMP: asked.samples,
      REPGSZ: asked.group_size,
      SVID: variables.map(givenId),
    }
    const said = await asking.acknowledge(id, 'S2F23', data, send).finally(endStart)
    const started = { ...asked, received: 0, started_at: clock.date().toISOString() }
    return { ...verdict('tiaack', said), trace: said.accepted ? shown(id, started, naming) : null }
  },

  async endTrace({ params: { id, trid }, send }, { asking }) {
    const data = { TRID: givenId(trid), DSPER: ANY_PERIOD, TOTSMP: 0, REPGSZ: 1, SVID: [] }
    return { trid, ...verdict('tiaack', await asking.acknowledge(id, 'S2F23', data, send)) }
  },
}

/** With the names that are known. */
function shown(equipmentId: string, { variables: ids, ...trace }: RunningTrace, naming: Naming): Trace {
  const { variables } = naming.of(equipmentId)
  return {
    ...trace,
    variables: ids.map((id) => {
      const { name = null, unit = null } = variables.get(id) ?? {}
      return { id, name, unit }
    }),
  }
}

/** The DSPER of a trace. Throws `invalid_message` for a trace that S2F23 cannot request. */
function requirePossible({ variables, period_seconds, samples, group_size = 1 }: NewTrace): string {
  if (variables.length === 0) throw wrong('/variables', 'is empty: a sample has to hold something')
  if (group_size > samples) {
    throw wrong('/group_size', `is ${group_size}, more than the ${samples} samples that there will be`)
  }
  const period = periodText(period_seconds)
  if (period !== undefined) return period
  throw wrong(
    '/period_seconds',
    `is ${period_seconds}, finer than the hundredths of a second that DSPER allows`,
  )
}

const wrong = (pointer: string, detail: string): Problem =>
  faultyRequest('invalid_message', [{ pointer, detail }])
