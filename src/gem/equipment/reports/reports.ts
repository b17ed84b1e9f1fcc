import { Signal } from '../../../kit/signal.js'
import type { CollectionEvent, Report } from '../equipment-model.js'

/** DRACK and LRACK (SEMI E5): 0 accepted, the rest why not. */
export const DRACK = { accepted: 0, noSpace: 1, alreadyDefined: 3, noSuchVariable: 4 } as const
export const LRACK = { accepted: 0, noSpace: 1, alreadyLinked: 3, noSuchEvent: 4, noSuchReport: 5 } as const

/** Reports, and variables in all of them together. */
const MAX_REPORTS = 10_000
const MAX_VARIABLES = 100_000

/** The reports that a host links to an event; none to remove the links. */
export interface ReportLink {
  readonly event: string
  readonly reports: readonly string[]
}

interface EventState {
  readonly event: CollectionEvent
  enabled: boolean
  reports: readonly string[]
}

/** GEM's dynamic event reports: which reports there are, which event sends them, which events are sent. */
export class Reports {
  readonly changed = new Signal<void>()
  #reports: Map<string, readonly string[]>
  readonly #events = new Map<string, EventState>()

  constructor(
    reports: readonly Report[],
    events: readonly CollectionEvent[],
    private readonly hasVariable: (id: string) => boolean,
  ) {
    this.#reports = new Map(reports.map(({ id, variables }) => [id, variables]))
    for (const event of events) {
      this.#events.set(event.id, { event, enabled: event.enabled, reports: event.reports })
    }
  }

  isEnabled(event: string): boolean {
    return this.#events.get(event)?.enabled ?? false
  }

  enabledEvents(): string[] {
    return [...this.#events].filter(([, { enabled }]) => enabled).map(([id]) => id)
  }

  /** The variables of a report, by id; undefined when it is not defined. */
  variablesOf(report: string): readonly string[] | undefined {
    return this.#reports.get(report)
  }

  /** Every report that is defined. */
  definitions(): Report[] {
    return [...this.#reports].map(([id, variables]) => ({ id, variables }))
  }

  /** The reports of every event that has any. */
  links(): ReportLink[] {
    return [...this.#events].flatMap(([event, { reports }]) =>
      reports.length > 0 ? [{ event, reports }] : [],
    )
  }

  /** The reports linked to an event; undefined when there is no such event. */
  reportsOf(event: string): Report[] | undefined {
    return this.#events.get(event)?.reports.map((id) => ({ id, variables: this.#reports.get(id) ?? [] }))
  }

  /** The events with these ids, or all for none, each with the variables it reports. Undefined for an unknown id. */
  choose(ids: readonly string[]): { id: string; event: CollectionEvent | undefined; variables: string[] }[] {
    const chosen = ids.length > 0 ? ids : [...this.#events.keys()]
    return chosen.map((id) => ({
      id,
      event: this.#events.get(id)?.event,
      variables: [...new Set((this.reportsOf(id) ?? []).flatMap(({ variables }) => variables))],
    }))
  }

  /** S2F33: a report without variables is deleted, and no report at all deletes every report and link; all or nothing. */
  define(definitions: readonly Report[]): (typeof DRACK)[keyof typeof DRACK] {
    if (definitions.length === 0) {
      this.#reports.clear()
      for (const state of this.#events.values()) state.reports = []
      this.changed.emit()
      return DRACK.accepted
    }
    const next = new Map(this.#reports)
    for (const { id, variables } of definitions) {
      if (variables.length === 0) {
        next.delete(id)
        continue
      }
      if (next.has(id)) return DRACK.alreadyDefined
      if (!variables.every(this.hasVariable)) return DRACK.noSuchVariable
      next.set(id, variables)
    }
    const variables = [...next.values()].reduce((sum, { length }) => sum + length, 0)
    if (next.size > MAX_REPORTS || variables > MAX_VARIABLES) return DRACK.noSpace
    this.#reports = next
    for (const state of this.#events.values()) state.reports = state.reports.filter((id) => next.has(id))
    this.changed.emit()
    return DRACK.accepted
  }

  /** S2F35: links add up only after they were taken away; all or nothing. */
  link(links: readonly ReportLink[]): (typeof LRACK)[keyof typeof LRACK] {
    const next = new Map<string, readonly string[]>()
    for (const { event, reports } of links) {
      const state = this.#events.get(event)
      if (!state) return LRACK.noSuchEvent
      if (!reports.every((id) => this.#reports.has(id))) return LRACK.noSuchReport
      const linked = next.get(event) ?? state.reports
      if (reports.length > 0 && linked.length > 0) return LRACK.alreadyLinked
      if (this.#variablesIn(reports) > MAX_VARIABLES) return LRACK.noSpace
      next.set(event, reports)
    }
    for (const [event, reports] of next) {
      const state = this.#events.get(event)
      if (state) state.reports = reports
    }
    this.changed.emit()
    return LRACK.accepted
  }

  #variablesIn(reports: readonly string[]): number {
    return reports.reduce((sum, id) => sum + Math.max(1, this.#reports.get(id)?.length ?? 0), 0)
  }

  /** S2F37: no event at all means every one. False when one does not exist; then nothing changed. */
  enable(events: readonly string[], enabled: boolean): boolean {
    const states = (events.length > 0 ? events : [...this.#events.keys()]).map((id) => this.#events.get(id))
    if (states.includes(undefined)) return false
    for (const state of states) if (state) state.enabled = enabled
    this.changed.emit()
    return true
  }
}
