import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { Communication } from '../communication.js'
import type { CommunicationState } from '../communication-states.js'
import { textValue } from '../content.js'
import type { GemChange, PeerView, Primary, PrimaryReply } from '../conversation.js'
import { ExpectedMessages } from '../expected-messages.js'
import { type PrimaryFault, type ReplyRule, Role } from '../role.js'
import type { TimeFormat } from '../time.js'
import type { TypedValue } from '../typed-value.js'
import { Alarms } from './alarms/alarms.js'
import { Constants } from './constants.js'
import { Control } from './control/control.js'
import type { EquipmentControlState } from './control/control-states.js'
import { Operator } from './control/operator.js'
import type { EquipmentModel, Occasion } from './equipment-model.js'
import type { EquipmentParts, LastHappened } from './equipment-parts.js'
import { equipmentReplies, type TerminalMessage } from './equipment-replies.js'
import { EquipmentTime } from './equipment-time.js'
import { Limits } from './limits/limits.js'
import { type EquipmentConversation, OutboundQueue } from './outbound-queue.js'
import { ownValues } from './own-values.js'
import { Programs } from './programs/programs.js'
import {
  type CommandOutcome,
  type GivenParameter,
  type HostCommandAcknowledge,
  runCommand,
} from './remote-commands.js'
import { Reporting } from './reports/reporting.js'
import { Reports } from './reports/reports.js'
import { Spool } from './spool/spool.js'
import { Traces } from './traces/traces.js'
import { Variables } from './variables.js'

export interface EquipmentWorld {
  readonly clock: Clock
  /** From a failed S1F13 to the next, in milliseconds, where no constant says it. */
  readonly establishDelay: number
  readonly view: () => PeerView
  /** Carries out a remote command whose name and parameters fit the model; HCACK. */
  readonly execute: (command: string) => HostCommandAcknowledge
  /** The value of a variable with a waveform, by id; left out, there is none. */
  readonly computed?: (id: string) => TypedValue | undefined
  /** What it answers beside GEM. */
  readonly replies?: readonly ReplyRule[]
}

/** A primary of the host. */
export interface HostPrimary extends Primary {
  /** Bytes of its body; left out, it is not too long. */
  readonly length?: number
}

/** A fault is reported by stream 9, which needs the header of the primary: the owner of the connection has it. */
export type EquipmentReply =
  | PrimaryReply
  | { readonly kind: 'fault'; readonly fault: PrimaryFault | 'too_long' }

/** GEM's equipment side (SEMI E30): the replies and reports of an equipment of this model. */
export class Equipment implements EquipmentParts {
  /** Every change of the communication and the control state, at once and in order. */
  readonly changed = new Signal<GemChange>()
  /** Emits the id of a collection event that the equipment causes by itself, also if it is not sent to a host. */
  readonly happened = new Signal<string>()
  /** Text that the host sent to a terminal. */
  readonly terminal = new Signal<TerminalMessage>()
  readonly clock: Clock
  readonly last: LastHappened
  readonly variables: Variables
  readonly constants: Constants
  readonly reports: Reports
  readonly alarms: Alarms
  readonly time: EquipmentTime
  readonly spool: Spool | undefined
  readonly traces: Traces
  readonly limits: Limits
  readonly programs: Programs | undefined
  readonly expected: ExpectedMessages
  readonly reporting: Reporting
  readonly operator: Operator
  readonly outbound: OutboundQueue
  readonly control: Control
  readonly #communication: Communication
  readonly #replies: Role

  constructor(
    readonly model: EquipmentModel,
    conversation: EquipmentConversation,
    private readonly world: EquipmentWorld,
  ) {
    const { clock, view } = world
    const { mdln, softrev } = model
    this.clock = clock
    this.last = { control: model.controlState }
    this.constants = new Constants(model.constants)
    this.time = new EquipmentTime(clock, () => (this.constants.used('time_format') ?? 1) as TimeFormat)
    this.alarms = new Alarms(model.alarms)
    this.variables = new Variables(model.variables, ownValues(this), world.computed)
    this.reports = new Reports(model.reports, model.events, (id) => this.hasVariable(id))
    const spools = model.spool && !model.without?.includes('spooling')
    this.spool = spools ? new Spool(model.spool, this) : undefined
    const isCommunicating = (): boolean => this.communicationState === 'COMMUNICATING'
    this.outbound = new OutboundQueue(conversation, { clock, view, isCommunicating }, this.spool)
    this.programs = model.programs && new Programs(model.programs, mdln, softrev)
    this.expected = new ExpectedMessages(
      clock,
      ({ message, data }) => this.outbound.sendOneWay('S9F13', { MEXP: message, EDID: textValue(data) }),
      model.conversationTimeout,
    )
    this.traces = new Traces(this)
    this.limits = new Limits(this)
    this.reporting = new Reporting(this)
    this.operator = new Operator(this)
    this.control = new Control(this, this.reporting)
    this.#communication = this.#establish(conversation)
    this.#replies = new Role('equipment', [...equipmentReplies(this), ...(world.replies ?? [])], view)
  }

  get communicationState(): CommunicationState {
    return this.#communication.state
  }

  get controlState(): EquipmentControlState {
    return this.control.state
  }

  get online(): boolean {
    return this.control.online
  }

  enable(): void {
    this.#communication.take({ kind: 'enable' })
    this.limits.start()
  }

  /** Also cancels all timers. */
  disable(): void {
    this.#communication.take({ kind: 'disable' })
    this.traces.stop()
    this.limits.stop()
    this.expected.clear()
  }

  /** The link is selected: S1F13 goes out at once. */
  selected(): void {
    this.#communication.take({ kind: 'selected' })
  }

  /** The link is no longer selected. */
  linkLost(): void {
    this.expected.clear()
    this.#communication.take({ kind: 'link_lost' })
  }

  /**
   * The reply to a primary, in the order of arrival. Offline, only S1F13 and S1F17 are answered (SEMI E30). Messages that
   * the primary causes are sent after the reply.
   */
  replyTo(primary: HostPrimary): EquipmentReply {
    return this.outbound.afterReply(() => this.#replyTo(primary))
  }

  #replyTo(primary: HostPrimary): EquipmentReply {
    const { stream, function: fn, length = 0 } = primary
    // Stream 9 is never answered: two sides that answer it would never stop.
    if (stream === 9) return { kind: 'none' }
    const abort: PrimaryReply = primary.wait ? { kind: 'abort' } : { kind: 'none' }
    const establishes = stream === 1 && fn === 13
    if (length > (this.model.longestBody ?? Infinity)) return { kind: 'fault', fault: 'too_long' }
    if (!establishes && this.communicationState !== 'COMMUNICATING') return abort
    if (!establishes && !this.online && !(stream === 1 && fn === 17)) return abort
    const verdict = this.#replies.replyTo(primary)
    if (establishes && verdict.kind === 'reply') this.#communication.take({ kind: 'asked' })
    return verdict
  }

  /** The operator turns the switches for online or offline, local or remote. */
  async operate(position: 'online' | 'offline' | 'local' | 'remote'): Promise<void> {
    await this.control.operate(position)
  }

  /** A command of the host or the operator. Only while the equipment is remote does it take the host's (SEMI E30). */
  command(name: string, given: readonly GivenParameter[], by: 'host' | 'operator'): CommandOutcome {
    const isAllowed = by === 'operator' || this.controlState === 'ONLINE_REMOTE'
    return runCommand(this.model.commands, name, given, {
      execute: isAllowed ? this.world.execute : undefined,
      programs: () => this.programs?.ids() ?? [],
      set: (variable, text) => this.variables.set(variable, text),
    })
  }

  /** Whether the host acknowledged the event report. Events that are not enabled, or not due, are not sent. */
  async fireEvent(event: string): Promise<boolean> {
    return this.online && (await this.reporting.fire(event))
  }

  /** Reports an event that the equipment causes by itself. */
  happens(event: string): Promise<boolean> {
    this.happened.emit(event)
    return this.fireEvent(event)
  }

  /** Reports an occasion as a collection event, where the model has one for it. */
  occasion(occasion: Occasion): void {
    const event = this.model.occasions?.[occasion]
    if (event !== undefined) void this.happens(event)
  }

  /** Whether the host acknowledged the alarm. Throws RangeError when there is no such alarm. */
  changeAlarm(id: string, set: boolean): Promise<boolean> {
    return this.reporting.changeAlarm(id, set)
  }

  /** Whether a variable or constant has this id. */
  hasVariable(id: string): boolean {
    return this.variables.has(id) || this.constants.has(id)
  }

  /** The value of a variable or constant, by id. */
  value(id: string): TypedValue {
    return this.constants.has(id) ? this.constants.value(id) : this.variables.value(id)
  }

  #establish(conversation: EquipmentConversation): Communication {
    const { constants, model, world } = this
    const communication = new Communication(
      conversation,
      {
        ...world,
        get establishDelay() {
          const seconds = constants.used('establish_timeout')
          return seconds === undefined ? world.establishDelay : seconds * 1000
        },
      },
      () => {
        const view = { ...world.view(), sender: 'equipment' as const }
        return view.catalogue.build('S1F13', { MDLN: model.mdln, SOFTREV: model.softrev }, view)
      },
    )
    communication.changed.on((change) => {
      this.changed.emit(change)
      if (change.from === 'COMMUNICATING' && change.to !== 'DISABLED') this.spool?.communicationLost()
      if (change.to === 'COMMUNICATING') void this.control.attemptOnline()
    })
    return communication
  }
}
