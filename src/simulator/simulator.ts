import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import type { Exchange, GemChange, SecsMessage } from '../gem/conversation.js'
import { Equipment, type EquipmentReply, type HostPrimary } from '../gem/equipment/equipment.js'
import type { TypedValue } from '../gem/typed-value.js'
import type { WireRecord } from '../hsms/capture/wire.js'
import type { ConnectionState } from '../hsms/connection-states.js'
import { controlFrame } from '../hsms/control.js'
import { encodeFrame } from '../hsms/frame/frame.js'
import type { AttemptFailed, StateChange } from '../hsms/io.js'
import type { LinkDriver } from '../hsms/link-driver.js'
import { HSMS_DEFAULTS } from '../hsms/settings.js'
import { Listeners } from '../hsms/tcp/listener.js'
import type { Clock } from '../kit/clock.js'
import type { Signal } from '../kit/signal.js'
import { Behaviour } from './behaviour.js'
import { type Faults, outgoingFrame } from './faults.js'
import { EventReports } from './gem300/event-reports.js'
import type { Notice } from './gem300/notice.js'
import { Tool } from './gem300/tool.js'
import { toolReplies } from './gem300/tool-replies.js'
import { NoisyLine } from './link/line-noise.js'
import { type SimulatedLinkOptions, simulatedLink } from './link/simulated-link.js'
import type { Model } from './model.js'
import { type Disk, Memory } from './state/memory.js'
import { type Crossing, Wire } from './wire.js'

export interface SimulatorOptions extends SimulatedLinkOptions {
  /** From a failed S1F13 to the next, in milliseconds; 10 s when left out. */
  readonly establishDelay?: number
  /** The seed of noise and chance, a whole number from 0; 0 when left out. The same seed gives the same behaviour. */
  readonly seed?: number
}

export interface SimulatorWorld {
  readonly clock: Clock
  /** The ports that the process listens on; left out, those of this simulator alone. */
  readonly listeners?: Listeners
  /** Where it keeps the state that GEM wants kept while the power is off; left out, it keeps none. */
  readonly disk?: Disk
}

const ESTABLISH_DELAY_MS = 10_000

/**
 * A simulated GEM equipment of a model, over HSMS or SECS-I. After `stop` only the state on its disk is kept. The constructor
 * throws what `Memory` throws.
 */
export class Simulator {
  /** Every message that was sent or received. */
  readonly log: Signal<Crossing>
  readonly connectionChanged: Signal<StateChange>
  readonly equipment: Equipment
  /** The faults that it has now. */
  readonly faults: Faults = {}
  readonly memory: Memory | undefined
  /** The load ports and jobs of a GEM 300 tool; undefined where the model has none. */
  readonly tool: Tool | undefined
  readonly #driver: LinkDriver
  readonly #wire: Wire
  readonly #behaviour: Behaviour
  readonly #toolEvents: EventReports | undefined

  constructor(
    readonly model: Model,
    private readonly options: SimulatorOptions,
    { clock, listeners = new Listeners(), disk }: SimulatorWorld,
  ) {
    const noisy = new NoisyLine(() => this.faults.noise, clock, options.seed ?? 0)
    this.#driver = simulatedLink(options, {
      clock,
      listeners,
      outgoing: (bytes) => {
        const frame = options.line ? bytes : outgoingFrame(bytes, this.faults)
        return frame && noisy.damaged(frame)
      },
      incoming: (bytes, pass) => noisy.carry(bytes, pass),
    })
    this.#wire = new Wire(this.#driver, clock, (primary) => this.#answer(primary), this.faults)
    this.log = this.#wire.log
    this.connectionChanged = this.#driver.changed
    this.tool = this.#makeTool(clock)
    this.equipment = new Equipment(model.equipment, this.#wire, {
      clock,
      establishDelay: options.establishDelay ?? ESTABLISH_DELAY_MS,
      view: () => ({ catalogue: STANDARD_CATALOGUE }),
      execute: (command) => this.#behaviour.execute(command),
      computed: (id) => this.#toolValue(id) ?? this.#behaviour.valueOf(id),
      replies: this.tool
        ? toolReplies(this.tool, {
            isRemote: () => this.equipment.controlState === 'ONLINE_REMOTE',
            faults: this.faults,
          })
        : [],
    })
    this.tool?.start() // before anybody is told
    this.#toolEvents = model.tool && new EventReports(model.tool, this.equipment, this.faults)
    this.memory = disk && new Memory(this.equipment, model.name, disk, clock)
    this.#behaviour = new Behaviour(model, this.equipment, clock, options.seed)
    this.#driver.changed.on(({ from, to }) => {
      if (to === 'NOT_SELECTED' && this.faults.greet) this.#driver.inject(this.faults.greet)
      if (to === 'SELECTED') this.equipment.selected()
      else if (from === 'SELECTED') this.equipment.linkLost()
    })
  }

  /** Changes of the communication and the control state. */
  get changed(): Signal<GemChange> {
    return this.equipment.changed
  }

  /** Active, or at a serial port: why it could not connect. */
  get attemptFailed(): Signal<AttemptFailed> {
    return this.#driver.attemptFailed
  }

  /** The path of its serial port, where it has one. */
  get serialPort(): string | undefined {
    return this.options.line?.serialPort
  }

  /** True for the active role. */
  get dials(): boolean {
    return this.options.role === 'active'
  }

  get connectionState(): ConnectionState {
    return this.#driver.state
  }

  /** The processing state; undefined where the model has none. */
  get processState(): string | undefined {
    return this.#behaviour.state
  }

  /** The frames on the connection, byte for byte, while there is a listener. */
  get wire(): Signal<WireRecord> {
    return this.#driver.wire
  }

  /** Where it listens; for the active role the port that it dials. */
  get port(): number {
    return this.#driver.boundPort ?? this.options.port
  }

  /** Passive: resolves once it listens; rejects with `ListenError`. Active: tries until stopped. */
  async start(): Promise<void> {
    this.equipment.enable()
    this.#behaviour.start()
    await this.#driver.start()
  }

  async stop(): Promise<void> {
    this.#behaviour.stop()
    this.tool?.stop()
    this.#toolEvents?.stop()
    await this.#driver.stop()
    this.equipment.disable()
    this.memory?.keep()
  }

  #makeTool(clock: Clock): Tool | undefined {
    const { tool: settings, equipment } = this.model
    if (!settings) return undefined
    const outside = {
      clock,
      faults: this.faults,
      seed: this.options.seed ?? 0,
      recipes: () => this.equipment.programs?.ids() ?? [],
      time: () => this.equipment.time.text(),
      note: (notice: Notice) => this.#toolEvents?.note(notice),
      settled: () => this.#toolEvents?.flush(),
      send: (message: SecsMessage) => {
        const isHeld = this.equipment.spool?.states.spool === 'SPOOL_ACTIVE'
        if (this.equipment.online && !isHeld) void this.equipment.outbound.send(message)
      },
    }
    return new Tool(settings, outside, equipment.mdln)
  }

  /** The value of a status variable that the tool keeps, by id. */
  #toolValue(id: string): TypedValue | undefined {
    const variable = this.tool && this.model.equipment.variables.find((one) => one.id === id)
    return variable?.kind === 'status' ? this.tool?.valueOf(variable.name) : undefined
  }

  /** A change is on the disk before its reply leaves. */
  #answer(primary: HostPrimary): EquipmentReply {
    const reply = this.equipment.replyTo(primary)
    this.memory?.keep()
    return reply
  }

  /** By CEID or name; whether the host acknowledged S6F11. Throws RangeError when the model has no such event. */
  fireEvent(event: string | number): Promise<boolean> {
    const { events } = this.model.equipment
    const known = events.find(({ id }) => id === String(event)) ?? events.find(({ name }) => name === event)
    if (!known) throw new RangeError(`no event has the id or name ${event}`)
    return this.#behaviour.fire(known.id)
  }

  /** Sends a primary of any kind, with W-bit or without; undefined for one without, whose end is not known. */
  async send(message: SecsMessage, wait: boolean): Promise<Exchange | undefined> {
    if (wait) return this.#wire.request(message)
    this.#wire.sendOneWay(message)
    return undefined
  }

  /** Writes bytes on the wire that need be no HSMS; false when there is no connection. */
  inject(bytes: Uint8Array): boolean {
    return this.#driver.inject(bytes)
  }

  /** Closes the connection without Separate.req; the link comes up again as before. False when there is none. */
  drop(): boolean {
    return this.#driver.cut()
  }

  /** SECS-I, which has no control messages. */
  get isSecs1(): boolean {
    return this.options.line !== undefined
  }

  /** Ends the session by Separate.req; the link comes up again as before. False when there is none. */
  separate(): boolean {
    const systemBytes = this.#driver.reserve()
    if (systemBytes === undefined) return false
    this.#driver.release(systemBytes)
    const { controlSessionId: sessionId } = HSMS_DEFAULTS
    return this.#driver.inject(encodeFrame(controlFrame('separateReq', { sessionId, systemBytes })))
  }
}
