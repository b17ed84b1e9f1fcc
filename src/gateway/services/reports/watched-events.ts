import type { EventReport } from '../../../gem/host/peer-names.js'
import { plainId } from './kept-reports.js'
import { contradicts } from './report-evidence.js'
import type { ReportsRecord } from './reports-record.js'

/** Why event reports of equipment are compared with the reports that it should have: a check has seen nothing, or a sample. */
export type Doubt = 'unknown' | 'sampled'

/** Event reports that are compared with the reports of their equipment. After a sample, the first of each event is. */
export class WatchedEvents {
  /** CEIDs. */
  readonly #watched: Set<string>

  constructor(
    readonly record: ReportsRecord,
    readonly doubt: Doubt,
  ) {
    // Equipment that sends a disabled event nevertheless may have its reports.
    const events = record.setup.events.filter(({ enabled }) => enabled || doubt === 'unknown')
    this.#watched = new Set(events.map(({ id }) => plainId(id)))
  }

  areContradictedBy(report: EventReport): boolean {
    const id = String(report.CEID)
    const isWatched = this.doubt === 'unknown' ? this.#watched.has(id) : this.#watched.delete(id)
    return isWatched && contradicts(report, this.record.setup)
  }
}
