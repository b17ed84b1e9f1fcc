import type { AppliedReports, ReportState } from '../../../contract/topics/reports.js'
import type { Clock } from '../../../kit/clock.js'
import { Signal } from '../../../kit/signal.js'
import type { JsonObject } from '../../../kit/text/json.js'
import type { Collection } from '../../../store/collection.js'
import type { Journal } from '../../../store/journal.js'
import type { Ownership } from '../../../store/ownership.js'
import type { Decisions } from '../../decisions.js'
import { REPORTS_MEMBER } from '../../equipment/state-publisher.js'
import { isSameSoftware } from '../../knowledge/known-equipment.js'
import type { GivenReports } from '../../knowledge/observation.js'
import { TOLD_PATIENCE_MS } from '../../owed-entries.js'
import { REPORTS, REPORTS_OBSERVED } from '../../records/journal-kinds.js'
import type { Knowledge } from '../naming.js'
import type { ReportSetup } from './report-setup.js'
import type { Shown } from './reports-check.js'
import type { ReadBackQuestion, ReportsRecord } from './reports-record.js'

/** The known state of an equipment's applied reports: whether it still has them. */
export type ReportsState = Pick<AppliedReports, 'state' | 'checked_at' | 'last_error'>

interface KnownState extends ReportsState {
  /** The first reports for the equipment could not be applied: there is no record of them. */
  readonly neverApplied?: true
}

/** The cause of a change of state, for its event. */
export type Cause = 'applied' | 'applied_again' | 'cleared' | 'rolled_back' | 'failed' | 'changed_elsewhere'

/** What another host has changed. */
export interface ChangeElsewhere {
  /** For people. */
  readonly error: string
  /** RPTIDs of reports with other variables. */
  readonly reports: readonly string[]
  /** CEIDs of events that were disabled or enabled. */
  readonly events: readonly string[]
  /** The entry since which values of the reports may have been delivered under wrong names. */
  readonly since_message?: string
}

/** The data of an event about reports. */
type StateChange = {
  readonly from: ReportState
  readonly to: ReportState
  readonly cause: Cause
  readonly error?: string
} & Partial<ChangeElsewhere>

/** A record without the fields that this class sets itself. */
type AcceptedReports = Omit<ReportsRecord, 'applied_at' | 'unfinished' | 'model'>

const UNKNOWN: ReportsState = { state: 'unknown', checked_at: null, last_error: null }

export interface KeptReportsWorld {
  readonly collection: Collection<ReportsRecord>
  readonly knowledge: Knowledge
  readonly journal: Journal
  readonly clock: Clock
  readonly decisions: Decisions
  readonly ownership: Pick<Ownership, 'owns' | 'ownerOf' | 'published'>
  /** By equipment; the process that owns the equipment publishes it. */
  readonly reportsStates: Map<string, KnownState>
}

/** The reports that were applied to each equipment: their definitions on disk, their state in memory. */
export class KeptReports {
  /** The equipment does not have what was applied to it, and applying it has failed. */
  readonly failed = new Signal<string>()

  constructor(private readonly world: KeptReportsWorld) {}

  /** Runs one change or check per equipment at a time. */
  inTurn<T>(equipmentId: string, work: () => Promise<T>): Promise<T> {
    return this.world.decisions.decide([`reports ${equipmentId}`], work)
  }

  get(equipmentId: string): Promise<ReportsRecord | undefined> {
    return this.world.collection.get(equipmentId)
  }

  /** Marks the record before a change: if the change does not end, the reports have to be applied again. */
  async begin(record: ReportsRecord): Promise<void> {
    if (!record.unfinished) await this.world.collection.put({ ...record, unfinished: true })
  }

  /** Restores the record after a change that had no effect, or that was reverted. */
  async restore(record: ReportsRecord): Promise<void> {
    await this.world.collection.put(record)
  }

  /** Records what the equipment's replies show of its reports. */
  async shows(record: ReportsRecord, shown: Shown): Promise<void> {
    await this.world.collection.put({ ...record, shown })
  }

  /** Records that the equipment has accepted the reports. */
  async accepted(record: AcceptedReports, cause: Cause): Promise<void> {
    const from = await this.#stateOf(record.id)
    const { model } = this.world.knowledge.of(record.id)
    await this.world.collection.put({ ...record, model, applied_at: this.#now(), unfinished: false })
    this.seen(record.id, 'present')
    await this.#record(record.id, { from, to: 'present', cause })
  }

  /** Records what another host has changed; `isMissing`: the equipment does not have what was applied. */
  async changedElsewhere(equipmentId: string, isMissing: boolean, change: ChangeElsewhere): Promise<void> {
    const { collection } = this.world
    const from = await this.#stateOf(equipmentId)
    const record = await this.get(equipmentId)
    if (record) await collection.put({ ...record, changed: { detail: change.error, at: this.#now() } })
    await this.#record(equipmentId, {
      from,
      to: isMissing ? 'missing' : from,
      cause: 'changed_elsewhere',
      ...change,
    })
    if (isMissing) this.seen(equipmentId, 'missing', change.error)
  }

  /** Records which questions do not show what the equipment has accepted. */
  async unshown(record: ReportsRecord, questions: readonly ReadBackQuestion[]): Promise<void> {
    const unshown = [...new Set([...(record.unshown ?? []), ...questions])]
    await this.world.collection.put({ ...record, unshown })
  }

  /** When an entry was recorded; null where it is not kept any more. */
  async timeOf(seq: number): Promise<string | null> {
    return (await this.world.journal.get(seq))?.at ?? null
  }

  /** Records what somebody says by hand that the host of the equipment has defined. */
  async observed(equipmentId: string, given: GivenReports, by: string): Promise<void> {
    const data = { ...given, by } as unknown as JsonObject
    await this.world.journal.append({ ...REPORTS_OBSERVED, key: equipmentId, at: this.#now(), data })
  }

  /** Records that the equipment has accepted the deletion of all reports. */
  async cleared(equipmentId: string): Promise<void> {
    const from = await this.#stateOf(equipmentId)
    await this.world.collection.delete(equipmentId)
    this.world.reportsStates.delete(equipmentId)
    await this.#record(equipmentId, { from, to: 'none', cause: 'cleared' })
  }

  /** Whether the equipment has other software than when the reports were applied. */
  isForOther(record: ReportsRecord): boolean {
    const { model } = this.world.knowledge.of(record.id)
    if (record.model === undefined) return !this.#agrees(record)
    return record.model !== null && model !== null && !isSameSoftware(record.model, model)
  }

  /** Whether recorded messages show that the equipment has the reports of the record: then none has to be sent. */
  isSurelyThere(record: ReportsRecord): boolean {
    return !record.unfinished && !this.isForOther(record) && this.reportsState(record).state === 'present'
  }

  /** Whether recorded messages show that a report has other variables. */
  isContradicted({ id, setup }: ReportsRecord): boolean {
    const { reports } = this.world.knowledge.of(id)
    return setup.reports.some(({ id, variables }) => reports.has(id) && !sameIds(reports.get(id), variables))
  }

  reportsState(kept: ReportsRecord): ReportsState {
    const known = this.#known(kept.id) ?? UNKNOWN
    // Another client may have changed them by its own messages.
    return known.state === 'present' && !this.#agrees(kept) ? { ...known, state: 'unknown' } : known
  }

  /** Of equipment to which nothing was applied; undefined unless that has failed. */
  stateWithout(equipmentId: string): ReportsState | undefined {
    const known = this.#known(equipmentId)
    if (!known?.neverApplied) return undefined
    const { state, checked_at, last_error } = known
    return { state, checked_at, last_error }
  }

  /** Of equipment that another process owns, what that process has published. */
  #known(id: string): KnownState | undefined {
    const { ownership, reportsStates } = this.world
    if (ownership.owns(id)) return reportsStates.get(id)
    return ownership.ownerOf(id) && (ownership.published(id)?.[REPORTS_MEMBER] as KnownState | undefined)
  }

  /** Sets the state and records an event about it. `isWanted`: the equipment is to have reports, though none were applied. */
  async found(
    equipmentId: string,
    state: Exclude<ReportState, 'none' | 'unknown'>,
    cause: Cause,
    error?: string,
    isWanted = false,
  ): Promise<void> {
    const from = await this.#stateOf(equipmentId)
    const isKept = (await this.get(equipmentId)) !== undefined
    if (isKept) this.seen(equipmentId, state, error)
    else if (isWanted) this.#see(equipmentId, state, error, { neverApplied: true })
    await this.#record(equipmentId, { from, to: state, cause, ...(error !== undefined && { error }) })
    if (isKept && cause === 'failed') this.failed.emit(equipmentId)
  }

  /** Sets the state without an event, since nothing was changed. */
  seen(equipmentId: string, state: Exclude<ReportState, 'none' | 'unknown'>, error?: string): void {
    this.#see(equipmentId, state, error)
  }

  #see(
    equipmentId: string,
    state: ReportState,
    error: string | undefined,
    more: Pick<KnownState, 'neverApplied'> = {},
  ): void {
    const at = this.#now()
    const last_error = error === undefined ? null : { detail: error, at }
    this.world.reportsStates.set(equipmentId, { state, checked_at: at, last_error, ...more })
  }

  /** Sets the state to unknown: communication was established again, or a question got no reply. */
  doubt(equipmentId: string, error?: string): void {
    const last_error = error === undefined ? null : { detail: error, at: this.#now() }
    this.world.reportsStates.set(equipmentId, { ...UNKNOWN, last_error })
  }

  /** Removes the record of deleted equipment, after a running change, which would write the record again. */
  async forget(equipmentId: string): Promise<void> {
    await this.inTurn(equipmentId, async () => {
      this.world.reportsStates.delete(equipmentId)
      await this.world.collection.delete(equipmentId)
    })
  }

  /** Whether recorded messages show that every report has the variables of the setup. */
  #agrees({ id, setup }: ReportsRecord): boolean {
    const { reports } = this.world.knowledge.of(id)
    return setup.reports.every((report) => sameIds(reports.get(report.id), report.variables))
  }

  async #stateOf(equipmentId: string): Promise<ReportState> {
    const record = await this.get(equipmentId)
    return record ? this.reportsState(record).state : (this.stateWithout(equipmentId)?.state ?? 'none')
  }

  async #record(equipmentId: string, data: StateChange): Promise<void> {
    // Of what the gateway does by itself, nobody waits for the entry.
    const isOwn = data.cause === 'applied_again' || data.cause === 'changed_elsewhere'
    const patience = isOwn ? TOLD_PATIENCE_MS : undefined
    await this.world.journal.append({ ...REPORTS, key: equipmentId, at: this.#now(), data, patience })
  }

  #now(): string {
    return this.world.clock.date().toISOString()
  }
}

/** Without leading zeros: a definition may have them, a message does not. */
export const plainId = (id: string): string => (/^[0-9]+$/.test(id) ? id.replace(/^0+(?=[0-9])/, '') : id)

export const sameIds = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one?.length === other.length && other.every((id, at) => plainId(id) === plainId(one[at] ?? ''))

/** The part of a setup with only the reports in `present`. */
export const having = (setup: ReportSetup, present: readonly string[]): ReportSetup => ({
  ...setup,
  reports: setup.reports.filter(({ id }) => present.includes(id)),
})
