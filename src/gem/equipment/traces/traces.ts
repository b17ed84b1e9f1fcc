import type { Cancel } from '../../../kit/clock.js'
import { idValue } from '../../content.js'
import type { TypedValue } from '../../typed-value.js'
import type { EquipmentParts } from '../equipment-parts.js'

/** TIAACK (SEMI E5). */
const TIAACK = {
  accepted: 0,
  tooManyVariables: 1,
  noMoreTraces: 2,
  badPeriod: 3,
  noSuchVariable: 4,
  badGroup: 5,
} as const

/** Bounds where the model has none: traces at a time, variables in one, and its period in milliseconds. */
const DEFAULTS = { count: 10, variables: 100, shortestPeriod: 100 } as const
/** Values in one S6F1. */
const MAX_GROUP_VALUES = 100_000

/** A trace that a host requests (S2F23). */
export interface TraceRequest {
  /** TRID. */
  readonly id: string
  /** DSPER, as hhmmss or hhmmsscc. */
  readonly period: string
  /** TOTSMP; 0 ends the trace. */
  readonly total: number
  /** REPGSZ: samples in one report. */
  readonly group: number
  /** SVIDs. */
  readonly variables: readonly string[]
}

/** Samples variables at a period and reports them in groups (SEMI E30). A timer for each trace that runs. */
export class Traces {
  /** Cancels the timer of each, by TRID. */
  readonly #traces = new Map<string, Cancel>()

  constructor(private readonly equipment: EquipmentParts) {}

  /** Starts a trace instead of one with the same id, or ends that; TIAACK. */
  initialize(request: TraceRequest): number {
    const { id, total, group, variables } = request
    if (total === 0) {
      this.#end(id)
      return TIAACK.accepted
    }
    const { model, clock } = this.equipment
    const most = { ...DEFAULTS, ...model.traces }
    const period = periodOf(request.period)
    if (period === undefined || period < most.shortestPeriod) return TIAACK.badPeriod
    if (variables.length > most.variables) return TIAACK.tooManyVariables
    if (!variables.every((variable) => this.equipment.hasVariable(variable))) return TIAACK.noSuchVariable
    const isGroup = group >= 1 && group <= total && group * Math.max(1, variables.length) <= MAX_GROUP_VALUES
    if (!isGroup) return TIAACK.badGroup
    if (!this.#traces.has(id) && this.#traces.size >= most.count) return TIAACK.noMoreTraces
    this.#end(id)
    this.#wait(request, period, clock.now() + period, 1, [])
    return TIAACK.accepted
  }

  /** Ends all traces and cancels their timers. */
  stop(): void {
    for (const id of this.#traces.keys()) this.#end(id)
  }

  #wait(request: TraceRequest, period: number, due: number, sample: number, before: TypedValue[]): void {
    const { clock, time, outbound } = this.equipment
    const cancel = clock.at(due, () => {
      const values = [...before, ...request.variables.map((id) => this.equipment.value(id))]
      const isLast = sample >= request.total
      const isWhole = sample % request.group === 0
      if (isLast) this.#traces.delete(request.id)
      // After a delay of the process one late sample is taken, not all missed ones at once.
      else this.#wait(request, period, Math.max(due + period, clock.now()), sample + 1, isWhole ? [] : values)
      if ((!isLast && !isWhole) || !this.equipment.online) return
      const content = { TRID: idValue(request.id), SMPLN: String(sample), STIME: time.text(), SV: values }
      void outbound.report('S6F1', content)
    })
    this.#traces.set(request.id, cancel)
  }

  #end(id: string): void {
    this.#traces.get(id)?.()
    this.#traces.delete(id)
  }
}

const PERIOD = /^(\d\d)([0-5]\d)([0-5]\d)(\d\d)?$/

/** DSPER in milliseconds; undefined for an invalid one. */
function periodOf(text: string): number | undefined {
  const [, hours, minutes, seconds, hundredths = 0] = PERIOD.exec(text) ?? []
  if (hours === undefined) return undefined
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(hundredths) * 10
}
