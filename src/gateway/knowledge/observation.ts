import type { Namelist } from './equipment-knowledge.js'

/** Ids, each with the ids that belong to it. */
export type Rows = readonly (readonly [string, readonly string[]])[]

/** Definitions that somebody has given by hand. */
export interface GivenReports {
  /** VIDs by RPTID. */
  readonly reports: Rows
  /** RPTIDs by CEID, and whether the event is reported. */
  readonly events: readonly (readonly [ceid: string, reports: readonly string[], isEnabled: boolean])[]
}

/** What a primary of ours adds to the knowledge once its reply has come. */
export type Observation =
  /** Every name of one kind was asked for; `byList`: alarms by an empty list. */
  | { readonly kind: 'list'; readonly list: Namelist; readonly byList?: true }
  /** S6F21: asked for the variables of a report. */
  | { readonly kind: 'report'; readonly report: string }
  /** Another question of the host: shows whether the equipment supports the message. */
  | { readonly kind: 'question'; readonly message: string }
  /** S2F33: VIDs by RPTID; none at all deletes every report. */
  | { readonly kind: 'define'; readonly reports: Rows }
  /** S2F35: RPTIDs by CEID. */
  | { readonly kind: 'link'; readonly events: Rows }
  /** S2F37: no event means every one. */
  | { readonly kind: 'enable'; readonly enabled: boolean; readonly events: readonly string[] }
