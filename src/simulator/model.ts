import type { EquipmentModel } from '../gem/equipment/model/equipment-model.js'
import type { PlainValue } from '../gem/typed-value.js'
import type { Format } from '../secs2/format.js'
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

/** What a remote command does. */
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

/** An alarm that comes of what happens: of one of `on` and `when`. */
export interface Incident {
  /** The collection event that brings it about, by id. */
  readonly on: string | undefined
  readonly when: Condition | undefined
  /** How often it comes of that, 0 to 1. */
  readonly probability: number
  /** From there to the alarm, and from the alarm to its clearing, in milliseconds. */
  readonly after: number
  readonly clearAfter: number | undefined
  /** The collection event that clears it, by id. With neither, the end of `when` does. */
  readonly clearOn: string | undefined
  readonly alarm: string
  /** The processing state that the alarm leads to. */
  readonly to: string | undefined
  /** How often in the life of the simulator; undefined: each time. */
  readonly times: number | undefined
  /** What variables show while the alarm is set, by id. */
  readonly sets: Readonly<Record<string, PlainValue>>
}

/** What a variable follows: the first phase that fits the processing state; its value when none does. */
export interface Followed {
  readonly format: Format
  readonly phases: readonly {
    /** Processing states, since whose entering the course's time runs; undefined: any, and since the beginning. */
    readonly while: readonly string[] | undefined
    readonly course: Waveform
  }[]
}

/** A simulated equipment: what it is and has, and how it behaves. Any number of simulators share one. */
export interface Model {
  readonly name: string
  readonly description: string
  readonly equipment: EquipmentModel
  readonly process: Process | undefined
  readonly effects: readonly CommandEffect[]
  readonly incidents: readonly Incident[]
  /** What variables follow over time, by id. */
  readonly courses: ReadonlyMap<string, Followed>
}
