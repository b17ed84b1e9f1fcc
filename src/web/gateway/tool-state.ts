import type { Equipment } from '../../contract/equipment.js'

/** What a tile says in one word, the most urgent first. `nodata`: the gateway is silent, and nothing is known. */
export const TOOL_STATES = [
  'alarm',
  'failing',
  'disconnected',
  'connecting',
  'degraded',
  'offline',
  'local',
  'online',
  'remote',
  'disabled',
] as const
export type ToolState = (typeof TOOL_STATES)[number]

/**
 * The state of an equipment in one word. Equipment without communication is grey whatever was known of it before: its
 * alarms and its control state are old news.
 */
export function toolStateOf(equipment: Equipment, activeAlarms: number): ToolState {
  const { enabled, connection_state, communication_state, control_state, health } = equipment
  if (!enabled) return 'disabled'
  if (connection_state !== 'SELECTED') return 'disconnected'
  if (communication_state !== 'COMMUNICATING') return 'connecting'
  if (activeAlarms > 0) return 'alarm'
  if (health !== 'ok') return health
  return controlWord(control_state)
}

/** The state of equipment that communicates, by its control state. */
export function controlWord(control_state: string): 'remote' | 'local' | 'online' | 'offline' {
  switch (control_state) {
    case 'ONLINE_REMOTE':
      return 'remote'
    case 'ONLINE_LOCAL':
      return 'local'
    case 'UNKNOWN':
      return 'online'
    default:
      return 'offline'
  }
}
