import { GATEWAY_STOPS } from '../../contract/state-changes.js'
import type { CommunicationState } from '../../gem/communication-states.js'
import type { ControlState } from '../../gem/control-states.js'
import type { Exchange, GemChange, SecsMessage } from '../../gem/conversation.js'
import { ControlObserver } from '../../gem/host/control-observer.js'
import type { Model } from '../../gem/host/host.js'
import { controlStateId, type PeerNames, valueIn } from '../../gem/host/peer-names.js'
import { Signal } from '../../kit/signal.js'
import type { EquipmentSession } from '../link/session.js'
import type { Reading } from '../records/reading.js'
import type { RecordedMessage } from '../records/recorded-message.js'
import type { LineBefore } from './line-before.js'

/** What the API shows of a host's knowledge. */
type Seen = EquipmentSession['host']

/** The states of tapped equipment, as its conversation with its own host shows them. It asks nothing. */
export class TapStates implements Seen {
  readonly changed = new Signal<GemChange>()
  readonly withoutS1F13 = undefined
  #communication: CommunicationState = 'DISABLED'
  #model: Model | null = null
  /** Why what one of the two sends is not seen any more; undefined where both are. */
  #unread: string | undefined
  readonly #control: ControlObserver

  constructor(
    private readonly reading: () => Reading,
    private readonly names: () => PeerNames,
    /** Whether S1F13 establishes communication; otherwise SELECTED is enough. */
    private readonly establishes: () => boolean,
  ) {
    this.#control = new ControlObserver(reading, names)
  }

  get communicationState(): CommunicationState {
    return this.#communication
  }

  get controlState(): ControlState {
    return this.#control.state
  }

  get refusesOnline(): boolean {
    return this.#control.refusesOnline
  }

  get hasConfirmedPresence(): boolean {
    return this.#control.hasConfirmedPresence
  }

  /** From the equipment's last S1F2, S1F13 or S1F14; kept when the link is lost. */
  get model(): Model | null {
    return this.#model
  }

  get isAsking(): boolean {
    return false
  }

  /** Nothing is being asked. */
  async controlStateAsked(): Promise<void> {}

  enable(): void {
    this.#communicate('NOT_COMMUNICATING', 'the tap is open')
  }

  disable(cause: string): void {
    this.#communicate('DISABLED', cause)
  }

  selected(): void {
    if (!this.establishes()) this.#communicate('COMMUNICATING', 'the link is selected, and S1F13 is not used')
  }

  /** What was learnt of this link before the gateway was started. */
  resumed({ isCommunicating, control, model }: Omit<LineBefore, 'deviceId'>): void {
    if (model) this.#fromEquipment(model)
    if (!isCommunicating) return
    if (this.#communication === 'NOT_COMMUNICATING')
      this.#communicate('COMMUNICATING', 'communication was established before the gateway started')
    if (control) this.#report(this.#control.known(control, 'it was known before the gateway started'))
  }

  get unread(): string | undefined {
    return this.#unread
  }

  /** Host and equipment have connected. */
  paired(): void {
    this.#unread = undefined
  }

  /** Until they connect again, whether the two still communicate is not known. */
  unreadable(cause: string): void {
    this.#unread ??= cause
    if (this.#communication !== 'DISABLED') this.#communicate('NOT_COMMUNICATING', cause)
  }

  /** Messages passed that the gateway has not seen: one of them may have changed the control state. */
  missed(messages: number): void {
    const count = messages === 1 ? 'a message' : `${messages} messages`
    this.#report(this.#control.lost(`${count} passed that the gateway has not seen`))
  }

  linkLost(cause: string): void {
    if (this.#communication === 'DISABLED') return
    this.#communicate('NOT_COMMUNICATING', cause)
  }

  /** A message of either side has passed. */
  passed(message: RecordedMessage): void {
    // A longer body is not decoded for the sake of a state.
    if (message.needsSteps) return
    if (message.direction === 'received') this.#fromEquipment(message)
    if (message.isPrimary || message.function === 0) return
    // The gateway may see a conversation that began before it looked: whoever gets replies communicates.
    if (message.topic !== 'S1F14') return this.#communicate('COMMUNICATING', `${message.topic} passed`)
    const code = this.reading().catalogue.acknowledgement(1, 14, message.item)?.code
    if (code === 0) this.#established()
  }

  /** A transaction of the host, or of the gateway, has ended. */
  ended(primary: SecsMessage, exchange: Exchange): void {
    this.#report(this.#control.see(primary, exchange))
  }

  #established(): void {
    if (this.#communication === 'COMMUNICATING')
      this.#report(this.#control.lost('communication was established again'))
    this.#communicate('COMMUNICATING', 'S1F14 accepted')
  }

  #fromEquipment(message: RecordedMessage): void {
    switch (message.topic) {
      case 'S1F2':
      case 'S1F13':
      case 'S1F14': {
        const { MDLN, SOFTREV } = message.content(message.topic, 'equipment', this.reading()) ?? {}
        if (typeof MDLN === 'string' && typeof SOFTREV === 'string')
          this.#model = { mdln: MDLN, softrev: SOFTREV }
        return
      }
      case 'S6F11':
      case 'S6F13': {
        const names = this.names()
        const id = message.mayBeSpooled ? undefined : controlStateId(names)
        const report = id === undefined ? null : message.content(message.topic, 'equipment', this.reading())
        const value = id !== undefined && report ? valueIn(report, id, names) : undefined
        if (value !== undefined) this.#report(this.#control.reported(value))
      }
    }
  }

  #communicate(to: CommunicationState, cause: string): void {
    const from = this.#communication
    if (from === to || (to === 'COMMUNICATING' && this.#unread !== undefined)) return
    this.#communication = to
    this.changed.emit({ machine: 'communication_state', from, to, cause })
    if (from === 'COMMUNICATING')
      this.#report(this.#control.lost(cause === GATEWAY_STOPS ? cause : 'communication ended'))
  }

  #report(change: GemChange | undefined): void {
    if (change) this.changed.emit(change)
  }
}
