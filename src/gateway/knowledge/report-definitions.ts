import { BoundedMap, type MemoryBudget } from '../bounded-map.js'

/** The variables of a report from one journal entry on; null when it was deleted, or they are not known. */
export interface ReportVersion {
  readonly from: number
  readonly variables: readonly string[] | null
}

/** Most reports, deleted ones included. */
const MAX_REPORTS = 20_000
/** Most versions of one report: messages of dropped versions are read without names. */
const MAX_VERSIONS = 8

/** The variables of each report, now and at earlier journal entries. */
export class ReportDefinitions {
  readonly #versions: BoundedMap<readonly ReportVersion[]>
  /**
   * Reports of which nothing has shown since this entry, when the equipment came back, that they are still what they were:
   * another host may have defined them anew.
   */
  readonly doubted: BoundedMap<number>
  #since = 0

  constructor(allowance: MemoryBudget) {
    this.#versions = new BoundedMap(MAX_REPORTS, allowance)
    this.doubted = new BoundedMap(MAX_REPORTS, allowance)
  }

  /** Sequence number since which reports have not changed, except for the known changes. */
  get since(): number {
    return this.#since
  }

  /** RPTID to VIDs, as they are now. */
  get current(): ReadonlyMap<string, readonly string[]> {
    const current = new Map<string, readonly string[]>()
    for (const [report, versions] of this.#versions) {
      const variables = versions.at(-1)?.variables
      if (variables) current.set(report, variables)
    }
    return current
  }

  /** Each report with its versions, as `set` takes them. */
  [Symbol.iterator](): Iterator<readonly [string, readonly ReportVersion[]]> {
    return this.#versions[Symbol.iterator]()
  }

  /** The variables of a report at entry `seq`; null where they are not known. */
  at(report: string, seq: number): readonly string[] | null {
    const versions = this.#versions.entries.get(report)
    return versions?.findLast(({ from }) => from <= seq)?.variables ?? null
  }

  /** From `seq` on the report has these variables; null when it is deleted or unknown. */
  define(report: string, variables: readonly string[] | null, seq: number): void {
    const before = this.#versions.entries.get(report) ?? []
    this.doubted.delete(report)
    if (before.length === 0 && variables === null) return
    const versions = [...before, { from: seq, variables }].slice(-MAX_VERSIONS)
    if (this.#versions.set(report, versions)) return
    this.#makeRoom()
    this.#versions.set(report, versions)
  }

  /**
   * The equipment reports at `seq` the variables of a report. One that was not known has had them since
   * communication began, or since the last change of reports. Where another host may have changed one that was known, it
   * is not known which variables it had from then until now.
   */
  observe(report: string, variables: readonly string[], seq: number): void {
    const last = this.#versions.entries.get(report)?.at(-1)
    const doubted = this.doubted.entries.get(report)
    this.doubted.delete(report)
    if (last?.variables?.join(' ') === variables.join(' ')) return
    if (last?.variables && doubted !== undefined) this.define(report, null, doubted)
    this.define(
      report,
      variables,
      last?.variables ? seq : Math.min(seq, Math.max(this.#since, last?.from ?? 0)),
    )
  }

  /** Changes of reports before `seq` are not known. */
  begin(seq: number): void {
    this.#since = seq
  }

  /** The equipment has come back with entry `seq`: another host may have defined any report anew while it was away. */
  doubt(seq: number): void {
    this.begin(seq)
    for (const report of this.current.keys())
      if (!this.doubted.entries.has(report)) this.doubted.set(report, seq)
  }

  /** From `seq` on there is no report, or it is not known which there are. */
  clear(seq: number): void {
    this.begin(seq)
    for (const report of this.current.keys()) this.define(report, null, seq)
  }

  set(report: string, versions: readonly ReportVersion[]): void {
    this.#versions.set(report, versions)
  }

  /** Drops old versions to make room for current ones. */
  #makeRoom(): void {
    for (const [report, versions] of [...this.#versions]) {
      const last = versions.at(-1)
      if (last?.variables) this.#versions.set(report, [last])
      else this.#versions.delete(report)
    }
  }
}
