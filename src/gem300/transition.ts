import type { StateTable } from '../kit/state-table.js'

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

/** The table of these transitions, each trigger with the number before it: as diagrams show it. */
export function numberedTable<State extends string, Trigger extends string>(
  transitions: readonly Transition<State, Trigger>[],
): StateTable<State, `${number} ${Trigger}`> {
  const table = {} as Record<State, Record<string, State>>
  const rowOf = (state: State): Record<string, State> => {
    table[state] ??= {}
    return table[state]
  }
  for (const { number, from, on, to } of transitions) {
    for (const state of from) rowOf(state)[`${number} ${on}`] = to
    rowOf(to)
  }
  return table as StateTable<State, `${number} ${Trigger}`>
}
