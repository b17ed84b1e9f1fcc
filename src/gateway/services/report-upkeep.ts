import { Problem } from '../../contract/errors.js'
import type { Asking } from './asking.js'
import { givenId } from './given-id.js'
import { having, type KeptReports } from './kept-reports.js'
import type { ReportChanges } from './report-changes.js'
import type { ReportSetup } from './report-setup.js'
import type { ReportsRecord } from './reports-record.js'

/** Applies reports again to equipment that comes back without them. */
export class ReportUpkeep {
  constructor(
    private readonly kept: KeptReports,
    private readonly changes: ReportChanges,
    private readonly asking: Asking,
  ) {}

  /**
   * The equipment communicates again, and the host has asked what it asks. Never rejects for what the equipment
   * does: what could not be done is kept as the last error, and tried again with the next connection.
   */
  async returned(equipmentId: string): Promise<void> {
    await this.kept.inTurn(equipmentId, async () => {
      const record = await this.kept.get(equipmentId)
      if (!record) return
      this.kept.doubt(equipmentId)
      const { apply_again: when = 'when_missing' } = record.definition
      if (when === 'never') return
      if (when === 'always' || record.unfinished) return this.#apply(record, record.setup)
      const present = await this.#present(record)
      if (present === undefined) return
      if (present.length === record.setup.reports.length) return this.kept.seen(equipmentId, 'present')
      await this.#apply(record, having(record.setup, present))
    })
  }

  /**
   * The reports that have as many values as variables; an equipment answers S6F19 for one that is not defined
   * with none (SEMI E5). Undefined where it did not answer, or where there is no report to ask for.
   */
  async #present({ id, setup }: ReportsRecord): Promise<string[] | undefined> {
    if (setup.reports.length === 0) return undefined
    const present: string[] = []
    try {
      for (const report of setup.reports) {
        const { content } = await this.asking.ask(id, 'S6F19', { RPTID: givenId(report.id) })
        if (content.V.length === report.variables.length) present.push(report.id)
      }
      return present
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.kept.doubt(id, `Whether the reports are there is not known. ${error.message}`)
      return undefined
    }
  }

  async #apply(record: ReportsRecord, present: ReportSetup): Promise<void> {
    const { id } = record
    const told = await this.#failureOf(record, present)
    if (told === undefined) return this.kept.accepted(record, 'applied_again')
    await this.kept.found(id, 'missing', 'failed', `The reports could not be applied again. ${told}`)
  }

  /** Undefined when every step was accepted. */
  async #failureOf(record: ReportsRecord, present: ReportSetup): Promise<string | undefined> {
    const { id, setup } = record
    try {
      const plan = this.changes.plan(id, setup, present)
      await this.kept.begin(record)
      return (await this.changes.carryOut(id, plan, {})).failed?.told
    } catch (error) {
      // The equipment's formats were changed since: they have no room for what was applied.
      if (error instanceof Problem && error.code === 'invalid_message') return error.message
      throw error
    }
  }
}
