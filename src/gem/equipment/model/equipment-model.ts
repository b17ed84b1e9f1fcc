import type { Format } from '../../../secs2/format.js'
import type { Capability } from '../../capabilities.js'
import type { AlarmModel, CollectionEvent, OccasionEvents, Report } from './model-collection.js'
import type { ProgramModel } from './model-programs.js'
import type { EquipmentConstant, Variable } from './model-values.js'

export type { Capability } from '../../capabilities.js'
export type { AlarmModel, CollectionEvent, Occasion, OccasionEvents, Report } from './model-collection.js'
export type {
  ProcessProgram,
  ProgramCommand,
  ProgramModel,
  ProgramParameter,
  ProgramStep,
} from './model-programs.js'
export type {
  ConstantUse,
  EquipmentConstant,
  Limit,
  LimitModel,
  Variable,
  VariableSource,
} from './model-values.js'

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

/** The default entry of E30's control model. ATTEMPT_ONLINE asks the host once there is communication. */
export type InitialControlState =
  | 'EQUIPMENT_OFFLINE'
  | 'ATTEMPT_ONLINE'
  | 'HOST_OFFLINE'
  | 'ONLINE_LOCAL'
  | 'ONLINE_REMOTE'

/** What is kept of messages that cannot be sent (SEMI E30). */
export interface SpoolModel {
  /** Messages that the spool holds, 1 to 10,000; 1,000 when left out. */
  readonly capacity?: number
  /** Whether a full spool drops its oldest message for a new one, or else the new one. False when left out. */
  readonly overwrite?: boolean
  /** Messages sent for one S6F23, 0 to 10,000; 0 for all of them, as when left out. */
  readonly maxTransmit?: number
  /**
   * What is spooled until a host chooses by S2F43; an empty list of functions stands for all of the stream.
   * S5F1 and S6F11 when left out.
   */
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

/** What one GEM equipment is and has, before it did anything. */
export interface EquipmentModel {
  /** MDLN and SOFTREV, up to 20 characters each. */
  readonly mdln: string
  readonly softrev: string
  readonly controlState: InitialControlState
  /** What the operator's switch says, for whenever it comes online. Left out, as `controlState` or else remote. */
  readonly onlineSubstate?: 'LOCAL' | 'REMOTE'
  /** Where an attempt to get online ends that the host does not agree to. EQUIPMENT_OFFLINE when left out. */
  readonly attemptFails?: 'EQUIPMENT_OFFLINE' | 'HOST_OFFLINE'
  /** The collection events for entering these control states, by id. */
  readonly controlEvents: { readonly offline?: string; readonly local?: string; readonly remote?: string }
  /** The collection events for what else the equipment does by itself, by id. */
  readonly occasions?: OccasionEvents
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
  /** What this equipment does not have, though GEM has it: its messages are unknown to it. */
  readonly without?: readonly Capability[]
}
