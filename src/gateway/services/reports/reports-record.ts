import type { WantedReports } from '../../../contract/topics/reports.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { ReportSetup } from './report-setup.js'
import type { Shown } from './reports-check.js'

/** Questions about what equipment has whose replies may show less than GEM says. */
export const READ_BACK = ['S6F21', 'EventsEnabled'] as const
export type ReadBackQuestion = (typeof READ_BACK)[number]

/** The record on disk of the reports that were last applied to an equipment. */
export interface ReportsRecord {
  /** The equipment's id. */
  readonly id: string
  /** As the caller gave it, with names. */
  readonly definition: WantedReports
  /** The same with every name resolved, as it was then. */
  readonly setup: ReportSetup
  readonly applied_at: string
  /** Email of the user. */
  readonly applied_by: string
  /** The equipment's MDLN and SOFTREV; left out by an earlier version. */
  readonly model?: EquipmentKnowledge['model']
  /** Left out where replies show reports and links, as GEM requires. */
  readonly shown?: Shown
  /** What another host had changed, when that was last found out. */
  readonly changed?: { readonly detail: string; readonly at: string }
  /** Questions whose replies do not show what the equipment has accepted. */
  readonly unshown?: readonly ReadBackQuestion[]
  /**
   * A change has begun and has not ended: the equipment's reports are not known, and the definition has to be applied
   * again, independent of its replies.
   */
  readonly unfinished: boolean
}
