import type { Format } from '../../secs2/format.js'
import type { Capability } from '../capabilities.js'
import type { ControlState } from '../control-states.js'
import type { TypedValue } from '../typed-value.js'

/**
 * The source of a variable that the equipment itself keeps. Some sources are parts of the last event of a kind:
 * `alarm_*` of the alarm that changed, `limit_*` and `transition_type` of the limit that was crossed,
 * `program_*` of the process program that changed, `constant_*` of the constant that the operator set,
 * `operator_command` of the command that the operator gave.
 */
export const VARIABLE_SOURCES = [
  'clock', // TIME as `time_format` says
  'control_state', // 1 to 5
  'previous_control_state',
  'alarms_set', // lists of ids
  'alarms_enabled',
  'events_enabled',
  'alarm_id',
  'alarm_code', // ALCD
  'alarm_text',
  'spool_state', // 1 inactive, 2 active
  'spool_load_state', // 1 not full, 2 full
  'spool_unload_state', // 1 no output, 2 purge, 3 transmit
  'spool_count_actual', // messages in the spool
  'spool_count_total', // messages that were to be spooled since spooling began, also those dropped
  'spool_start_time', // TIME; empty before
  'spool_full_time',
  'limit_variable', // VID
  'limit_id', // LIMITID (E30's EventLimit)
  'transition_type', // 0 upwards, 1 downwards
  'program_id', // PPID
  'program_change', // 1 created, 2 edited, 3 deleted
  'programs_stored', // list of PPIDs
  'constant_id',
  'constant_value',
  'operator_command',
] as const
export type VariableSource = (typeof VARIABLE_SOURCES)[number]

/** The limits that a host may define for a variable (S2F45). */
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

/** The setting of the equipment that a constant is. */
export const CONSTANT_USES = [
  'establish_timeout', // seconds from a failed S1F13 to the next
  'time_format', // 0: 12 characters, 1: 16, 2: ISO 8601
  'spooling_enabled', // a truth, or 0 and 1
  'spool_overwrite', // a truth, or 0 and 1: OverWriteSpool
  'max_spool_transmit',
  'limits_period', // milliseconds between two checks of the variables with limits
] as const
export type ConstantUse = (typeof CONSTANT_USES)[number]

export interface EquipmentConstant {
  /** ECID. */
  readonly id: string
  readonly name: string
  readonly unit: string
  /** The initial value. Values of a host have to fit its format. */
  readonly value: TypedValue
  /** Bounds, both allowed; only numbers have them. */
  readonly minimum?: number
  readonly maximum?: number
  readonly use?: ConstantUse
}

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

/** Actions of an equipment for which GEM requires a collection event (SEMI E30). */
export type Occasion =
  | 'spooling_activated'
  | 'spooling_deactivated'
  | 'spool_transmit_failure'
  | 'program_changed' // by the operator
  | 'constant_changed' // by the operator
  | 'operator_command'
  | 'message_recognized' // the operator has read what the host sent to a terminal

/** A process program: unformatted, formatted, or both. */
export interface ProcessProgram {
  /** PPID, up to 120 characters. */
  readonly id: string
  /** PPBODY as S7F6 has it; not a list. Left out: there is no unformatted one. */
  readonly body?: TypedValue
  /** The steps in S7F26. Left out: there is no formatted one. */
  readonly steps?: readonly ProgramStep[]
}

/** One process command of a formatted program. */
export interface ProgramStep {
  /** CCODE: decimal digits are sent as a number, anything else as text. */
  readonly command: string
  /** PPARMs, in order. */
  readonly parameters: readonly TypedValue[]
}

export interface ProgramParameter {
  readonly name: string
  readonly format: Format
  /** Bounds, both allowed; only numbers have them. */
  readonly minimum?: number
  readonly maximum?: number
}

/** A process command that formatted programs may have. */
export interface ProgramCommand {
  /** CCODE. */
  readonly code: string
  readonly name: string
  /** Its PPARMs: all of them have to be given, in this order. */
  readonly parameters: readonly ProgramParameter[]
}

export interface ProgramModel {
  readonly stored: readonly ProcessProgram[]
  /** Programs that it can store, 1 to 10,000; 100 when left out. */
  readonly capacity?: number
  /** Bytes of one program's body, 1 to 16,000,000; 1,000,000 when left out. */
  readonly longest?: number
  /** The commands that a formatted program may have; when left out, all are accepted and nothing is verified. */
  readonly commands?: readonly ProgramCommand[]
  /** PPIDs that a host can neither replace nor delete. */
  readonly locked?: readonly string[]
}

export interface CommandParameter {
  /** CPNAME. */
  readonly name: string
  /** What a host sends has to read as a value of this format. */
  readonly format: Format
  readonly required: boolean
  /** The only values that are taken, as text; left out, all are. `programs` stands for those now stored. */
  readonly values?: readonly string[] | 'programs'
  /** The variable that takes its value, by id or name. */
  readonly sets?: string
}

export interface RemoteCommand {
  /** RCMD. */
  readonly name: string
  readonly parameters: readonly CommandParameter[]
}

/** The spool, which keeps messages that cannot be sent (SEMI E30). */
export interface SpoolModel {
  /** Messages that the spool holds, 1 to 10,000; 1,000 when left out. */
  readonly capacity?: number
  /** Whether a full spool drops its oldest message for a new one, or else the new one. False when left out. */
  readonly overwrite?: boolean
  /** Messages sent for one S6F23, 0 to 10,000; 0 for all of them, as when left out. */
  readonly maxTransmit?: number
  /** Spooled until a host chooses by S2F43; no functions stand for all of the stream. S5F1 and S6F11 when left out. */
  readonly messages?: readonly { readonly stream: number; readonly functions: readonly number[] }[]
}

/** How much tracing a host may ask for. */
export interface TraceModel {
  /** Traces at a time, 1 to 1,000; 10 when left out. */
  readonly count?: number
  /** Variables in one trace, 1 to 10,000; 100 when left out. */
  readonly variables?: number
  /** The shortest DSPER that is taken, in milliseconds, 10 or more; 100 when left out. */
  readonly shortestPeriod?: number
}

export interface TerminalModel {
  /** The TIDs that there are, 0 to 255; any when left out. */
  readonly ids?: readonly number[]
  /** Lines of S10F5 that can be shown; more are answered by S10F7. Any number when left out. */
  readonly lines?: number
}

/** A GEM equipment in its initial state. */
export interface EquipmentModel {
  /** MDLN and SOFTREV, up to 20 characters each. */
  readonly mdln: string
  readonly softrev: string
  /** The default entry of E30's control model. ATTEMPT_ONLINE asks the host once there is communication. */
  readonly controlState: Exclude<ControlState, 'UNKNOWN'>
  /** The position of the operator's switch. When left out, that of `controlState`, or else remote. */
  readonly onlineSubstate?: 'LOCAL' | 'REMOTE'
  /** Where an attempt to get online ends that the host does not agree to. EQUIPMENT_OFFLINE when left out. */
  readonly attemptFails?: 'EQUIPMENT_OFFLINE' | 'HOST_OFFLINE'
  /** The collection events for entering these control states, by id. */
  readonly controlEvents: { readonly offline?: string; readonly local?: string; readonly remote?: string }
  /** The collection events of other actions of the equipment, by id. */
  readonly occasions?: { readonly [Which in Occasion]?: string }
  readonly variables: readonly Variable[]
  readonly constants: readonly EquipmentConstant[]
  readonly reports: readonly Report[]
  readonly events: readonly CollectionEvent[]
  readonly alarms: readonly AlarmModel[]
  readonly commands: readonly RemoteCommand[]
  /** OBJSPECs that S2F49 may name beside the equipment itself, which is the empty one. */
  readonly objects?: readonly string[]
  /** Left out: it does not spool, and knows neither S2F43 nor S6F23. */
  readonly spool?: SpoolModel
  readonly traces?: TraceModel
  /** Left out: it has no process programs, and knows nothing of stream 7. */
  readonly programs?: ProgramModel
  readonly terminal?: TerminalModel
  /** The longest body of a message that it takes, in bytes; a longer one is answered by S9F11. */
  readonly longestBody?: number
  /** How long a granted S2F39 or S7F1 waits for what it announced, in milliseconds; 45,000 when left out. */
  readonly conversationTimeout?: number
  /** Capabilities of GEM that this equipment does not have: it does not know their messages. */
  readonly without?: readonly Capability[]
}
