import { BoundedMap, type MemoryBudget } from '../bounded-map.js'

/** What a report held from one entry of the journal on; null when it was deleted, or nobody can say. */
export interface ReportVersion {
  readonly from: number
  readonly variables: readonly string[] | null
}

/** Reports, of those that were deleted as well. */
const MAX_REPORTS = 20_000
/** Versions of one report: older messages are read without names. */
const MAX_VERSIONS = 8

/** Which variables each report holds, and held when a message came. */
export class ReportDefinitions {
  readonly #versions: BoundedMap<readonly ReportVersion[]>
  #since = 0

  constructor(allowance: MemoryBudget) {
    this.#versions = new BoundedMap(MAX_REPORTS, allowance)
  }

  /** Since this entry reports are what they are, but for what is known of their changes. */
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

  /** Of a message that came as entry `seq`; null where that is not known. */
  at(report: string, seq: number): readonly string[] | null {
    const versions = this.#versions.entries.get(report)
    return versions?.findLast(({ from }) => from <= seq)?.variables ?? null
  }

  /** From `seq` on the report holds these; null when it is gone or unknown. */
  define(report: string, variables: readonly string[] | null, seq: number): void {
    const before = this.#versions.entries.get(report) ?? []
    if (before.length === 0 && variables === null) return
    const versions = [...before, { from: seq, variables }].slice(-MAX_VERSIONS)
    if (this.#versions.set(report, versions)) return
    this.#makeRoom()
    this.#versions.set(report, versions)
  }

  /**
   * The equipment says with `seq` what the report holds. One that was not known has held it since
   * communication began, or since the last change of reports.
   */
  tell(report: string, variables: readonly string[], seq: number): void {
    const last = this.#versions.entries.get(report)?.at(-1)
    if (last?.variables?.join(' ') === variables.join(' ')) return
    this.define(
      report,
      variables,
      last?.variables ? seq : Math.min(seq, Math.max(this.#since, last?.from ?? 0)),
    )
  }

  /** What was done to reports before `seq` nobody can say. */
  begin(seq: number): void {
    this.#since = seq
  }

  /** From `seq` on no report is there, or nobody can say which. */
  clear(seq: number): void {
    this.begin(seq)
    for (const report of this.current.keys()) this.define(report, null, seq)
  }

  set(report: string, versions: readonly ReportVersion[]): void {
    this.#versions.set(report, versions)
  }

  /** What is past goes for what is now. */
  #makeRoom(): void {
    for (const [report, versions] of [...this.#versions]) {
      const last = versions.at(-1)
      if (last?.variables) this.#versions.set(report, [last])
      else this.#versions.delete(report)
    }
  }
}
