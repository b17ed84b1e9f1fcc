import { Problem } from '../../../contract/errors.js'
import type { EventReport } from '../../../gem/host/peer-names.js'
import type { Signal } from '../../../kit/signal.js'
import type { EquipmentRegistry } from '../../equipment/registry.js'
import type { ReportedEvent } from '../../link/session.js'
import { throwBug } from '../../store-problem.js'
import { type Asking, BY_ITSELF } from '../asking.js'
import type { Naming } from '../naming.js'
import { having, type KeptReports } from './kept-reports.js'
import type { ReportChanges } from './report-changes.js'
import { contradicts } from './report-evidence.js'
import type { ReportSetup } from './report-setup.js'
import { findReports, isTimeout, type ReportsFound, type Shown, shownBy } from './reports-check.js'
import type { ReportsRecord } from './reports-record.js'
import { learnToResolve } from './resolve-reports.js'

const SHOWS_NOTHING =
  'Whether the reports are there is not known: S6F15 and S6F19 did not show them when they had just been applied again.'

const SAYS_NOTHING =
  'Whether the reports are there is not known: the last S6F15 and S6F19 got no reply in time.'

/** Applies reports again to equipment that reconnects without them. */
export class ReportsMaintenance {
  /** Equipment that replied to neither question in time, with the `applied_at` of the reports in question. */
  readonly #silent = new Map<string, string>()
  /** Equipment of which it is not known whether it has its reports: an event report may show that it does not. */
  readonly #doubted = new Map<string, ReportSetup>()

  constructor(
    private readonly kept: KeptReports,
    private readonly changes: ReportChanges,
    private readonly asking: Asking,
    private readonly naming: Naming,
  ) {}

  /** Watches for equipment that communicates again or is deleted, and for event reports. */
  watch(
    { started, removed }: Pick<EquipmentRegistry, 'started' | 'removed'>,
    reported: Signal<ReportedEvent>,
  ): void {
    started.on(({ equipmentId, waitFor }) => waitFor(this.returned(equipmentId).catch(throwBug)))
    reported.on(({ equipmentId, report }) => void this.#reported(equipmentId, report).catch(throwBug))
    removed.on((equipmentId) => {
      this.#doubted.delete(equipmentId)
      this.#silent.delete(equipmentId)
      void this.kept.forget(equipmentId).catch(throwBug)
    })
  }

  /**
   * Call when the equipment communicates again, after the host's startup questions. Does not reject for what the
   * equipment does: a failure is kept as the last error, and tried again at the next connection.
   */
  async returned(equipmentId: string): Promise<void> {
    this.#doubted.delete(equipmentId)
    await this.kept.inTurn(equipmentId, async () => {
      const kept = await this.kept.get(equipmentId)
      if (!kept) return
      this.kept.doubt(equipmentId)
      await this.#check(kept)
      if (this.kept.reportsState(kept).state === 'unknown') this.#doubted.set(equipmentId, kept.setup)
    })
  }

  /**
   * An event report that contradicts the reports of equipment that could not say whether it has them shows that it does
   * not.
   */
  async #reported(equipmentId: string, report: EventReport): Promise<void> {
    const setup = this.#doubted.get(equipmentId)
    if (!setup || !contradicts(report, setup)) return
    this.#doubted.delete(equipmentId)
    await this.kept.inTurn(equipmentId, async () => {
      const record = await this.kept.get(equipmentId)
      // Applied by a caller meanwhile.
      if (!record || this.kept.reportsState(record).state !== 'unknown') return
      if (record.definition.apply_again !== 'never') return this.#apply(record, record.setup)
      const why = `its S6F11 of event ${String(report.CEID)} does not have the reports that were applied`
      this.kept.seen(equipmentId, 'missing', `The reports are not there: ${why}.`)
    })
  }

  async #check(kept: ReportsRecord): Promise<void> {
    const { id: equipmentId } = kept
    const { apply_again: when = 'when_missing' } = kept.definition
    if (when === 'never') return
    const isForOther = this.kept.isForOther(kept)
    const record = isForOther ? await this.#resolved(kept) : kept
    if (!record) return
    if (when === 'always' || record.unfinished) return this.#apply(record, record.setup)
    const found = await this.#found(record)
    if (found && found.shown !== (record.shown ?? 'links')) await this.kept.shows(kept, found.shown)
    const mayBeThere = !isForOther && !this.kept.isContradicted(record)
    if (mayBeThere && (!found || found.asSet)) return found && this.kept.seen(equipmentId, 'present')
    await this.#apply(record, found ? having(record.setup, found.reports) : record.setup, () =>
      this.#shown(record),
    )
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

  /** Undefined where the equipment does not reply, or where there is nothing to ask for. */
  async #found({ id, setup, applied_at, shown = 'links' }: ReportsRecord): Promise<ReportsFound | undefined> {
    if (setup.reports.length === 0) return undefined
    if (shown === 'nothing') {
      this.kept.doubt(id, SHOWS_NOTHING)
      return undefined
    }
    if (this.#silent.get(id) === applied_at) {
      this.kept.doubt(id, SAYS_NOTHING)
      return undefined
    }
    try {
      return await findReports(this.asking, id, setup, shown)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isTimeout(error)) this.#silent.set(id, applied_at)
      this.kept.doubt(id, `Whether the reports are there is not known. ${error.message}`)
      return undefined
    }
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
  async #shown({ id, setup, shown }: ReportsRecord): Promise<Shown | undefined> {
    try {
      return setup.reports.length === 0 ? shown : await shownBy(this.asking, id, setup)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
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
