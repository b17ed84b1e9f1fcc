import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../contract/errors.js'
import type { AppliedReports, ApplyQuery, ReportsResult, WantedReports } from '../../../contract/reports.js'
import type { Identity } from '../../../contract/users.js'
import type { Asking, AskOptions } from '../asking.js'
import type { Naming } from '../naming.js'
import type { Reports } from '../services.js'
import { unsent } from './carry-out.js'
import type { KeptReports } from './kept-reports.js'
import type { ReportChanges, ReportsChanged } from './report-changes.js'
import { differenceOf } from './report-difference.js'
import { NO_REPORTS, type ReportSetup } from './report-setup.js'
import { hasEvents } from './reports-present.js'
import type { ReportsRecord } from './reports-record.js'
import { learnToResolve, resolveReports } from './resolve-reports.js'

/** The reports that a caller requests, resolved. */
interface Wanted {
  readonly setup: ReportSetup
  readonly warnings: readonly string[]
  /** Stored once the equipment accepts it; undefined to delete the stored record. */
  readonly record: Omit<ReportsRecord, 'applied_at' | 'unfinished'> | undefined
}

/** The event reports of equipment (S2F33, S2F35, S2F37): applies a definition of the wanted reports. */
export class GemReports implements Reports {
  constructor(
    private readonly kept: KeptReports,
    private readonly changes: ReportChanges,
    private readonly asking: Asking,
    private readonly naming: Naming,
  ) {}

  async get(equipmentId: string): Promise<AppliedReports> {
    this.asking.nameOf(equipmentId)
    const record = await this.kept.get(equipmentId)
    if (!record) return NOTHING_APPLIED
    const { definition, applied_at, applied_by } = record
    const standing = this.kept.standing(record)
    // After a reconnect the equipment may not have its reports any more.
    const isStale = standing.state === 'present' && !this.asking.isCommunicating(equipmentId)
    return { definition, applied_at, applied_by, ...standing, ...(isStale && { state: 'unknown' }) }
  }

  async apply(
    equipmentId: string,
    definition: WantedReports,
    by: Identity,
    { dry_run = false, ...options }: ApplyQuery,
  ): Promise<ReportsResult> {
    const equipment = { id: equipmentId, name: this.asking.nameOf(equipmentId) }
    return this.kept.inTurn(equipmentId, async () => {
      const { setup, warnings } = dry_run
        ? resolveReports(definition, this.naming.of(equipmentId), equipment)
        : await learnToResolve(definition, this.naming, equipment, options)
      const record = { id: equipmentId, definition, setup, applied_by: by.email }
      return this.#fulfil(equipmentId, { setup, warnings, record }, dry_run, options)
    })
  }

  async clear(equipmentId: string, { dry_run = false, ...options }: ApplyQuery): Promise<ReportsResult> {
    this.asking.nameOf(equipmentId)
    return this.kept.inTurn(equipmentId, async () => {
      const before = await this.kept.get(equipmentId)
      const setup: ReportSetup = { ...NO_REPORTS, others: before?.setup.others ?? 'delete' }
      return this.#fulfil(equipmentId, { setup, warnings: [], record: undefined }, dry_run, options)
    })
  }

  async #fulfil(
    equipmentId: string,
    { setup, warnings, record }: Wanted,
    dryRun: boolean,
    options: AskOptions,
  ): Promise<ReportsResult> {
    const before = await this.kept.get(equipmentId)
    const known = this.naming.of(equipmentId)
    const shared = {
      difference: differenceOf(setup, before?.setup, {
        variable: (vid) => known.named(vid)?.name || undefined,
        event: (ceid) => known.events.get(ceid)?.name || undefined,
      }),
      warnings: [...warnings],
    }
    if (record && before && this.#isThere(before, setup)) {
      // The same setup with another definition, such as a name for a number: the new definition is stored.
      if (!dryRun && !isDeepStrictEqual(before.definition, record.definition))
        await this.kept.accepted({ ...before, ...record }, 'applied')
      return { applied: !dryRun, dry_run: dryRun, ...shared, steps: [], went_back: null, detail: null }
    }
    const plan = this.changes.plan(equipmentId, setup, before?.setup)
    if (dryRun) {
      const steps = plan.map(unsent)
      return { applied: false, dry_run: true, ...shared, steps, went_back: null, detail: null }
    }
    if (before) await this.kept.begin(before)
    const changed = await this.changes.change(equipmentId, plan, setup, before?.setup, options)
    if (!changed.failed) {
      if (record) await this.kept.accepted(record, 'applied')
      else await this.kept.cleared(equipmentId)
    } else await this.#failed(equipmentId, changed, before)
    const { steps, wentBack: went_back, detail, failed } = changed
    if (failed?.problem) throw new Problem(failed.problem.code, detail ?? failed.detail, failed.problem.extra)
    return { applied: !failed, dry_run: false, ...shared, steps: [...steps], went_back, detail }
  }

  /** Whether recorded messages show that the equipment has exactly this setup: then nothing has to be sent. */
  #isThere(before: ReportsRecord, setup: ReportSetup): boolean {
    return (
      isDeepStrictEqual(before.setup, setup) &&
      !before.unfinished &&
      !this.kept.isForOther(before) &&
      this.kept.standing(before).state === 'present' &&
      hasEvents(this.naming.of(before.id), setup)
    )
  }

  async #failed(
    equipmentId: string,
    { failed, wentBack, detail }: ReportsChanged,
    before: ReportsRecord | undefined,
  ): Promise<void> {
    if (before && wentBack !== false) await this.kept.restore(before)
    if (!failed?.changed) return
    const isBack = before !== undefined && wentBack === true
    const [state, cause] = isBack ? (['present', 'went_back'] as const) : (['missing', 'failed'] as const)
    await this.kept.found(equipmentId, state, cause, detail ?? failed.detail)
  }
}

const NOTHING_APPLIED: AppliedReports = {
  definition: null,
  applied_at: null,
  applied_by: null,
  state: 'none',
  checked_at: null,
  last_error: null,
}
