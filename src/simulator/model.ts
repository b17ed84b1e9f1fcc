import type { EquipmentModel } from '../gem/equipment-model.js'
import type { PlainValue } from '../gem/typed-value.js'

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

/** An alarm that comes of what happens. */
export interface Incident {
  /** The collection event that brings it about, by id. */
  readonly on: string
  /** From the event to the alarm, and from the alarm to its clearing, in milliseconds. */
  readonly after: number
  readonly clearAfter: number | undefined
  readonly alarm: string
  /** How often in the life of the simulator; undefined: each time. */
  readonly times: number | undefined
  /** What variables show while the alarm is set, by id. */
  readonly sets: Readonly<Record<string, PlainValue>>
}

/** A simulated equipment: what it is and has, and how it behaves. */
export interface Model {
  readonly name: string
  readonly description: string
  readonly equipment: EquipmentModel
  readonly process: Process | undefined
  readonly effects: readonly CommandEffect[]
  readonly incidents: readonly Incident[]
}
