import { Problem } from '../../../contract/errors.js'
import type { EventReport } from '../../../gem/host/peer-names.js'
import type { Clock } from '../../../kit/clock.js'
import { Pace } from '../../../kit/pace.js'
import { Signal } from '../../../kit/signal.js'
import type { StartedEquipment } from '../../equipment/equipment-directory.js'
import type { EquipmentRegistry } from '../../equipment/registry.js'
import type { ReportedEvent } from '../../link/session.js'
import { throwBug } from '../../store-problem.js'
import { mayPass, untilStored } from '../../until-stored.js'
import { type Asking, BY_ITSELF } from '../asking.js'
import type { Naming } from '../naming.js'
import { GrowingPauses } from './growing-pauses.js'
import { having, type KeptReports } from './kept-reports.js'
import { NotNeeded, PacedAsking } from './paced-asking.js'
import type { ReportChanges } from './report-changes.js'
import { hasLinks } from './report-evidence.js'
import type { ReportSetup } from './report-setup.js'
import {
  findReports,
  isTimeout,
  isWhole,
  type ReportsFound,
  type Shown,
  sampleOf,
  shownBy,
} from './reports-check.js'
import type { ReportsRecord } from './reports-record.js'
import { learnToResolve } from './resolve-reports.js'
import { WatchedEvents } from './watched-events.js'

const SHOWS_NOTHING =
  'Whether the reports are there is not known: S6F15 and S6F19 did not show them when they had just been applied again.'

const SAYS_NOTHING =
  'Whether the reports are there is not known: the last S6F15 and S6F19 got no reply in time.'

/** Milliseconds between two questions to all equipment together: after a restart all of it communicates at once. */
const INTERVAL_MS = 10
/** Questions that are asked at once where none was before: of a few tools the check takes no longer for the pace. */
const BURST = 20

/** A check that is under way; another one of the same equipment takes its place. */
interface Check {
  ended: Promise<void>
}

/** What the replies of equipment show of its reports, or why they show nothing. */
type Finding =
  | { readonly found: ReportsFound; readonly isSample: boolean }
  | { readonly found: undefined; readonly why: string; readonly isSilent?: boolean }

/** Whether equipment that has anything has it. */
const isNothing = ({ reports, events, others }: ReportSetup): boolean =>
  reports.length === 0 && events.length === 0 && others === 'keep'

/**
 * Applies reports again to equipment that reconnects without them. Its questions have a pace over all equipment, and
 * are asked outside the turn of `KeptReports`: who applies reports meanwhile does not wait for them.
 */
export class ReportsMaintenance {
  /** An event report differs from what a sample has shown. All is asked for after what is waited for. */
  readonly contradicted = new Signal<StartedEquipment>()
  /** Equipment that replied to neither question in time, with the `applied_at` of the reports in question. */
  readonly #silent = new Map<string, string>()
  /** Equipment of which it is not known whether it has all its reports: an event report may show that it does not. */
  readonly #watched = new Map<string, WatchedEvents>()
  /** The last check of each equipment, while it is under way. */
  readonly #checks = new Map<string, Check>()
  readonly #pace: Pace
  /** Until it is tried again to apply reports where that has failed. */
  readonly #pauses: GrowingPauses
  #isClosed = false

  constructor(
    private readonly kept: KeptReports,
    private readonly changes: ReportChanges,
    private readonly asking: Asking,
    private readonly naming: Naming,
    private readonly clock: Clock,
  ) {
    this.#pace = new Pace(clock, INTERVAL_MS, BURST)
    this.#pauses = new GrowingPauses(clock, (id) => {
      this.#tryAgain(id).catch((error: unknown) => {
        throwBug(error)
        if (mayPass(error) && !this.#isClosed) this.#pauses.repeat(id)
      })
    })
  }

  /** Watches for equipment that communicates again or is deleted, and for event reports. */
  watch(
    { started, removed }: Pick<EquipmentRegistry, 'started' | 'removed'>,
    reported: Signal<ReportedEvent>,
  ): void {
    started.on(({ equipmentId, waitFor }) => waitFor(this.returned(equipmentId).catch(throwBug)))
    reported.on(({ equipmentId, report }) => void this.#reported(equipmentId, report).catch(throwBug))
    this.kept.failed.on((equipmentId) => this.#pauses.next(equipmentId))
    removed.on((equipmentId) => {
      this.#pauses.end(equipmentId)
      this.#watched.delete(equipmentId)
      this.#silent.delete(equipmentId)
      this.#checks.delete(equipmentId)
      void this.kept.forget(equipmentId).catch(throwBug)
    })
  }

  close(): void {
    this.#isClosed = true
    this.#pace.close()
    this.#pauses.close()
  }

  /**
   * Call when the equipment communicates again, after the host's startup questions. Does not reject for what the
   * equipment does: a failure is kept as the last error, and tried again after
   * growing pauses and at the next connection.
   */
  returned(equipmentId: string): Promise<void> {
    this.#pauses.end(equipmentId)
    return this.#begin(equipmentId)
  }

  /** Resolves once no check of the equipment is under way. */
  async settled(equipmentId: string): Promise<void> {
    await this.#checks.get(equipmentId)?.ended
  }

  /** Applies reports again that are not there. To be called in the turn of the equipment. */
  async applyAgain(record: ReportsRecord): Promise<void> {
    try {
      await this.#apply(record, record.setup)
    } catch (error) {
      if (mayPass(error)) this.#pauses.next(record.id)
      throw error
    }
  }

  /** Applies reports once more after that has failed, unless somebody has put it right meanwhile. */
  #tryAgain(equipmentId: string): Promise<void> {
    return this.kept.inTurn(equipmentId, async () => {
      const kept = await this.kept.get(equipmentId)
      const isOver = !kept || kept.definition.apply_again === 'never' || this.#stateOf(kept) !== 'missing'
      const isOnline = isOver || this.#isClosed ? null : this.asking.isOnline(equipmentId)
      if (isOver || isOnline === null) return this.#pauses.end(equipmentId)
      if (!isOnline) return this.#pauses.repeat(equipmentId)
      const record = this.kept.isForOther(kept) ? await this.#resolved(kept) : kept
      if (!record) return
      await this.#apply(record, record.setup)
      if (this.#stateOf(record) !== 'missing') this.#pauses.end(equipmentId)
    })
  }

  /** `sampled`: the reports of which only a sample was checked; now it is the whole. Left out where the equipment returned. */
  #begin(equipmentId: string, sampled?: ReportsRecord): Promise<void> {
    const check: Check = { ended: Promise.resolve() }
    this.#checks.set(equipmentId, check)
    this.#watched.delete(equipmentId)
    const isNeeded = (): boolean => this.#checks.get(equipmentId) === check && !this.#isClosed
    const work = () => this.#check(equipmentId, isNeeded, sampled)
    check.ended = untilStored(this.clock, isNeeded, work).finally(() => {
      if (this.#checks.get(equipmentId) === check) this.#checks.delete(equipmentId)
    })
    return check.ended
  }

  async #check(
    equipmentId: string,
    isNeeded: () => boolean,
    sampled: ReportsRecord | undefined,
  ): Promise<void> {
    const kept = await this.kept.inTurn(equipmentId, async () => {
      const record = await this.kept.get(equipmentId)
      if (!record || (sampled && sampled.applied_at !== record.applied_at)) return undefined
      this.kept.doubt(equipmentId)
      return record
    })
    if (!kept) return
    const asking = new PacedAsking(this.asking, this.#pace, isNeeded)
    try {
      const finding = this.#isAsked(kept) ? await this.#find(kept, asking, sampled !== undefined) : undefined
      await this.kept.inTurn(equipmentId, async () => {
        const record = await this.kept.get(equipmentId)
        // A caller has applied reports meanwhile.
        const isOther = record?.applied_at !== kept.applied_at || this.#stateOf(record) !== 'unknown'
        if (!record || isOther || !isNeeded()) return
        await this.#settle(record, finding, asking)
        this.#watch(record, finding)
      })
    } catch (error) {
      if (!(error instanceof NotNeeded)) throw error
    }
  }

  #stateOf(record: ReportsRecord): string {
    return this.kept.reportsState(record).state
  }

  /** Whether the replies of the equipment decide. */
  #isAsked(record: ReportsRecord): boolean {
    const { definition, setup, unfinished } = record
    const isChecked = (definition.apply_again ?? 'when_missing') === 'when_missing'
    return isChecked && !unfinished && setup.reports.length > 0 && this.#mayBeThere(record)
  }

  #mayBeThere(record: ReportsRecord): boolean {
    return !this.kept.isForOther(record) && !this.kept.isContradicted(record)
  }

  #watch(record: ReportsRecord, finding: Finding | undefined): void {
    if (this.#stateOf(record) === 'unknown')
      this.#watched.set(record.id, new WatchedEvents(record, 'unknown'))
    else if (finding?.found?.asSet && finding.isSample)
      this.#watched.set(record.id, new WatchedEvents(record, 'sampled'))
  }

  /**
   * An event report that contradicts the reports of equipment shows that it does not have them. Where a sample showed that
   * it does, it is asked for all.
   */
  async #reported(equipmentId: string, report: EventReport): Promise<void> {
    const watched = this.#watched.get(equipmentId)
    if (!watched?.areContradictedBy(report)) return
    if (watched.doubt === 'sampled') return this.#contradicted(equipmentId, watched)
    this.#watched.delete(equipmentId)
    const work = () => this.kept.inTurn(equipmentId, () => this.#notThere(equipmentId, report))
    await untilStored(this.clock, () => !this.#isClosed, work)
  }

  async #notThere(equipmentId: string, { CEID }: EventReport): Promise<void> {
    const record = await this.kept.get(equipmentId)
    // Applied by a caller meanwhile.
    if (!record || this.#stateOf(record) !== 'unknown') return
    if (record.definition.apply_again !== 'never') return this.#apply(record, record.setup)
    const why = `its S6F11 of event ${String(CEID)} does not have the reports that were applied`
    this.kept.seen(equipmentId, 'missing', `The reports are not there: ${why}.`)
  }

  async #contradicted(equipmentId: string, watched: WatchedEvents): Promise<void> {
    const first: Promise<unknown>[] = []
    this.contradicted.emit({ equipmentId, waitFor: (work) => first.push(work) })
    await Promise.all(first)
    // Another check has begun meanwhile, or the equipment was deleted.
    if (this.#watched.get(equipmentId) === watched) await this.#begin(equipmentId, watched.record)
  }

  /** Applies the reports again unless the equipment has them, or nothing shows that it does not. */
  async #settle(kept: ReportsRecord, finding: Finding | undefined, asking: PacedAsking): Promise<void> {
    const { id, definition } = kept
    const { apply_again: when = 'when_missing' } = definition
    if (when === 'never') return
    const record = this.kept.isForOther(kept) ? await this.#resolved(kept) : kept
    if (!record) return
    if (when === 'always' || record.unfinished) return this.#apply(record, record.setup)
    if (this.#mayBeThere(kept)) {
      if (!finding) return isNothing(record.setup) ? this.kept.seen(id, 'present') : undefined
      if (!finding.found) return this.#notKnown(record, finding)
      const { shown, asSet } = finding.found
      if (shown !== (record.shown ?? 'links')) await this.kept.shows(kept, shown)
      if (asSet) return this.kept.seen(id, 'present')
    }
    await this.#apply(record, await this.#present(record, finding, asking), () => this.#shown(record, asking))
  }

  #notKnown(
    { id, applied_at }: ReportsRecord,
    { why, isSilent }: Finding & { readonly found: undefined },
  ): void {
    if (isSilent) this.#silent.set(id, applied_at)
    this.kept.doubt(id, why)
  }

  /**
   * Resolves the record's names again for the equipment's current software: with other software, earlier knowledge of
   * names and reports is dropped. Undefined where a name does not exist.
   */
  async #resolved(record: ReportsRecord): Promise<ReportsRecord | undefined> {
    const { id, definition } = record
    try {
      const equipment = { id, name: this.asking.nameOf(id) }
      const { setup } = await learnToResolve(definition, this.naming, equipment, {})
      return { ...record, setup }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await this.#failed(id, error.message)
      return undefined
    }
  }

  /**
   * Asks for a sample, or for all: where that is wanted, and where recorded messages do not show the links, such as after
   * another caller has changed them.
   */
  async #find(record: ReportsRecord, asking: PacedAsking, wantsAll: boolean): Promise<Finding> {
    const { id, setup, applied_at, shown = 'links' } = record
    if (shown === 'nothing') return { found: undefined, why: SHOWS_NOTHING }
    if (this.#silent.get(id) === applied_at) return { found: undefined, why: SAYS_NOTHING, isSilent: true }
    const sample = sampleOf(setup)
    const isSample = !wantsAll && !isWhole(setup, sample) && hasLinks(this.naming.of(id), setup)
    try {
      return { found: await findReports(asking, id, isSample ? sample : setup, shown), isSample }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const why = `Whether the reports are there is not known. ${error.message}`
      return { found: undefined, why, isSilent: isTimeout(error) }
    }
  }

  /** Its reports that have to be deleted by their RPTIDs, where others stay. */
  async #present(
    record: ReportsRecord,
    before: Finding | undefined,
    asking: PacedAsking,
  ): Promise<ReportSetup> {
    const { setup } = record
    if (setup.others === 'delete' || setup.reports.length === 0) return setup
    const isEnough = before?.found && !before.isSample
    const { found } = isEnough ? before : await this.#find(record, asking, true)
    return found ? having(setup, found.reports) : setup
  }

  async #apply(
    record: ReportsRecord,
    present: ReportSetup,
    shown = async (): Promise<Shown | undefined> => undefined,
  ): Promise<void> {
    const { id } = record
    const failure = await this.#failureOf(record, present)
    if (failure !== undefined) return this.#failed(id, failure)
    const now = await shown()
    await this.kept.accepted({ ...record, ...(now && { shown: now }) }, 'applied_again')
  }

  /** What the equipment's replies show of the accepted reports. */
  async #shown({ id, setup, shown }: ReportsRecord, asking: PacedAsking): Promise<Shown | undefined> {
    try {
      return setup.reports.length === 0 ? shown : await shownBy(asking, id, sampleOf(setup))
    } catch (error) {
      if (!(error instanceof Problem || error instanceof NotNeeded)) throw error
      return shown
    }
  }

  async #failed(equipmentId: string, why: string): Promise<void> {
    await this.kept.found(equipmentId, 'missing', 'failed', `The reports could not be applied again. ${why}`)
  }

  /** Undefined when every step was accepted. */
  async #failureOf(record: ReportsRecord, present: ReportSetup): Promise<string | undefined> {
    const { id, setup } = record
    try {
      const plan = this.changes.plan(id, setup, present)
      await this.kept.begin(record)
      return (await this.changes.carryOut(id, plan, BY_ITSELF)).failed?.detail
    } catch (error) {
      // The equipment's formats were changed since, and the applied identifiers do not fit them.
      if (error instanceof Problem && error.code === 'invalid_message') return error.message
      throw error
    }
  }
}
