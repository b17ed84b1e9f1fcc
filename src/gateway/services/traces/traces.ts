import { faultyRequest, type Problem } from '../../../contract/errors.js'
import type { SendQuery } from '../../../contract/messages.js'
import type { Page } from '../../../contract/schema.js'
import type { NewTrace, Trace, TraceEnded, TraceStarted } from '../../../contract/traces.js'
import type { Clock } from '../../../kit/clock.js'
import { verdictOf } from '../acknowledged.js'
import { onePage } from '../answered-values.js'
import type { Acknowledged, Asking, AskOptions } from '../asking.js'
import { givenId } from '../given-id.js'
import type { Naming } from '../naming.js'
import type { Traces } from '../services.js'
import type { RunningTrace, RunningTraces } from './running-traces.js'
import { periodText } from './sample-period.js'

/** The period in an S2F23 that ends a trace: required, but without meaning. */
const ANY_PERIOD = '000001'

/** Traces: status variables sampled by the equipment itself (S2F23), which sends them as S6F1. */
export class GemTraces implements Traces {
  /** Equipment and TRID of traces whose S2F23 has not been answered. */
  readonly #starting = new Set<string>()

  constructor(
    private readonly running: RunningTraces,
    private readonly asking: Asking,
    private readonly naming: Naming,
    private readonly clock: Clock,
  ) {}

  async list(equipmentId: string): Promise<Page<Trace>> {
    this.asking.nameOf(equipmentId)
    return onePage(this.running.of(equipmentId).map((trace) => this.#shown(equipmentId, trace)))
  }

  async start(equipmentId: string, given: NewTrace, options: SendQuery): Promise<TraceStarted> {
    const DSPER = requirePossible(given)
    const where = (at: number): string => `/variables/${at}`
    const names = given.variables.map(String)
    const ids = await this.naming.idsOf(equipmentId, 'variables', names, { where, ...options })
    const asked = {
      trid: given.trid === undefined ? this.#freeId(equipmentId) : String(given.trid),
      variables: ids,
      period_seconds: given.period_seconds,
      samples: given.samples,
      group_size: given.group_size ?? 1,
    }
    const data = {
      TRID: givenId(asked.trid),
      DSPER,
      TOTSMP: asked.samples,
      REPGSZ: asked.group_size,
      SVID: ids.map(givenId),
    }
    const place = `${equipmentId} ${asked.trid}`
    this.#starting.add(place)
    const said = await this.#send(equipmentId, data, options).finally(() => this.#starting.delete(place))
    const started = { ...asked, received: 0, started_at: this.clock.date().toISOString() }
    const trace = this.#shown(equipmentId, started)
    const verdict = { tiaack: said.code, tiaack_text: said.text, ...verdictOf(said) }
    return { ...verdict, trace: said.accepted ? trace : null }
  }

  async end(equipmentId: string, trid: string, options: SendQuery): Promise<TraceEnded> {
    const data = { TRID: givenId(trid), DSPER: ANY_PERIOD, TOTSMP: 0, REPGSZ: 1, SVID: [] }
    const said = await this.#send(equipmentId, data, options)
    return { trid, tiaack: said.code, tiaack_text: said.text, ...verdictOf(said) }
  }

  #send(
    equipmentId: string,
    data: Parameters<typeof this.asking.acknowledge<'S2F23'>>[2],
    options: AskOptions,
  ): Promise<Acknowledged> {
    return this.asking.acknowledge(equipmentId, 'S2F23', data, options)
  }

  /** The lowest TRID that no trace has. */
  #freeId(equipmentId: string): string {
    const taken = new Set(this.running.of(equipmentId).map(({ trid }) => trid))
    let free = 1
    while (taken.has(String(free)) || this.#starting.has(`${equipmentId} ${free}`)) free += 1
    return String(free)
  }

  /** With the names that are known. */
  #shown(equipmentId: string, { variables: ids, ...trace }: RunningTrace): Trace {
    const { variables } = this.naming.of(equipmentId)
    return {
      ...trace,
      variables: ids.map((id) => {
        const { name = null, unit = null } = variables.get(id) ?? {}
        return { id, name, unit }
      }),
    }
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
