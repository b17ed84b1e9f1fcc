/** A report by its RPTID, and its variables by their VIDs; identifiers are decimal text, or text. */
export interface SetReport {
  readonly id: string
  readonly variables: readonly string[]
}

/** A collection event by its CEID, and the reports that are linked to it. */
export interface SetEvent {
  readonly id: string
  readonly reports: readonly string[]
  readonly enabled: boolean
}

/** What an equipment shall send: wanted reports with every name resolved. */
export interface ReportSetup {
  readonly reports: readonly SetReport[]
  readonly events: readonly SetEvent[]
  readonly others: 'delete' | 'keep'
  readonly inquire: boolean
}

export const NO_REPORTS: ReportSetup = { reports: [], events: [], others: 'delete', inquire: false }
