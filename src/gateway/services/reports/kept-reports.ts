import type { AppliedReports, ReportState } from '../../../contract/reports.js'
import type { Clock } from '../../../kit/clock.js'
import { Mutex } from '../../../kit/mutex.js'
import type { Collection } from '../../../store/collection.js'
import type { Journal } from '../../../store/journal.js'
import { isSameSoftware } from '../../knowledge/known-equipment.js'
import { REPORTS } from '../../records/journal-kinds.js'
import type { Knowledge } from '../naming.js'
import type { ReportSetup } from './report-setup.js'
import type { Shown } from './reports-check.js'
import type { ReportsRecord } from './reports-record.js'

/** Whether an equipment has the reports that were applied to it, as far as known. */
export type Standing = Pick<AppliedReports, 'state' | 'checked_at' | 'last_error'>

/** Why a standing is what it is, for the record of events. */
export type Cause = 'applied' | 'applied_again' | 'cleared' | 'went_back' | 'failed'

/** What an event says. */
type Told = {
  readonly from: ReportState
  readonly to: ReportState
  readonly cause: Cause
  readonly error?: string
}

/** What is kept of reports is noted beside what the caller says. */
type AcceptedReports = Omit<ReportsRecord, 'applied_at' | 'unfinished' | 'model'>

const UNKNOWN: Standing = { state: 'unknown', checked_at: null, last_error: null }

export interface KeptReportsWorld {
  readonly collection: Collection<ReportsRecord>
  readonly knowledge: Knowledge
  readonly journal: Journal
  readonly clock: Clock
}

/** The reports that were applied to each equipment: on disk what they are, in memory whether they are there. */
export class KeptReports {
  readonly #standings = new Map<string, Standing>()
  readonly #turns = new Map<string, Mutex>()

  constructor(private readonly world: KeptReportsWorld) {}

  /** No more than one change or check of an equipment at a time. */
  inTurn<T>(equipmentId: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(equipmentId) ?? new Mutex()
    this.#turns.set(equipmentId, turn)
    return turn.run(work)
  }

  get(equipmentId: string): Promise<ReportsRecord | undefined> {
    return this.world.collection.get(equipmentId)
  }

  /** What is under way, and did not end, has to be applied again. */
  async begin(record: ReportsRecord): Promise<void> {
    if (!record.unfinished) await this.world.collection.put({ ...record, unfinished: true })
  }

  /** The record as it was before something began that changed nothing, or that was taken back. */
  async restore(record: ReportsRecord): Promise<void> {
    await this.world.collection.put(record)
  }

  /** What its answers show was found out. */
  async shows(record: ReportsRecord, shown: Shown): Promise<void> {
    await this.world.collection.put({ ...record, shown })
  }

  /** The equipment has accepted it. */
  async accepted(record: AcceptedReports, cause: Cause): Promise<void> {
    const from = await this.#stateOf(record.id)
    const { model } = this.world.knowledge.of(record.id)
    await this.world.collection.put({ ...record, model, applied_at: this.#now(), unfinished: false })
    this.seen(record.id, 'present')
    await this.#tell(record.id, { from, to: 'present', cause })
  }

  /** The equipment has accepted that there are none. */
  async cleared(equipmentId: string): Promise<void> {
    const from = await this.#stateOf(equipmentId)
    await this.world.collection.delete(equipmentId)
    this.#standings.delete(equipmentId)
    await this.#tell(equipmentId, { from, to: 'none', cause: 'cleared' })
  }

  /** Whether the equipment has other software than when they were applied. */
  isForOther(record: ReportsRecord): boolean {
    const { model } = this.world.knowledge.of(record.id)
    if (record.model === undefined) return !this.#agrees(record)
    return record.model !== null && model !== null && !isSameSoftware(record.model, model)
  }

  /** Whether messages that passed tell that a report holds something else. */
  isContradicted({ id, setup }: ReportsRecord): boolean {
    const { reports } = this.world.knowledge.of(id)
    return setup.reports.some(({ id, variables }) => reports.has(id) && !sameIds(reports.get(id), variables))
  }

  standing(kept: ReportsRecord): Standing {
    const known = this.#standings.get(kept.id) ?? UNKNOWN
    // Somebody may have changed them by messages of his own.
    return known.state === 'present' && !this.#agrees(kept) ? { ...known, state: 'unknown' } : known
  }

  /** A message said so. */
  async found(
    equipmentId: string,
    state: Exclude<ReportState, 'none' | 'unknown'>,
    cause: Cause,
    error?: string,
  ): Promise<void> {
    const from = await this.#stateOf(equipmentId)
    this.seen(equipmentId, state, error)
    await this.#tell(equipmentId, { from, to: state, cause, ...(error !== undefined && { error }) })
  }

  /** The same where nothing was changed: no event tells of it. */
  seen(equipmentId: string, state: Exclude<ReportState, 'none' | 'unknown'>, error?: string): void {
    const at = this.#now()
    const last_error = error === undefined ? null : { detail: error, at }
    this.#standings.set(equipmentId, { state, checked_at: at, last_error })
  }

  /** Nobody knows: the connection began anew, or what was asked got no answer. */
  doubt(equipmentId: string, error?: string): void {
    const last_error = error === undefined ? null : { detail: error, at: this.#now() }
    this.#standings.set(equipmentId, { ...UNKNOWN, last_error })
  }

  /** Forgets an equipment that was deleted, after the change that may be under way: it would put its record back. */
  async forget(equipmentId: string): Promise<void> {
    await this.inTurn(equipmentId, async () => {
      this.#standings.delete(equipmentId)
      this.#turns.delete(equipmentId)
      await this.world.collection.delete(equipmentId)
    })
  }

  /** Whether messages that passed tell that every report holds what it should. */
  #agrees({ id, setup }: ReportsRecord): boolean {
    const { reports } = this.world.knowledge.of(id)
    return setup.reports.every((report) => sameIds(reports.get(report.id), report.variables))
  }

  async #stateOf(equipmentId: string): Promise<ReportState> {
    const record = await this.get(equipmentId)
    return record ? this.standing(record).state : 'none'
  }

  async #tell(equipmentId: string, data: Told): Promise<void> {
    await this.world.journal.append({ ...REPORTS, key: equipmentId, at: this.#now(), data })
  }

  #now(): string {
    return this.world.clock.date().toISOString()
  }
}

/** A definition may have zeros before a number; a message has none. */
const plainId = (id: string): string => id.replace(/^0+(?=[0-9]+$)/, '')

const sameIds = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one?.length === other.length && other.every((id, at) => plainId(id) === plainId(one[at] ?? ''))

/** A setup of which some reports are there. */
export const having = (setup: ReportSetup, present: readonly string[]): ReportSetup => ({
  ...setup,
  reports: setup.reports.filter(({ id }) => present.includes(id)),
})
