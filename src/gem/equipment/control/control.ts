import { Signal } from '../../../kit/signal.js'
import type { GemChange } from '../../conversation.js'
import type { EquipmentModel } from '../model/equipment-model.js'
import type { OutboundQueue } from '../outbound-queue.js'
import type { LastHappened } from '../own-values.js'
import type { Reporting } from '../reports/reporting.js'
import { type ControlChange, EquipmentControl, type EquipmentControlState } from './equipment-control.js'

const ONLACK = { accepted: 0, notAllowed: 1, alreadyOnline: 2 } as const

interface ControlledEquipment {
  readonly model: EquipmentModel
  readonly outbound: OutboundQueue
  readonly reporting: Reporting
  readonly changed: Signal<GemChange>
  readonly happened: Signal<string>
}

/** Carries out what the equipment's control machine decides: asks the host to agree (S1F1), and reports changes to it. */
export class Control {
  /** The operator turned a switch. */
  readonly turned = new Signal<void>()
  readonly #machine: EquipmentControl
  /** Attempts to go online so far: the result of an earlier one is ignored. */
  #attempts = 0

  constructor(
    private readonly equipment: ControlledEquipment,
    private readonly last: LastHappened,
  ) {
    const { controlState, onlineSubstate } = equipment.model
    this.#machine = new EquipmentControl(controlState, onlineSubstate && onlineSubstate === 'REMOTE')
  }

  get state(): EquipmentControlState {
    return this.#machine.state
  }

  get online(): boolean {
    return this.#machine.online
  }

  /** Whether the operator's switch stands at remote. */
  get remote(): boolean {
    return this.#machine.remote
  }

  /** How the switch stood when the equipment was last on. */
  restore(remote: boolean): void {
    this.#machine.restore(remote)
    this.last.control = this.state
  }

  /** The operator turns a switch. Resolves when the host has agreed or not, where it is asked to. */
  async operate(position: 'online' | 'offline' | 'local' | 'remote'): Promise<void> {
    this.#changed(this.#machine.operator(position), `the operator chose ${position}`)
    this.turned.emit()
    if (position === 'online') await this.attemptOnline()
  }

  /** S1F17: the host wants the equipment online; ONLACK. */
  hostOnline(): number {
    if (this.online) return ONLACK.alreadyOnline
    if (this.state !== 'HOST_OFFLINE') return ONLACK.notAllowed
    this.#changed(this.#machine.agreed(), 'the host sent S1F17')
    return ONLACK.accepted
  }

  /** S1F15. */
  hostOffline(): void {
    this.#changed(this.#machine.hostOffline(), 'the host sent S1F15')
  }

  /** Asks the host to agree (S1F1), where an attempt to get online is under way. */
  async attemptOnline(): Promise<void> {
    if (this.state !== 'ATTEMPT_ONLINE') return
    const attempt = ++this.#attempts
    const exchange = await this.equipment.outbound.ask('S1F1', {})
    if (attempt !== this.#attempts) return
    const agreed = exchange.kind === 'replied'
    this.#changed(
      agreed ? this.#machine.agreed() : this.#machine.notAgreed(this.equipment.model.attemptFails),
      agreed ? 'the host answered S1F1' : 'the host did not agree',
    )
  }

  #changed(change: ControlChange | undefined, cause: string): void {
    if (!change) return
    const { from, to, transition } = change
    this.last.control = from
    const why = transition === undefined ? cause : `${cause} (E30's transition ${transition})`
    this.equipment.changed.emit({ machine: 'control_state', from, to, cause: why })
    const { offline, local, remote } = this.equipment.model.controlEvents
    const wasOnline = from === 'ONLINE_LOCAL' || from === 'ONLINE_REMOTE'
    // E30 requires an event for going offline, too, when nothing else is sent any more.
    const event =
      to === 'ONLINE_LOCAL' ? local : to === 'ONLINE_REMOTE' ? remote : wasOnline ? offline : undefined
    if (event === undefined) return
    this.equipment.happened.emit(event)
    void this.equipment.reporting.fire(event)
  }
}
