import type { WantedReports } from '../../../contract/reports.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { ReportSetup } from './report-setup.js'
import type { Shown } from './reports-check.js'

/** What the gateway keeps on disk of the reports that it last applied to an equipment. */
export interface ReportsRecord {
  /** The equipment's. */
  readonly id: string
  /** As the caller gave it, names and all. */
  readonly definition: WantedReports
  /** The same with every name resolved, as it was then. */
  readonly setup: ReportSetup
  readonly applied_at: string
  /** Email of the user. */
  readonly applied_by: string
  /** What the equipment said it was; left out by an earlier version. */
  readonly model?: EquipmentKnowledge['model']
  /** Left out for what GEM wants: its answers show reports and links. */
  readonly shown?: Shown
  /**
   * A change has begun and has not ended: what the equipment has is not known, and the definition has to be
   * applied again whatever it says of its reports.
   */
  readonly unfinished: boolean
}
