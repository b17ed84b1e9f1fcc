export interface Report {
  /** RPTID. */
  readonly id: string
  /** The variables in it, by id, in this order. */
  readonly variables: readonly string[]
}

export interface CollectionEvent {
  /** CEID. */
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  /** Reports linked to it from the beginning, by id, in this order. */
  readonly reports: readonly string[]
}

export interface AlarmModel {
  /** ALID. */
  readonly id: string
  /** ALTX, up to 120 characters. */
  readonly text: string
  /** The low seven bits of ALCD, 0 to 127. */
  readonly category: number
  readonly enabled: boolean
  /** The collection events for set and cleared, by id. */
  readonly setEvent?: string
  readonly clearedEvent?: string
}

/** What an equipment does that GEM wants to be a collection event (SEMI E30). */
export type Occasion =
  | 'spooling_activated'
  | 'spooling_deactivated'
  | 'spool_transmit_failure'
  | 'program_changed' // by the operator
  | 'constant_changed' // by the operator
  | 'operator_command'
  | 'message_recognized' // the operator has read what the host sent to a terminal

/** Their collection events, by id. */
export type OccasionEvents = { readonly [Which in Occasion]?: string }
