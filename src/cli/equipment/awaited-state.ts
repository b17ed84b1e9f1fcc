import type { Equipment } from '../../contract/equipment.js'
import { standing } from '../../inspection/dialling.js'
import { healthText } from './equipment-output.js'

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

const PHRASES: Partial<Readonly<Record<State, string>>> = {
  'health-ok': 'in health ok',
  'health-degraded': 'in health degraded',
  'health-failing': 'in health failing',
  alarm: 'with an active alarm',
  'no-alarm': 'without an active alarm',
}

/** Such as `communicating and in health ok`. */
export const goalText = (states: readonly State[]): string =>
  states.map((state) => PHRASES[state] ?? state).join(' and ')

export const needsAlarms = (states: readonly State[]): boolean =>
  states.some((state) => state === 'alarm' || state === 'no-alarm')

/** Whether it is in all of these states. */
export const isIn = (states: readonly State[], observed: Observed): boolean =>
  states.every((state) => GOALS[state](observed))

/** What holds instead of the first of these states that it is not in. */
export function stateText(states: readonly State[], observed: Observed): string {
  const { equipment, hasAlarm } = observed
  const missing = states.find((state) => !GOALS[state](observed)) ?? ''
  if (missing.startsWith('health')) return `health ${healthText(equipment)}`
  if (missing.endsWith('alarm')) return hasAlarm ? 'an alarm is active' : 'no alarm is active'
  if (missing.endsWith('locked')) return equipment.lock ? `locked by ${equipment.lock.by}` : 'not locked'
  return standing(equipment)
}
