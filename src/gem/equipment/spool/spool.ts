import { Signal } from '../../../kit/signal.js'
import { nextState } from '../../../kit/state-table.js'
import { decodeBody } from '../../../secs2/decode.js'
import { encodeBody } from '../../../secs2/encode.js'
import type { SecsMessage } from '../../conversation.js'
import type { SpoolModel } from '../equipment-model.js'
import type { EquipmentParts } from '../equipment-parts.js'
import type { Retained } from '../retained-state.js'
import {
  SPOOL_LOAD_STATES,
  SPOOL_STATES,
  SPOOL_UNLOAD_STATES,
  type SpoolLoadState,
  type SpoolLoadTrigger,
  type SpoolState,
  type SpoolTrigger,
  type SpoolUnloadState,
  type SpoolUnloadTrigger,
} from './spool-states.js'
import { isSpooled, type SpooledStream, type SpoolFault, spoolFaults } from './spooled-messages.js'

/** RSDA (SEMI E5). */
const RSDA = { accepted: 0, busy: 1, nothing: 2 } as const
/** RSDC. */
const TRANSMIT = 0
const PURGE = 1

const DEFAULT_CAPACITY = 1000
/** Bytes of bodies that the spool holds, however few messages they are. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
const SPOOLED: readonly SpooledStream[] = [
  { stream: 5, functions: [1] },
  { stream: 6, functions: [11] },
]

/** The state of a spool that GEM keeps while the power is off (SEMI E30). */
type RetainedSpool = NonNullable<Retained['spool']>

interface Kept {
  readonly message: SecsMessage
  /** Of its body. */
  readonly bytes: Uint8Array
}

/** A change of a state, and its cause. */
export interface SpoolMove {
  readonly to: SpoolState | SpoolLoadState | SpoolUnloadState
  readonly cause: SpoolTrigger | SpoolLoadTrigger | SpoolUnloadTrigger
}

/** Keeps what cannot be sent, until the host asks for it (SEMI E30). Bounded in messages and in bytes. */
export class Spool {
  readonly changed = new Signal<void>()
  /** It has another state, of any of its three machines. */
  readonly moved = new Signal<SpoolMove>()
  #state: SpoolState = 'SPOOL_INACTIVE'
  #load: SpoolLoadState = 'SPOOL_NOT_FULL'
  #unload: SpoolUnloadState = 'NO_SPOOL_OUTPUT'
  #kept: Kept[] = []
  #bytes = 0
  #total = 0
  #started = ''
  #filled = ''
  #chosen: readonly SpooledStream[]

  constructor(
    private readonly model: SpoolModel,
    private readonly equipment: EquipmentParts,
  ) {
    this.#chosen = model.messages ?? SPOOLED
  }

  get states(): {
    readonly spool: SpoolState
    readonly load: SpoolLoadState
    readonly unload: SpoolUnloadState
  } {
    return { spool: this.#state, load: this.#load, unload: this.#unload }
  }

  /** Messages in the spool, and those that were to be spooled since it became active. */
  get counts(): { readonly actual: number; readonly total: number } {
    return { actual: this.#kept.length, total: this.#total }
  }

  /** TIME when it became active, and when a message did not fit any more; empty when that has not been. */
  get times(): { readonly started: string; readonly filled: string } {
    return { started: this.#started, filled: this.#filled }
  }

  /** Communication is lost. Does not start where no message is to be spooled. */
  communicationLost(): void {
    if (this.#isEnabled && this.#chosen.length > 0) this.#activate()
  }

  /** Whether a message is to be put here rather than sent. */
  wants(stream: number, fn: number, isCommunicating: boolean): boolean {
    if (!isSpooled(this.#chosen, stream, fn)) return false
    return this.#state === 'SPOOL_ACTIVE' || (!isCommunicating && this.#isEnabled)
  }

  put(message: SecsMessage): void {
    this.#activate()
    this.#total += 1
    this.changed.emit()
    const bytes = encodeBody(message.item)
    if (!this.#hasRoom(bytes) && this.#takeLoad('filled')) this.#filled = this.equipment.time.text()
    if (this.#load === 'SPOOL_FULL') {
      // Room that unloading makes is not used again before spooling is over (SEMI E30).
      const overwrites = this.equipment.constants.used('spool_overwrite') ?? Number(this.model.overwrite ?? 0)
      if (overwrites === 0) return
      while (this.#kept.length > 0 && !this.#hasRoom(bytes)) this.#drop()
    }
    this.#keep({ message, bytes })
  }

  /** S2F43: the messages to spool from now on; an empty list for none. Changes nothing when there are faults. */
  choose(streams: readonly SpooledStream[]): SpoolFault[] {
    const faults = spoolFaults(streams)
    if (faults.length > 0) return faults
    this.#chosen = streams
    this.changed.emit()
    return []
  }

  /** S2F59: the messages that are spooled. */
  get chosen(): readonly SpooledStream[] {
    return this.#chosen
  }

  /** S6F23; RSDA. Starts after the reply has been sent. */
  request(rsdc: number): number {
    if (this.#state === 'SPOOL_INACTIVE') return RSDA.nothing
    if (this.#unload !== 'NO_SPOOL_OUTPUT' || (rsdc !== TRANSMIT && rsdc !== PURGE)) return RSDA.busy
    this.#takeUnload(rsdc === PURGE ? 'purge' : 'transmit')
    const { clock } = this.equipment
    clock.at(clock.now(), () => (rsdc === PURGE ? this.#purge() : void this.#transmit()))
    return RSDA.accepted
  }

  get retained(): RetainedSpool {
    return {
      active: this.#state === 'SPOOL_ACTIVE',
      full: this.#load === 'SPOOL_FULL',
      total: this.#total,
      started: this.#started,
      filled: this.#filled,
      chosen: this.#chosen.map(({ stream, functions }) => ({ stream, functions: [...functions] })),
      messages: this.#kept.map(({ message, bytes }) => ({
        stream: message.stream,
        function: message.function,
        body: bytes,
      })),
    }
  }

  /** Restores the state before the power went off; false when a part does not fit any more and was left out. */
  restore({ active, full, total, started, filled, chosen, messages }: RetainedSpool): boolean {
    const mayChoose = spoolFaults(chosen).length === 0
    if (mayChoose) this.#chosen = chosen
    this.#state = active ? 'SPOOL_ACTIVE' : 'SPOOL_INACTIVE'
    this.#load = full ? 'SPOOL_FULL' : 'SPOOL_NOT_FULL'
    this.#total = total
    this.#started = started
    this.#filled = filled
    for (const { stream, function: fn, body: bytes } of messages) {
      this.#keep({ message: { stream, function: fn, item: decodeBody(bytes) }, bytes })
    }
    return mayChoose && this.#kept.length === messages.length
  }

  get #isEnabled(): boolean {
    const { communicationState, constants } = this.equipment
    return communicationState !== 'DISABLED' && constants.used('spooling_enabled') !== 0
  }

  #purge(): void {
    this.#kept = []
    this.#bytes = 0
    this.#unloaded()
  }

  /** One transaction at a time. A message that the host answered is removed, even if by an error. */
  async #transmit(): Promise<void> {
    const { constants, outbound } = this.equipment
    const most = constants.used('max_spool_transmit') ?? this.model.maxTransmit ?? 0
    for (let sent = 0; most === 0 || sent < most; sent += 1) {
      const [oldest] = this.#kept
      if (!oldest) break
      const { kind } = await outbound.send(oldest.message)
      if (kind === 'lost' || kind === 'timed_out' || kind === 'busy') {
        this.#takeUnload('failed')
        this.equipment.occasion('spool_transmit_failure')
        return
      }
      if (this.#kept[0] === oldest) this.#drop()
    }
    this.#unloaded()
  }

  #unloaded(): void {
    this.#takeUnload('done')
    if (this.#kept.length > 0 || !this.#take('emptied')) return
    this.#takeLoad('relieved')
    this.equipment.occasion('spooling_deactivated')
  }

  #activate(): void {
    if (!this.#take('communication_lost')) return
    this.#total = 0
    this.#started = this.equipment.time.text()
    this.#filled = ''
    this.equipment.occasion('spooling_activated')
  }

  #keep(kept: Kept): void {
    if (!this.#hasRoom(kept.bytes)) return
    this.#kept.push(kept)
    this.#bytes += kept.bytes.length
  }

  #drop(): void {
    this.#bytes -= this.#kept.shift()?.bytes.length ?? 0
    this.changed.emit()
  }

  #hasRoom(bytes: Uint8Array): boolean {
    const { capacity = DEFAULT_CAPACITY } = this.model
    return this.#kept.length < capacity && this.#bytes + bytes.length <= MAX_BODY_BYTES
  }

  #take(trigger: SpoolTrigger): boolean {
    const to = nextState(SPOOL_STATES, this.#state, trigger)
    this.#state = to ?? this.#state
    if (to === undefined) return false
    this.changed.emit()
    this.moved.emit({ to, cause: trigger })
    return true
  }

  #takeLoad(trigger: SpoolLoadTrigger): boolean {
    const to = nextState(SPOOL_LOAD_STATES, this.#load, trigger)
    this.#load = to ?? this.#load
    if (to !== undefined) this.moved.emit({ to, cause: trigger })
    return to !== undefined
  }

  #takeUnload(trigger: SpoolUnloadTrigger): void {
    const to = nextState(SPOOL_UNLOAD_STATES, this.#unload, trigger)
    this.#unload = to ?? this.#unload
    if (to !== undefined) this.moved.emit({ to, cause: trigger })
  }
}
