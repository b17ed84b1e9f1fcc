import { type NoState, type Transition, transitionOn } from '../../gem300/transition.js'

/** The machines of a GEM 300 tool, of which each object has its own. */
export type MachineName =
  | 'port_transfer'
  | 'access_mode'
  | 'reservation'
  | 'association'
  | 'carrier_id'
  | 'slot_map'
  | 'carrier_accessing'
  | 'process_job'
  | 'control_job'
  | 'substrate'
  | 'substrate_processing'
  | 'substrate_location'
  | 'performance'

/** A transition that was made. */
export interface Move {
  readonly machine: MachineName
  readonly number: number
  readonly from: string
  readonly to: string
}

/** A machine of one object. Its state changes by its table alone. */
export class Machine<State extends string, Trigger extends string> {
  #state: State | NoState

  constructor(
    readonly name: MachineName,
    private readonly transitions: readonly Transition<State | NoState, Trigger>[],
    private readonly moved: (move: Move) => void,
    initial: State | NoState = 'NO_STATE',
  ) {
    this.#state = initial
  }

  get state(): State | NoState {
    return this.#state
  }

  can(trigger: Trigger): boolean {
    return transitionOn(this.transitions, this.#state, trigger) !== undefined
  }

  /** Makes these transitions, and tells of them in the last one's state: those between are passed through. */
  take(...triggers: readonly Trigger[]): void {
    const moves = triggers.map((trigger): Move => {
      const from = this.#state
      const transition = transitionOn(this.transitions, from, trigger)
      if (!transition) throw new Error(`${this.name}: no transition by ${trigger} in ${from}`)
      this.#state = transition.to
      return { machine: this.name, number: transition.number, from, to: transition.to }
    })
    for (const move of moves) this.moved(move)
  }
}
