/** Of an object that does not exist: where it begins, and where it ends. Never on the wire. */
export type NoState = 'NO_STATE'

/** A transition with the number that its standard gives it; equipment names its events after these numbers. */
export interface Transition<State extends string, Trigger extends string> {
  readonly number: number
  readonly from: readonly State[]
  readonly on: Trigger
  readonly to: State
}

/** The transition that `trigger` makes in `state`, or undefined where there is none. */
export const transitionOn = <State extends string, Trigger extends string>(
  transitions: readonly Transition<State, Trigger>[],
  state: State,
  trigger: Trigger,
): Transition<State, Trigger> | undefined =>
  transitions.find(({ from, on }) => on === trigger && from.includes(state))
