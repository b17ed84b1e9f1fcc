import type { TypedValue } from '../../typed-value.js'

/**
 * Where a variable's value comes from when the equipment itself keeps it. Of what belongs to an event it is the
 * last one's:
 * `alarm_*` of the alarm that changed, `limit_*` and `transition_type` of the limit that was crossed,
 * `program_*` of the process program that changed, `constant_*` of the constant that the operator set,
 * `operator_command` of the command that the operator gave.
 */
export type VariableSource =
  | 'clock' // TIME as `time_format` says
  | 'control_state' // 1 to 5
  | 'previous_control_state'
  | 'alarms_set' // lists of ids
  | 'alarms_enabled'
  | 'events_enabled'
  | 'alarm_id'
  | 'alarm_code' // ALCD
  | 'alarm_text'
  | 'spool_state' // 1 inactive, 2 active
  | 'spool_load_state' // 1 not full, 2 full
  | 'spool_unload_state' // 1 no output, 2 purge, 3 transmit
  | 'spool_count_actual' // messages in the spool
  | 'spool_count_total' // messages that were to be spooled since spooling began, also those dropped
  | 'spool_start_time' // TIME; empty before
  | 'spool_full_time'
  | 'limit_variable' // VID
  | 'limit_id' // LIMITID (E30's EventLimit)
  | 'transition_type' // 0 upwards, 1 downwards
  | 'program_id' // PPID
  | 'program_change' // 1 created, 2 edited, 3 deleted
  | 'programs_stored' // list of PPIDs
  | 'constant_id'
  | 'constant_value'
  | 'operator_command'

/** What a host may have watched of a variable (S2F45). */
export interface LimitModel {
  /** LIMITMIN and LIMITMAX: where dead bands have to lie. */
  readonly minimum: number
  readonly maximum: number
  /** The collection event of a crossing, by id; left out, a crossing has no event. */
  readonly event?: string
  /** Limits that are defined from the beginning. */
  readonly limits?: readonly Limit[]
}

export interface Limit {
  /** LIMITID, 1 to 7. */
  readonly id: number
  /** From `upper` on the value is above, from `lower` down it is below; `upper` is not less than `lower`. */
  readonly upper: number
  readonly lower: number
}

export interface Variable {
  /** SVID or DVID: decimal digits are sent as a number, anything else as text. */
  readonly id: string
  readonly name: string
  /** Units as E5 writes them; empty for none. */
  readonly unit: string
  /** Status variables always have a meaning, data variables only within a report (SEMI E30). */
  readonly kind: 'status' | 'data'
  readonly value: TypedValue
  readonly source?: VariableSource
  /** Left out: it cannot have limits. */
  readonly limits?: LimitModel
}

/** What of the equipment follows a constant's value. */
export type ConstantUse =
  | 'establish_timeout' // seconds from a failed S1F13 to the next
  | 'time_format' // 0: 12 characters, 1: 16, 2: ISO 8601
  | 'spooling_enabled' // a truth, or 0 and 1
  | 'spool_overwrite' // a truth, or 0 and 1: OverWriteSpool
  | 'max_spool_transmit'
  | 'limits_period' // milliseconds from one look at the variables with limits to the next

export interface EquipmentConstant {
  /** ECID. */
  readonly id: string
  readonly name: string
  readonly unit: string
  /** The value it starts with. It keeps its format: what a host sends has to read as one of it. */
  readonly value: TypedValue
  /** Bounds, both allowed; only numbers have them. */
  readonly minimum?: number
  readonly maximum?: number
  readonly use?: ConstantUse
}
