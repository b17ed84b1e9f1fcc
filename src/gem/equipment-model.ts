import type { Format } from '../secs2/format.js'
import type { TypedValue } from './typed-value.js'

/** Where a variable's value comes from: kept by the equipment itself, or set by whoever plays it. */
export type VariableSource = 'clock' | 'control_state' | 'alarms_set' | 'events_enabled'

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
}

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

export interface CommandParameter {
  /** CPNAME. */
  readonly name: string
  /** What a host sends has to read as a value of this format. */
  readonly format: Format
  readonly required: boolean
  /** The only values that are taken, as text; left out, all are. */
  readonly values?: readonly string[]
  /** The variable that takes its value, by name. */
  readonly sets?: string
}

export interface RemoteCommand {
  /** RCMD. */
  readonly name: string
  readonly parameters: readonly CommandParameter[]
}

export type InitialControlState = 'EQUIPMENT_OFFLINE' | 'HOST_OFFLINE' | 'ONLINE_LOCAL' | 'ONLINE_REMOTE'

/** What one GEM equipment is and has, before it did anything. */
export interface EquipmentModel {
  /** MDLN and SOFTREV, up to 20 characters each. */
  readonly mdln: string
  readonly softrev: string
  readonly controlState: InitialControlState
  /** The collection events for entering these control states, by id. */
  readonly controlEvents: { readonly offline?: string; readonly local?: string; readonly remote?: string }
  readonly variables: readonly Variable[]
  readonly constants: readonly EquipmentConstant[]
  readonly reports: readonly Report[]
  readonly events: readonly CollectionEvent[]
  readonly alarms: readonly AlarmModel[]
  readonly commands: readonly RemoteCommand[]
}
