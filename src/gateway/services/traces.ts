import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import type { Page } from '../../contract/schema.js'
import type { NewTrace, Trace, TraceEnded, TraceStarted } from '../../contract/traces.js'
import type { Clock } from '../../kit/clock.js'
import { verdictOf } from './acknowledged.js'
import { onePage } from './answered-values.js'
import type { Acknowledged, Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import type { Naming } from './naming.js'
import type { RunningTraces } from './running-traces.js'
import { periodText } from './sample-period.js'
import type { Traces } from './services.js'

/** What ends a trace says only which one; the rest has to be there. */
const ANY_PERIOD = '000001'

/** Traces: status variables sampled by the equipment itself (S2F23), which sends them as S6F1. */
export class GemTraces implements Traces {
  constructor(
    private readonly running: RunningTraces,
    private readonly asking: Asking,
    private readonly naming: Naming,
    private readonly clock: Clock,
  ) {}

  async list(equipmentId: string): Promise<Page<Trace>> {
    this.asking.nameOf(equipmentId)
    return onePage([...this.running.of(equipmentId)])
  }

  async start(equipmentId: string, given: NewTrace, options: SendQuery): Promise<TraceStarted> {
    const DSPER = requirePossible(given)
    const where = (at: number): string => `/variables/${at}`
    const names = given.variables.map(String)
    const ids = await this.naming.idsOf(equipmentId, 'variables', names, { where, ...options })
    const trace = this.#traceOf(equipmentId, given, ids)
    const replaced = this.running.get(equipmentId, trace.trid)
    const data = {
      TRID: givenId(trace.trid),
      DSPER,
      TOTSMP: trace.samples,
      REPGSZ: trace.group_size,
      SVID: ids.map(givenId),
    }
    // Its first sample may come before the answer is read.
    this.running.add(equipmentId, trace)
    const takeBack = (): void => {
      if (replaced) this.running.add(equipmentId, replaced)
      else this.running.remove(equipmentId, trace.trid)
    }
    const said = await this.#send(equipmentId, data, options).catch((error: unknown) => {
      takeBack()
      throw error
    })
    if (!said.accepted) takeBack()
    const verdict = { tiaack: said.code, tiaack_text: said.text, ...verdictOf(said) }
    return { ...verdict, trace: said.accepted ? trace : null }
  }

  async end(equipmentId: string, trid: string, options: SendQuery): Promise<TraceEnded> {
    const data = { TRID: givenId(trid), DSPER: ANY_PERIOD, TOTSMP: 0, REPGSZ: 1, SVID: [] }
    const said = await this.#send(equipmentId, data, options)
    if (said.accepted) this.running.remove(equipmentId, trid)
    return { trid, tiaack: said.code, tiaack_text: said.text, ...verdictOf(said) }
  }

  #send(
    equipmentId: string,
    data: Parameters<typeof this.asking.acknowledge<'S2F23'>>[2],
    options: AskOptions,
  ): Promise<Acknowledged> {
    return this.asking.acknowledge(equipmentId, 'S2F23', data, options)
  }

  #traceOf(equipmentId: string, given: NewTrace, ids: readonly string[]): Trace {
    const { variables } = this.naming.of(equipmentId)
    return {
      trid: given.trid === undefined ? this.running.freeId(equipmentId) : String(given.trid),
      variables: ids.map((id) => {
        const { name = null, unit = null } = variables.get(id) ?? {}
        return { id, name, unit }
      }),
      period_seconds: given.period_seconds,
      samples: given.samples,
      group_size: given.group_size ?? 1,
      received: 0,
      started_at: this.clock.date().toISOString(),
    }
  }
}

/** DSPER. Throws `invalid_message` for a trace that no equipment could be asked for. */
function requirePossible({ variables, period_seconds, samples, group_size = 1 }: NewTrace): string {
  if (variables.length === 0) throw wrong('/variables', 'is empty: a sample has to hold something')
  if (group_size > samples) {
    throw wrong('/group_size', `is ${group_size}, more than the ${samples} samples that there will be`)
  }
  const period = periodText(period_seconds)
  if (period !== undefined) return period
  throw wrong('/period_seconds', `is ${period_seconds}, finer than the hundredths that DSPER can tell`)
}

const wrong = (pointer: string, detail: string): Problem =>
  new Problem('invalid_message', `${pointer.slice(1)} ${detail}.`, { errors: [{ pointer, detail }] })
