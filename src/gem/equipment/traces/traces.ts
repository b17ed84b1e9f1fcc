import type { Cancel, Clock } from '../../../kit/clock.js'
import type { TypedValue } from '../../typed-value.js'
import type { TraceModel } from '../equipment-model.js'

/** TIAACK (SEMI E5). */
const TIAACK = {
  accepted: 0,
  tooManyVariables: 1,
  noMoreTraces: 2,
  badPeriod: 3,
  noSuchVariable: 4,
  badGroup: 5,
} as const

const DEFAULT_COUNT = 10
const DEFAULT_VARIABLES = 100
const DEFAULT_MIN_PERIOD_MS = 100
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

/** The content of one S6F1. */
export interface TraceReport {
  readonly id: string
  /** SMPLN and STIME, of the last sample in it. */
  readonly sample: number
  readonly time: string
  readonly values: readonly TypedValue[]
}

export interface TraceWorld {
  readonly clock: Clock
  readonly time: () => string
  readonly hasVariable: (id: string) => boolean
  readonly value: (id: string) => TypedValue
  readonly report: (report: TraceReport) => void
}

interface Trace {
  readonly request: TraceRequest
  readonly cancel: Cancel
}

/** Samples variables at a period and reports them in groups (SEMI E30). A timer for each trace that runs. */
export class Traces {
  readonly #traces = new Map<string, Trace>()
  readonly #count: number
  readonly #variables: number
  readonly #shortestPeriod: number

  constructor(
    model: TraceModel | undefined,
    private readonly world: TraceWorld,
  ) {
    this.#count = model?.count ?? DEFAULT_COUNT
    this.#variables = model?.variables ?? DEFAULT_VARIABLES
    this.#shortestPeriod = model?.shortestPeriod ?? DEFAULT_MIN_PERIOD_MS
  }

  /** The traces that run, by TRID. */
  ids(): string[] {
    return [...this.#traces.keys()]
  }

  /** Starts a trace instead of one with the same id, or ends that; TIAACK. */
  initialize(request: TraceRequest): number {
    const { id, total, group, variables } = request
    if (total === 0) {
      this.#end(id)
      return TIAACK.accepted
    }
    const period = periodOf(request.period)
    if (period === undefined || period < this.#shortestPeriod) return TIAACK.badPeriod
    if (variables.length > this.#variables) return TIAACK.tooManyVariables
    if (!variables.every(this.world.hasVariable)) return TIAACK.noSuchVariable
    const isGroup = group >= 1 && group <= total && group * Math.max(1, variables.length) <= MAX_GROUP_VALUES
    if (!isGroup) return TIAACK.badGroup
    if (!this.#traces.has(id) && this.#traces.size >= this.#count) return TIAACK.noMoreTraces
    this.#end(id)
    this.#wait(request, period, this.world.clock.now() + period, 1, [])
    return TIAACK.accepted
  }

  /** Ends all traces and cancels their timers. */
  stop(): void {
    for (const id of this.ids()) this.#end(id)
  }

  #wait(request: TraceRequest, period: number, due: number, sample: number, before: TypedValue[]): void {
    const { clock } = this.world
    const cancel = clock.at(due, () => {
      const values = [...before, ...request.variables.map(this.world.value)]
      const isLast = sample >= request.total
      const isWhole = sample % request.group === 0
      if (isLast) this.#traces.delete(request.id)
      // After a delay of the process one late sample is taken, not all missed ones at once.
      else this.#wait(request, period, Math.max(due + period, clock.now()), sample + 1, isWhole ? [] : values)
      if (isLast || isWhole) {
        this.world.report({ id: request.id, sample, time: this.world.time(), values })
      }
    })
    this.#traces.set(request.id, { request, cancel })
  }

  #end(id: string): void {
    this.#traces.get(id)?.cancel()
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
