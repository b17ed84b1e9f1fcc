import type { StateTable } from '../../../kit/state-table.js'
import type { ControlState } from '../../control-states.js'

/** E30's control states as the equipment itself knows them. */
export type EquipmentControlState = Exclude<ControlState, 'UNKNOWN'>

export type ControlTrigger =
  | 'operator_online' // the operator wants the equipment online; a host has to agree (S1F1)
  | 'operator_offline'
  | 'operator_local'
  | 'operator_remote'
  | 'host_offline' // S1F15
  | 'agreed_local' // S1F17 came, or S1F2, and the switch stands at local
  | 'agreed_remote'
  | 'not_agreed' // S1F0 came for S1F1, or nothing; the operator has to try again
  | 'not_agreed_host_offline' // likewise; the host may bring it online later

const ONLINE = { operator_offline: 'EQUIPMENT_OFFLINE', host_offline: 'HOST_OFFLINE' } as const
const AGREED = { agreed_local: 'ONLINE_LOCAL', agreed_remote: 'ONLINE_REMOTE' } as const

/** The equipment's control state machine (SEMI E30). The diagram in docs/state-machines.md is printed from this table. */
export const EQUIPMENT_CONTROL_STATES: StateTable<EquipmentControlState, ControlTrigger> = {
  EQUIPMENT_OFFLINE: { operator_online: 'ATTEMPT_ONLINE' },
  ATTEMPT_ONLINE: {
    ...AGREED,
    not_agreed: 'EQUIPMENT_OFFLINE',
    not_agreed_host_offline: 'HOST_OFFLINE',
    operator_offline: 'EQUIPMENT_OFFLINE',
  },
  HOST_OFFLINE: { ...AGREED, operator_offline: 'EQUIPMENT_OFFLINE' },
  ONLINE_LOCAL: { ...ONLINE, operator_remote: 'ONLINE_REMOTE' },
  ONLINE_REMOTE: { ...ONLINE, operator_local: 'ONLINE_LOCAL' },
}

/** E30's numbers of the transitions. Sources differ about 8 and 9, LOCAL and REMOTE: they are left out. */
export const TRANSITION_NUMBERS: {
  readonly [From in EquipmentControlState]: { readonly [On in ControlTrigger]?: number }
} = {
  EQUIPMENT_OFFLINE: { operator_online: 3 },
  ATTEMPT_ONLINE: { not_agreed: 4, not_agreed_host_offline: 4, agreed_local: 5, agreed_remote: 5 },
  HOST_OFFLINE: { agreed_local: 11, agreed_remote: 11, operator_offline: 12 },
  ONLINE_LOCAL: { operator_offline: 6, host_offline: 10 },
  ONLINE_REMOTE: { operator_offline: 6, host_offline: 10 },
}
