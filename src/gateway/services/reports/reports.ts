import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../contract/errors.js'
import type { AppliedReports, ReportsResult, reportEndpoints } from '../../../contract/topics/reports.js'
import type { Handlers } from '../../handler.js'
import type { Gateway } from '../../open-gateway.js'
import type { SendOptions } from '../asking.js'
import type { KeptReports } from './kept-reports.js'
import { knownReports, observeReports } from './observed-reports.js'
import { type ReportsChanged, unsent } from './report-changes.js'
import { differenceOf } from './report-difference.js'
import { hasEvents } from './report-evidence.js'
import { NO_REPORTS, type ReportSetup } from './report-setup.js'
import type { ReportsRecord } from './reports-record.js'
import { learnToResolve } from './resolve-reports.js'

/** The reports that a caller requests, resolved. */
interface Wanted {
  readonly id: string
  readonly setup: ReportSetup
  readonly warnings: readonly string[]
  /** Stored once the equipment accepts it; undefined to delete the stored record. */
  readonly record: Omit<ReportsRecord, 'applied_at' | 'unfinished'> | undefined
  readonly dryRun: boolean
  /** Everything is sent, even if the equipment has it all as far as that is known. */
  readonly again: boolean
  readonly options: SendOptions
}

type World = Pick<Gateway, 'naming' | 'reports' | 'reportChanges'>

/** The event reports of equipment (S2F33, S2F35, S2F37): applies a definition of the wanted reports. */
export const reportHandlers: Handlers<typeof reportEndpoints> = {
  async getReports({ params: { id } }, { equipment, reports, naming }) {
    const { communication_state, tap } = await equipment.get(id)
    const record = await reports.get(id)
    const ofHost = tap ? { of_host: knownReports(naming.of(id)) } : {}
    if (!record) return { ...NOTHING_APPLIED, ...reports.stateWithout(id), ...ofHost }
    const { definition, applied_at, applied_by, changed } = record
    const reportsState = reports.reportsState(record)
    // After a reconnect the equipment may not have its reports any more.
    const isStale = reportsState.state === 'present' && communication_state !== 'COMMUNICATING'
    return {
      definition,
      applied_at,
      applied_by,
      ...reportsState,
      ...(isStale && { state: 'unknown' }),
      changed_elsewhere: changed ?? null,
      ...ofHost,
    }
  },

  observeReports: ({ params: { id }, body, caller }, gateway) => observeReports(id, body, caller, gateway),

  async applyReports({ params: { id }, query, send: options, body: definition, caller }, gateway) {
    const { dry_run: dryRun = false, again = false } = query
    const { asking, naming, reports } = gateway
    const equipment = { id, name: asking.nameOf(id) }
    return reports.inTurn(id, async () => {
      const resolved = await learnToResolve(definition, naming, equipment, options)
      const record = { id, definition, setup: resolved.setup, applied_by: caller.email }
      return fulfil({ id, ...resolved, record, dryRun, again, options }, gateway)
    })
  },

  async clearReports({ params: { id }, query, send: options }, gateway) {
    const { dry_run: dryRun = false } = query
    const { asking, reports } = gateway
    asking.nameOf(id)
    return reports.inTurn(id, async () => {
      const before = await reports.get(id)
      const setup: ReportSetup = { ...NO_REPORTS, others: before?.setup.others ?? 'delete' }
      const wanted = { id, setup, warnings: [], record: undefined, dryRun, again: false, options }
      return fulfil(wanted, gateway)
    })
  },
}

async function fulfil(
  { id, setup, warnings, record, dryRun, again, options }: Wanted,
  { naming, reports, reportChanges }: World,
): Promise<ReportsResult> {
  const before = await reports.get(id)
  const known = naming.of(id)
  const shared = {
    difference: differenceOf(setup, before?.setup, {
      variable: (vid) => known.named(vid)?.name || undefined,
      event: (ceid) => known.events.get(ceid)?.name || undefined,
    }),
    warnings: [...warnings],
  }
  const isThere =
    !again &&
    record !== undefined &&
    before !== undefined &&
    isDeepStrictEqual(before.setup, setup) &&
    reports.isSurelyThere(before) &&
    hasEvents(known, setup)
  if (isThere) {
    // The same setup with another definition, such as a name for a number: the new definition is stored.
    if (!dryRun && !isDeepStrictEqual(before.definition, record.definition))
      await reports.accepted({ ...before, ...record }, 'applied')
    return { applied: !dryRun, dry_run: dryRun, ...shared, steps: [], rolled_back: null, detail: null }
  }
  const plan = reportChanges.plan(id, setup, before?.setup)
  if (dryRun) {
    const steps = plan.map(unsent)
    return { applied: false, dry_run: true, ...shared, steps, rolled_back: null, detail: null }
  }
  const { state, last_error } = before ? reports.reportsState(before) : NOTHING_APPLIED
  const lacks = state === 'missing' ? (last_error?.detail ?? 'a check has shown it') : undefined
  if (before) await reports.begin(before)
  const changed = await reportChanges.change(id, plan, setup, { setup: before?.setup, lacks }, options)
  if (changed.failed) await noteFailure(id, changed, { before, isWanted: record !== undefined }, reports)
  else if (record) await reports.accepted(record, 'applied')
  else await reports.cleared(id)
  const { steps, rolledBack: rolled_back, detail, failed } = changed
  if (failed?.problem) throw new Problem(failed.problem.code, detail ?? failed.detail, failed.problem.extra)
  return { applied: !failed, dry_run: false, ...shared, steps: [...steps], rolled_back, detail }
}

async function noteFailure(
  id: string,
  { failed, rolledBack, detail }: ReportsChanged,
  { before, isWanted }: { readonly before: ReportsRecord | undefined; readonly isWanted: boolean },
  reports: KeptReports,
): Promise<void> {
  if (before && rolledBack !== false) await reports.restore(before)
  if (!failed?.changed) return
  const isBack = before !== undefined && rolledBack === true
  const [state, cause] = isBack ? (['present', 'rolled_back'] as const) : (['missing', 'failed'] as const)
  await reports.found(id, state, cause, detail ?? failed.detail, isWanted && rolledBack !== true)
}

const NOTHING_APPLIED: AppliedReports = {
  definition: null,
  applied_at: null,
  applied_by: null,
  state: 'none',
  checked_at: null,
  last_error: null,
  changed_elsewhere: null,
}
