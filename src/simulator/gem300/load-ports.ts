import type { CarrierContents } from '../../gem300/carrier-attributes.js'
import { idFault } from '../../gem300/identifier.js'
import type { SlotState } from '../../gem300/slot-map.js'
import { CommandError } from '../control/arguments.js'
import { Carrier, slotsBySeed } from './carrier.js'
import { PORT_NUMBERS } from './definitions.js'
import { LoadPort, type PlacedCarrier } from './load-port.js'
import type { Move } from './machine.js'
import type { Occurrence } from './notice.js'
import { ERRCODE, Refusal } from './refusal.js'
import type { ToolWorld } from './tool-world.js'
import { carrierValues, portValues } from './values.js'

/** Carrier objects that the tool holds, of which most are announced ones. */
const MAX_CARRIERS = 100

/** What the other parts of the tool do with carriers. */
export interface CarrierUse {
  /** Its slots may be used from now on. */
  verified(carrier: Carrier): void
  /** Whether a job that has begun needs it. */
  inUse(carrier: Carrier): boolean
  /** It leaves, and what lies in it. */
  leaves(carrier: Carrier): void
}

/** The load ports of a tool and its carriers (SEMI E87): what the operator and the tool itself do. */
export class LoadPorts {
  readonly ports: readonly LoadPort[]
  readonly carriers = new Map<string, Carrier>()

  constructor(
    private readonly world: ToolWorld,
    private readonly use: CarrierUse,
  ) {
    this.ports = PORT_NUMBERS.map(
      (number) => new LoadPort(number, (port, move) => this.#notePort(port, move)),
    )
  }

  restore(): void {
    for (const port of this.ports) port.restore()
  }

  port(number: number): LoadPort | undefined {
    return this.ports.find((port) => port.number === number)
  }

  /** The port at which the carrier really is; of one that is only announced none. */
  portOf(carrier: Carrier): LoadPort | undefined {
    const port = carrier.port === undefined ? undefined : this.port(carrier.port)
    return port?.placed && carrier.idStatus.state !== 'ID_NOT_READ' ? port : undefined
  }

  /** Whether jobs may take from it. */
  isReady(carrier: Carrier): boolean {
    const isThere = this.portOf(carrier)?.transfer.state === 'TRANSFER_BLOCKED'
    return isThere && carrier.isVerified && !carrier.isDone
  }

  /** The operator places a carrier. Throws `CommandError`. */
  place(number: number, id: string, slots?: readonly SlotState[]): PlacedCarrier {
    const port = this.#portOfOperator(number)
    const fault = idFault(id)
    if (fault !== undefined) throw new CommandError('usage', `"${id}" ${fault}`)
    if (port.transfer.state !== 'READY_TO_LOAD')
      throw new CommandError('refused', `port ${number} is ${port.transfer.state}, not READY_TO_LOAD`)
    const known = this.carriers.get(id)
    const other = this.ports.find(({ placed }) => placed?.id === id) ?? (known && this.portOf(known))
    if (other) throw new CommandError('refused', `carrier ${id} is at port ${other.number}`)
    const placed = { id, slots: slots ?? slotsBySeed(this.world.seed, id) }
    port.placed = placed
    port.transfer.take('load_began')
    this.#occurred('carrier_placed', port)
    if (port.reservation.can('reservation_cancelled')) port.reservation.take('reservation_cancelled')
    this.world.schedule.after(this.world.settings.loadTime, () => {
      this.#readId(port, placed)
      this.world.settle()
    })
    return placed
  }

  /** The operator takes the carrier away. Throws `CommandError`. */
  take(number: number): PlacedCarrier {
    const port = this.#portOfOperator(number)
    const { placed, carrier } = port
    if (!placed || port.transfer.state !== 'READY_TO_UNLOAD')
      throw new CommandError('refused', `port ${number} is ${port.transfer.state}, not READY_TO_UNLOAD`)
    port.transfer.take('unload_began')
    this.#occurred('carrier_taken', port)
    if (carrier) {
      this.use.leaves(carrier)
      this.end(carrier)
    }
    port.placed = undefined
    port.isUnknown = false
    port.transfer.take('unloaded')
    return placed
  }

  /** The object of a carrier that nobody knew. */
  create(id: string): Carrier {
    const fault = idFault(id)
    if (fault !== undefined) throw new Refusal(ERRCODE.badValue, `CARRIERID ${fault}`)
    if (this.carriers.has(id)) throw new Refusal(ERRCODE.idInUse, `Carrier ${id} exists already`)
    if (this.carriers.size >= MAX_CARRIERS)
      throw new Refusal(ERRCODE.busy, `There are ${MAX_CARRIERS} carriers already`)
    const carrier = new Carrier(id, (moved, move) => this.#noteCarrier(moved, move))
    this.carriers.set(id, carrier)
    carrier.slotMapStatus.take('created')
    carrier.accessing.take('created')
    return carrier
  }

  attach(port: LoadPort, carrier: Carrier): void {
    carrier.port = port.number
    port.carrier = carrier
    port.isUnknown = false
    port.association.take(port.association.can('associated') ? 'associated' : 'associated_again')
  }

  /** The object ends, and its port's association. */
  end(carrier: Carrier): void {
    carrier.slotMapStatus.take('ended')
    carrier.accessing.take('ended')
    carrier.idStatus.take('ended')
    this.carriers.delete(carrier.id)
    this.#detach(carrier)
  }

  #detach(carrier: Carrier): void {
    const port = carrier.port === undefined ? undefined : this.port(carrier.port)
    carrier.port = undefined
    if (port?.carrier !== carrier) return
    port.carrier = undefined
    port.association.take('dissociated')
    if (port.reservation.can('reservation_cancelled')) port.reservation.take('reservation_cancelled')
  }

  /** The ID is accepted: the carrier is opened, and its slots are read. */
  dock(port: LoadPort, carrier: Carrier): void {
    const { placed } = port
    this.world.schedule.after(this.world.settings.loadTime, () => {
      const isStill = port.placed === placed && port.transfer.state === 'TRANSFER_BLOCKED'
      if (isStill && placed && port.carrier === carrier) this.#readSlots(carrier, placed)
      this.world.settle()
    })
  }

  /** The carrier may be taken. */
  release(port: LoadPort): void {
    if (port.transfer.can('released')) port.transfer.take('released')
  }

  accept(carrier: Carrier, contents: CarrierContents): void {
    carrier.tell(contents)
    carrier.slotMapStatus.take('proceed')
    this.use.verified(carrier)
  }

  #readId(port: LoadPort, { id }: PlacedCarrier): void {
    const bound = port.carrier
    const known = this.carriers.get(id)
    if (this.world.faults.unreadable || (known && this.portOf(known))) {
      this.#occurred('id_not_read', port)
      if (bound) bound.idStatus.take('read_failed')
      else port.isUnknown = true
      return
    }
    if (known && known === bound) return this.#matched(port, known)
    if (bound) {
      bound.port = undefined // the port keeps its association, with another carrier
      this.end(bound)
    }
    if (known) {
      this.#detach(known)
      this.attach(port, known)
      return this.#matched(port, known)
    }
    const carrier = this.create(id)
    this.attach(port, carrier)
    this.#occurred('id_read', port)
    carrier.idStatus.take('read')
  }

  /** The host has announced it, and is not asked. */
  #matched(port: LoadPort, carrier: Carrier): void {
    this.#occurred('id_read', port)
    carrier.idStatus.take('matched')
    this.dock(port, carrier)
  }

  #readSlots(carrier: Carrier, { slots }: PlacedCarrier): void {
    const read = this.#sensed(slots)
    const { slotMap: told } = carrier.told
    const isImproper = read.some((slot) => slot === 'DOUBLE_SLOTTED' || slot === 'CROSS_SLOTTED')
    const isEqual = told !== undefined && read.every((slot, at) => slot === told[at])
    carrier.slotMap = read
    if (isEqual && !isImproper) {
      carrier.slotMapStatus.take('matched')
      this.use.verified(carrier)
      return
    }
    carrier.reason = isImproper
      ? 'IMPROPER_SUBSTRATE_POSITION'
      : told
        ? 'VERIFICATION_FAILED'
        : 'VERIFICATION_NEEDED'
    carrier.slotMapStatus.take('read')
  }

  /** The slots as the tool's sensor tells them. */
  #sensed(slots: readonly SlotState[]): readonly SlotState[] {
    const { differ, double } = this.world.faults
    return slots.map((slot, at): SlotState => {
      const turned = slot === 'EMPTY' ? 'CORRECTLY_OCCUPIED' : 'EMPTY'
      const read = double === at + 1 ? 'DOUBLE_SLOTTED' : differ === at + 1 ? turned : slot
      if (this.world.settings.slotCodes === 'standard' || read === 'EMPTY') return read
      return 'CORRECTLY_OCCUPIED' // it sees whether something is there, and no more
    })
  }

  #portOfOperator(number: number): LoadPort {
    const port = this.port(number)
    if (port) return port
    throw new CommandError('usage', `there is no port ${number}: ${PORT_NUMBERS.join(', ')}`)
  }

  #occurred(what: Occurrence, port: LoadPort): void {
    const { carrier } = port
    const { view } = this.world
    const values = { ...(carrier && carrierValues(carrier, view)), ...portValues(port) }
    this.world.note({ what, subject: String(port.number), port: port.number, values })
  }

  #notePort(port: LoadPort, what: Move): void {
    this.world.note({ what, subject: String(port.number), port: port.number, values: portValues(port) })
  }

  #noteCarrier(carrier: Carrier, what: Move): void {
    const values = carrierValues(carrier, this.world.view)
    this.world.note({ what, subject: carrier.id, port: carrier.port, values })
  }
}
