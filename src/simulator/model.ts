import type { EquipmentModel } from '../gem/equipment/equipment-model.js'
import type { PlainValue } from '../gem/typed-value.js'
import type { Format } from '../secs2/format.js'
import type { ToolSettings } from './gem300/tool-settings.js'
import type { Waveform } from './waveform.js'

/** A state of the equipment's processing. */
export interface ProcessState {
  readonly name: string
  /** The value of the process variable, 0 to 255. */
  readonly code: number
  /** Ends by itself after this many milliseconds, and is followed by `next`; undefined: it lasts. */
  readonly lasts: number | undefined
  readonly next: string | undefined
  /** The collection event of its ending by itself, by id. */
  readonly event: string | undefined
  /** The variable that goes up by one when it ends by itself, by id. */
  readonly counts: string | undefined
  /** The state whose remaining time is kept while this one lasts, as pausing does. */
  readonly holds: string | undefined
}

export interface Process {
  /** The variable that shows the state, by id. */
  readonly variable: string
  readonly initial: string
  readonly states: readonly ProcessState[]
}

/** The effect of a remote command. */
export interface CommandEffect {
  readonly command: string
  /** The processing states in which it is carried out; undefined: all. */
  readonly from: readonly string[] | undefined
  readonly to: string | undefined
  /** The collection event that follows, by id. */
  readonly event: string | undefined
}

/** A bound on a variable or constant, one of `above`, `below` and `equals`. */
export interface Condition {
  /** By id. */
  readonly variable: string
  readonly above: number | undefined
  readonly below: number | undefined
  readonly equals: PlainValue | undefined
  /** How long it has to hold, in milliseconds. */
  readonly for: number
  /** How far the value has to come back before the condition is over. */
  readonly hysteresis: number
}

/** An alarm that follows an event or a condition: one of `on` and `when`. */
export interface AlarmRule {
  /** The collection event that the alarm follows, by id. */
  readonly on: string | undefined
  readonly when: Condition | undefined
  /** The share of these events or conditions that set the alarm, 0 to 1. */
  readonly probability: number
  /** From the event or condition to the alarm, and from the alarm to its clearing, in milliseconds. */
  readonly after: number
  readonly clearAfter: number | undefined
  /** The collection event that clears it, by id. Without either, the end of `when` clears it. */
  readonly clearOn: string | undefined
  readonly alarm: string
  /** The processing state that the alarm leads to. */
  readonly to: string | undefined
  /** How often at most while the simulator runs; undefined: without limit. */
  readonly times: number | undefined
  /** Values that variables have while the alarm is set, by id. */
  readonly sets: Readonly<Record<string, PlainValue>>
}

/** The waveforms of a variable: the first phase that fits the processing state applies; its own value when none does. */
export interface VariableWaveforms {
  readonly format: Format
  readonly phases: readonly {
    /** Processing states; the waveform's time begins when one is entered. Undefined: all, and since the start. */
    readonly while: readonly string[] | undefined
    readonly waveform: Waveform
  }[]
}

/** A simulated equipment and its behaviour. Any number of simulators share one model. */
export interface Model {
  readonly name: string
  readonly description: string
  readonly equipment: EquipmentModel
  readonly process: Process | undefined
  readonly effects: readonly CommandEffect[]
  readonly alarmRules: readonly AlarmRule[]
  /** By variable id. */
  readonly waveforms: ReadonlyMap<string, VariableWaveforms>
  /** Of a GEM 300 tool; undefined for other equipment. */
  readonly tool?: ToolSettings | undefined
}
