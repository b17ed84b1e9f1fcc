import {
  COMMUNICATION_STATES,
  CONNECTION_STATES,
  CONTROL_STATES,
  type Equipment,
} from '../../contract/equipment.js'

/** An equipment, and whether one of the alarms that are asked for is active. */
export interface Observed {
  readonly equipment: Equipment
  readonly hasAlarm: boolean
}

type Goal = (observed: Observed) => boolean

const inHealth =
  (wanted: Equipment['health']): Goal =>
  ({ equipment }) =>
    equipment.health === wanted
const inControl =
  (...wanted: Equipment['control_state'][]): Goal =>
  ({ equipment }) =>
    wanted.includes(equipment.control_state)
const isSelected: Goal = ({ equipment }) => equipment.connection_state === 'SELECTED'
const isLocked: Goal = ({ equipment }) => (equipment.lock ?? null) !== null

const GOALS = {
  selected: isSelected,
  'not-selected': (observed) => !isSelected(observed),
  communicating: ({ equipment }) => equipment.communication_state === 'COMMUNICATING',
  online: inControl('ONLINE_LOCAL', 'ONLINE_REMOTE'),
  'online-local': inControl('ONLINE_LOCAL'),
  'online-remote': inControl('ONLINE_REMOTE'),
  offline: inControl('EQUIPMENT_OFFLINE', 'HOST_OFFLINE'),
  'health-ok': inHealth('ok'),
  'health-degraded': inHealth('degraded'),
  'health-failing': inHealth('failing'),
  alarm: ({ hasAlarm }) => hasAlarm,
  'no-alarm': ({ hasAlarm }) => !hasAlarm,
  locked: isLocked,
  'not-locked': (observed) => !isLocked(observed),
} as const satisfies Readonly<Record<string, Goal>>

/** States that equipment can be waited for. */
export type State = keyof typeof GOALS
export const STATES = Object.keys(GOALS) as readonly State[]

/** The states of the API that a scenario may name, too. */
export const API_STATES: readonly string[] = [
  ...CONNECTION_STATES,
  ...COMMUNICATION_STATES,
  ...CONTROL_STATES,
]

/** Whether one has to ask for alarms to know. */
export const needsAlarms = (state: string): boolean => state === 'alarm' || state === 'no-alarm'

/** Whether equipment is in a state: one of `STATES`, or one of the API such as `ONLINE_REMOTE`. */
export function isInState(state: string, observed: Observed): boolean {
  const goal: Goal | undefined = Object.hasOwn(GOALS, state) ? GOALS[state as State] : undefined
  if (goal) return goal(observed)
  const { connection_state, communication_state, control_state } = observed.equipment
  return [connection_state, communication_state, control_state].some((one) => one === state)
}
