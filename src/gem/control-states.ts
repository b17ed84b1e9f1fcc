import type { StateTable } from '../kit/state-table.js'

/** E30's control states. `UNKNOWN` exists only on the host's side: the equipment has not reported its state. */
export type ControlState =
  | 'UNKNOWN'
  | 'EQUIPMENT_OFFLINE'
  | 'ATTEMPT_ONLINE'
  | 'HOST_OFFLINE'
  | 'ONLINE_LOCAL'
  | 'ONLINE_REMOTE'

/** The values of the status variable ControlState (SEMI E30). */
export const CONTROL_STATE_CODES = {
  EQUIPMENT_OFFLINE: 1,
  ATTEMPT_ONLINE: 2,
  HOST_OFFLINE: 3,
  ONLINE_LOCAL: 4,
  ONLINE_REMOTE: 5,
} as const satisfies Partial<Record<ControlState, number>>

/** What a host sees of the equipment's control state. */
export type ControlSign =
  | 'online_accepted' // ONLACK 0: online, local or remote is not known
  | 'already_online' // ONLACK 2
  | 'online_refused' // ONLACK 1, which GEM equipment gives while its operator keeps it offline
  | 'offline_accepted' // OFLACK 0
  | 'answered' // S1F2, which only online equipment sends
  | 'aborted' // S1F0 for S1F1, which only offline equipment sends
  | 'reported_equipment_offline' // by the status variable ControlState, as the next four
  | 'reported_attempt_online'
  | 'reported_host_offline'
  | 'reported_local'
  | 'reported_remote'
  | 'lost' // communication ended or was established again: the state may have changed

const ANYWHERE = {
  online_accepted: 'UNKNOWN',
  offline_accepted: 'HOST_OFFLINE',
  online_refused: 'EQUIPMENT_OFFLINE',
  reported_equipment_offline: 'EQUIPMENT_OFFLINE',
  reported_attempt_online: 'ATTEMPT_ONLINE',
  reported_host_offline: 'HOST_OFFLINE',
  reported_local: 'ONLINE_LOCAL',
  reported_remote: 'ONLINE_REMOTE',
  lost: 'UNKNOWN',
} as const

const OFFLINE = { ...ANYWHERE, already_online: 'UNKNOWN', answered: 'UNKNOWN' } as const
const ONLINE = { ...ANYWHERE, aborted: 'EQUIPMENT_OFFLINE' } as const

/**
 * The control state as far as the equipment has reported it, never guessed: online without local or remote is `UNKNOWN`, and
 * `EQUIPMENT_OFFLINE` is offline without our having asked for it. The diagram in docs/state-machines.md is printed
 * from this table.
 */
export const OBSERVED_CONTROL_STATES: StateTable<ControlState, ControlSign> = {
  UNKNOWN: { ...ANYWHERE, aborted: 'EQUIPMENT_OFFLINE' },
  EQUIPMENT_OFFLINE: OFFLINE,
  ATTEMPT_ONLINE: OFFLINE,
  HOST_OFFLINE: OFFLINE,
  ONLINE_LOCAL: ONLINE,
  ONLINE_REMOTE: ONLINE,
}
