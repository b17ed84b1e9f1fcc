import { Signal } from '../../../kit/signal.js'
import { nextState } from '../../../kit/state-table.js'
import type { EquipmentParts } from '../equipment-parts.js'
import type { Reporting } from '../reports/reporting.js'
import {
  type ControlTrigger,
  EQUIPMENT_CONTROL_STATES,
  type EquipmentControlState,
  TRANSITION_NUMBERS,
} from './control-states.js'

const ONLACK = { accepted: 0, notAllowed: 1, alreadyOnline: 2 } as const

/** The control state and the operator's two switches. Asks the host to agree to online (S1F1), and reports changes to it. */
export class Control {
  /** The operator turned a switch. */
  readonly turned = new Signal<void>()
  #state: EquipmentControlState
  #remote: boolean
  /** Attempts to go online so far: the result of an earlier one is ignored. */
  #attempts = 0

  constructor(
    private readonly equipment: EquipmentParts,
    private readonly reporting: Reporting,
  ) {
    const { controlState, onlineSubstate } = equipment.model
    this.#state = controlState
    this.#remote = onlineSubstate ? onlineSubstate === 'REMOTE' : controlState !== 'ONLINE_LOCAL'
  }

  get state(): EquipmentControlState {
    return this.#state
  }

  get online(): boolean {
    return this.#state === 'ONLINE_LOCAL' || this.#state === 'ONLINE_REMOTE'
  }

  /** Whether the operator's switch between local and remote is at remote. */
  get remote(): boolean {
    return this.#remote
  }

  /** Restores the position of the switch when the equipment was last on. */
  restore(remote: boolean): void {
    this.#remote = remote
    if (this.online) this.#state = remote ? 'ONLINE_REMOTE' : 'ONLINE_LOCAL'
    this.equipment.last.control = this.#state
  }

  /** The operator turns a switch. Resolves when the host has agreed or not, where it is asked to. */
  async operate(position: 'online' | 'offline' | 'local' | 'remote'): Promise<void> {
    if (position === 'local' || position === 'remote') this.#remote = position === 'remote'
    this.#take(`operator_${position}`, `the operator chose ${position}`)
    this.turned.emit()
    if (position === 'online') await this.attemptOnline()
  }

  /** S1F17: the host wants the equipment online; ONLACK. */
  hostOnline(): number {
    if (this.online) return ONLACK.alreadyOnline
    if (this.#state !== 'HOST_OFFLINE') return ONLACK.notAllowed
    this.#agreed('the host sent S1F17')
    return ONLACK.accepted
  }

  /** S1F15. */
  hostOffline(): void {
    this.#take('host_offline', 'the host sent S1F15')
  }

  /** Asks the host to agree (S1F1) during an attempt to get online. */
  async attemptOnline(): Promise<void> {
    if (this.#state !== 'ATTEMPT_ONLINE') return
    const attempt = ++this.#attempts
    const exchange = await this.equipment.outbound.ask('S1F1', {})
    if (attempt !== this.#attempts) return
    if (exchange.kind === 'replied') return this.#agreed('the host replied to S1F1')
    const isHostOffline = this.equipment.model.attemptFails === 'HOST_OFFLINE'
    this.#take(isHostOffline ? 'not_agreed_host_offline' : 'not_agreed', 'the host did not agree')
  }

  #agreed(cause: string): void {
    this.#take(this.#remote ? 'agreed_remote' : 'agreed_local', cause)
  }

  #take(trigger: ControlTrigger, cause: string): void {
    const from = this.#state
    const to = nextState(EQUIPMENT_CONTROL_STATES, from, trigger)
    if (to === undefined) return
    const wasOnline = this.online
    this.#state = to
    this.equipment.last.control = from
    const transition = TRANSITION_NUMBERS[from][trigger]
    const why = transition === undefined ? cause : `${cause} (E30's transition ${transition})`
    this.equipment.changed.emit({ machine: 'control_state', from, to, cause: why })
    const { offline, local, remote } = this.equipment.model.controlEvents
    // E30 requires an event for going offline, too, when nothing else is sent any more.
    const event =
      to === 'ONLINE_LOCAL' ? local : to === 'ONLINE_REMOTE' ? remote : wasOnline ? offline : undefined
    if (event === undefined) return
    this.equipment.happened.emit(event)
    void this.reporting.fire(event)
  }
}
