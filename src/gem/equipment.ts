import { type Given, type MessageFrom, numbersOf } from '../catalogue/known-message.js'
import type { Clock } from '../kit/clock.js'
import { Signal } from '../kit/signal.js'
import type { Item } from '../secs2/item.js'
import { Alarms } from './alarms.js'
import { Communication } from './communication.js'
import type { CommunicationState } from './communication-states.js'
import { Constants } from './constants.js'
import { CONTROL_STATE_CODES } from './control-states.js'
import type { Answer, Conversation, Exchange, GemChange, PeerView, Primary } from './conversation.js'
import { equipmentAnswers, type TerminalMessage } from './equipment-answers.js'
import { type ControlChange, EquipmentControl, type EquipmentControlState } from './equipment-control.js'
import type { EquipmentModel } from './equipment-model.js'
import { EquipmentTime } from './equipment-time.js'
import type { HostCommandAcknowledge } from './remote-commands.js'
import { Reports } from './reports.js'
import { type PrimaryFault, Role } from './role.js'
import { NO_VALUE, type TypedValue, valueAs } from './typed-value.js'
import { Variables } from './variables.js'

export interface EquipmentWorld {
  readonly clock: Clock
  /** From a failed S1F13 to the next, in milliseconds. */
  readonly establishDelay: number
  readonly view: () => PeerView
  /** Carries a remote command out whose name and parameters fit the model, and says how that went. */
  readonly execute: (command: string) => HostCommandAcknowledge
}

/** A fault is voiced by stream 9, which takes the header of the primary: the owner of the wire has it. */
export type EquipmentAnswer = Answer | { readonly kind: 'fault'; readonly fault: PrimaryFault }

const ONLACK = { accepted: 0, notAllowed: 1, alreadyOnline: 2 } as const

/**
 * GEM's equipment side (SEMI E30): what an equipment of this model answers and reports. It does not spool: a
 * report that cannot be sent, or is not acknowledged, is lost. Process programs, trace, limits and stream 14
 * are not implemented, and answered as equipment answers what it does not know.
 */
export class Equipment {
  /** Every change of the communication and the control state, at once and in order. */
  readonly changed = new Signal<GemChange>()
  /** Text that the host sent to a terminal. */
  readonly terminal = new Signal<TerminalMessage>()
  readonly variables: Variables
  readonly constants: Constants
  readonly reports: Reports
  readonly alarms: Alarms
  readonly time: EquipmentTime
  readonly #control: EquipmentControl
  readonly #communication: Communication
  readonly #answers: Role
  #dataId = 0

  constructor(
    readonly model: EquipmentModel,
    private readonly conversation: Conversation,
    private readonly world: EquipmentWorld,
  ) {
    this.time = new EquipmentTime(world.clock)
    this.#control = new EquipmentControl(model.controlState)
    this.alarms = new Alarms(model.alarms)
    this.constants = new Constants(model.constants)
    this.variables = new Variables(model.variables, {
      clock: () => this.time.text(),
      control_state: () => CONTROL_STATE_CODES[this.#control.state],
      alarms_set: () => idList(this.alarms.set()),
      events_enabled: () => idList(this.reports.enabledEvents()),
    })
    this.reports = new Reports(
      model.reports,
      model.events,
      (id) => this.variables.has(id) || this.constants.has(id),
    )
    this.#communication = new Communication(conversation, world, () =>
      this.#body('S1F13', { MDLN: model.mdln, SOFTREV: model.softrev }),
    )
    this.#communication.changed.on((change) => this.changed.emit(change))
    const answers = equipmentAnswers(this, {
      execute: world.execute,
      hostOnline: () => this.#hostOnline(),
      hostOffline: () => this.#controlChanged(this.#control.hostOffline(), 'the host sent S1F15'),
    })
    this.#answers = new Role('equipment', answers, world.view)
  }

  get communicationState(): CommunicationState {
    return this.#communication.state
  }

  get controlState(): EquipmentControlState {
    return this.#control.state
  }

  enable(): void {
    this.#communication.take({ kind: 'enable' })
  }

  /** Leaves no timer behind. */
  disable(): void {
    this.#communication.take({ kind: 'disable' })
  }

  /** The link is selected: S1F13 goes out at once. */
  selected(): void {
    this.#communication.take({ kind: 'selected' })
  }

  /** The link is no longer selected. */
  linkLost(): void {
    this.#communication.take({ kind: 'link_lost' })
  }

  /** What to answer, in the order of arrival. Offline, only S1F13 and S1F17 are answered (SEMI E30). */
  answer(primary: Primary): EquipmentAnswer {
    const { stream, function: fn } = primary
    const refusal: Answer = primary.wait ? { kind: 'abort' } : { kind: 'none' }
    const establishes = stream === 1 && fn === 13
    if (!establishes && this.communicationState !== 'COMMUNICATING') return refusal
    if (!establishes && !this.#control.online && !(stream === 1 && fn === 17)) return refusal
    const verdict = this.#answers.answer(primary)
    if (establishes && verdict.kind === 'reply') this.#communication.take({ kind: 'asked' })
    return verdict
  }

  /** The operator turns the switches for online or offline, local or remote. */
  async operate(position: 'online' | 'offline' | 'local' | 'remote'): Promise<void> {
    this.#controlChanged(this.#control.operator(position), `the operator chose ${position}`)
    if (position !== 'online' || this.controlState !== 'ATTEMPT_ONLINE') return
    const exchange = await this.#ask('S1F1', {})
    const agreed = exchange.kind === 'replied'
    this.#controlChanged(
      agreed ? this.#control.agreed() : this.#control.notAgreed(),
      agreed ? 'the host answered S1F1' : 'the host did not agree',
    )
  }

  /** Whether the host acknowledged the event report. Events that are not enabled, or not due, are not sent. */
  async fireEvent(event: string): Promise<boolean> {
    return this.#control.online && (await this.#fire(event))
  }

  /** Whether the host acknowledged the alarm. Throws RangeError when there is no such alarm. */
  async changeAlarm(id: string, set: boolean): Promise<boolean> {
    const change = this.alarms.change(id, set)
    if (!change) return false
    const { alarm, alcd, enabled } = change
    const event = set ? alarm.setEvent : alarm.clearedEvent
    const fired = event === undefined ? undefined : () => this.fireEvent(event)
    if (!enabled || !this.#control.online) return (await fired?.()) ?? false
    const asked = this.#ask('S5F1', { ALCD: String(alcd), ALID: alarm.id, ALTX: alarm.text })
    const [exchange] = await Promise.all([asked, fired?.()])
    return this.#agreed(5, 2, exchange)
  }

  /** The named variables of an event's reports, as S6F11 and S6F16 carry them. */
  reportsOf(event: string): { readonly RPTID: string; readonly V: readonly TypedValue[] }[] {
    return (this.reports.reportsOf(event) ?? []).map(({ id, variables }) => ({
      RPTID: id,
      V: variables.map((variable) => this.value(variable)),
    }))
  }

  /** The value of a variable or constant, by id. */
  value(id: string): TypedValue {
    return this.constants.has(id) ? this.constants.value(id) : this.variables.value(id)
  }

  nextDataId(): string {
    this.#dataId = (this.#dataId + 1) % 2 ** 32
    return String(this.#dataId)
  }

  #hostOnline(): number {
    if (this.#control.online) return ONLACK.alreadyOnline
    if (this.controlState !== 'HOST_OFFLINE') return ONLACK.notAllowed
    this.#controlChanged(this.#control.agreed(), 'the host sent S1F17')
    return ONLACK.accepted
  }

  async #fire(event: string): Promise<boolean> {
    if (!this.reports.isEnabled(event)) return false
    const content = { DATAID: this.nextDataId(), CEID: event, REPORTS: this.reportsOf(event) }
    const exchange = await this.#ask('S6F11', content)
    return this.#agreed(6, 12, exchange)
  }

  async #ask<Name extends MessageFrom<'equipment'>>(
    message: Name,
    data: Given<Name, 'equipment'>,
  ): Promise<Exchange> {
    if (this.communicationState !== 'COMMUNICATING') return { kind: 'lost' }
    return this.conversation.request({ ...numbersOf(message), item: this.#body(message, data) })
  }

  #agreed(stream: number, fn: number, exchange: Exchange): boolean {
    if (exchange.kind !== 'replied') return false
    return this.world.view().catalogue.acknowledgement(stream, fn, exchange.item)?.accepted === true
  }

  #controlChanged(change: ControlChange | undefined, cause: string): void {
    if (!change) return
    this.changed.emit({ machine: 'control_state', ...change, cause })
    const { offline, local, remote } = this.model.controlEvents
    const wasOnline = change.from === 'ONLINE_LOCAL' || change.from === 'ONLINE_REMOTE'
    // E30 wants the host told of going offline too, by which time nothing else is sent any more.
    const event =
      change.to === 'ONLINE_LOCAL'
        ? local
        : change.to === 'ONLINE_REMOTE'
          ? remote
          : wasOnline
            ? offline
            : undefined
    if (event !== undefined) this.world.clock.at(this.world.clock.now(), () => void this.#fire(event))
  }

  #body<Name extends MessageFrom<'equipment'>>(
    message: Name,
    data: Given<Name, 'equipment'>,
  ): Item | undefined {
    const view = this.world.view()
    return view.catalogue.build(message, data, { ...view, sender: 'equipment' as const })
  }
}

/** Ids as a list: numbers where they are digits. */
const idList = (ids: readonly string[]): TypedValue => ({
  L: ids.map((id) => (/^\d+$/.test(id) ? valueAs('U4', id) : valueAs('A', id)) ?? NO_VALUE),
})
