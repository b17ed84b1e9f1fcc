import { nextState, type StateTable } from '../../../kit/state-table.js'
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

/** The equipment's control state machine (SEMI E30). The diagram in ARCHITECTURE.md is printed from this table. */
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
const TRANSITIONS: {
  readonly [From in EquipmentControlState]: { readonly [On in ControlTrigger]?: number }
} = {
  EQUIPMENT_OFFLINE: { operator_online: 3 },
  ATTEMPT_ONLINE: { not_agreed: 4, not_agreed_host_offline: 4, agreed_local: 5, agreed_remote: 5 },
  HOST_OFFLINE: { agreed_local: 11, agreed_remote: 11, operator_offline: 12 },
  ONLINE_LOCAL: { operator_offline: 6, host_offline: 10 },
  ONLINE_REMOTE: { operator_offline: 6, host_offline: 10 },
}

export interface ControlChange {
  readonly from: EquipmentControlState
  readonly to: EquipmentControlState
  /** E30's number of the transition, where it has one that is sure. */
  readonly transition?: number
}

/** The control state and the operator's two switches. */
export class EquipmentControl {
  #state: EquipmentControlState
  /** How the switch between local and remote stands. */
  #remote: boolean

  /** `remote` is how the operator's switch stands. */
  constructor(initial: EquipmentControlState, remote = initial !== 'ONLINE_LOCAL') {
    this.#state = initial
    this.#remote = remote
  }

  get state(): EquipmentControlState {
    return this.#state
  }

  get online(): boolean {
    return this.#state === 'ONLINE_LOCAL' || this.#state === 'ONLINE_REMOTE'
  }

  get remote(): boolean {
    return this.#remote
  }

  /** How the switch stood when the equipment was last on. */
  restore(remote: boolean): void {
    this.#remote = remote
    if (this.online) this.#state = remote ? 'ONLINE_REMOTE' : 'ONLINE_LOCAL'
  }

  /** The operator turns a switch. Undefined, here and below, where that changes nothing. */
  operator(position: 'online' | 'offline' | 'local' | 'remote'): ControlChange | undefined {
    if (position === 'local' || position === 'remote') this.#remote = position === 'remote'
    return this.#take(`operator_${position}`)
  }

  hostOffline(): ControlChange | undefined {
    return this.#take('host_offline')
  }

  /** The host agrees to online: by S1F17, or by S1F2 to our S1F1. */
  agreed(): ControlChange | undefined {
    return this.#take(this.#remote ? 'agreed_remote' : 'agreed_local')
  }

  notAgreed(leadsTo: 'EQUIPMENT_OFFLINE' | 'HOST_OFFLINE' = 'EQUIPMENT_OFFLINE'): ControlChange | undefined {
    return this.#take(leadsTo === 'HOST_OFFLINE' ? 'not_agreed_host_offline' : 'not_agreed')
  }

  #take(trigger: ControlTrigger): ControlChange | undefined {
    const from = this.#state
    const to = nextState(EQUIPMENT_CONTROL_STATES, from, trigger)
    if (to === undefined) return undefined
    this.#state = to
    const transition = TRANSITIONS[from][trigger]
    return { from, to, ...(transition !== undefined && { transition }) }
  }
}
