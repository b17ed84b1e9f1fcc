import { isDeepStrictEqual } from 'node:util'
import type { EventChange, ReportChange, ReportsResult } from '../../../contract/topics/reports.js'
import { NO_REPORTS, type ReportSetup } from './report-setup.js'

/** The names of identifiers; undefined where they are not known. */
export interface Names {
  readonly variable: (vid: string) => string | undefined
  readonly event: (ceid: string) => string | undefined
}

/** The difference between the wanted setup and the `applied` one, in the order of the wanted identifiers. */
export function differenceOf(
  wanted: ReportSetup,
  applied: ReportSetup = NO_REPORTS,
  { variable, event }: Names,
): ReportsResult['difference'] {
  const called = (vids: readonly string[]): string[] => vids.map((vid) => variable(vid) ?? vid)
  const reports = changes(applied.reports, wanted.reports, ({ variables }) => called(variables))
  const events = changes(applied.events, wanted.events, (one) => ({
    reports: [...one.reports],
    enabled: one.enabled,
  }))
  return {
    reports: reports satisfies ReportChange[],
    events: events.map((change): EventChange => ({ ...change, name: event(change.id) ?? null })),
  }
}

interface Changed<Shown> {
  readonly change: 'added' | 'removed' | 'changed'
  readonly id: string
  readonly before: Shown | null
  readonly after: Shown | null
}

function changes<Part extends { readonly id: string }, Shown>(
  before: readonly Part[],
  after: readonly Part[],
  show: (part: Part) => Shown,
): Changed<Shown>[] {
  const old = new Map(before.map((part) => [part.id, part]))
  const kept = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !kept.has(id))
  return [
    ...removed.map((part) => ({ change: 'removed', id: part.id, before: show(part), after: null }) as const),
    ...after.flatMap((part): Changed<Shown>[] => {
      const was = old.get(part.id)
      if (!was) return [{ change: 'added', id: part.id, before: null, after: show(part) }]
      if (isDeepStrictEqual(was, part)) return []
      return [{ change: 'changed', id: part.id, before: show(was), after: show(part) }]
    }),
  ]
}
