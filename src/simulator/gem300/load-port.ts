import {
  ACCESS_MODE_TRANSITIONS,
  type AccessMode,
  type AccessModeTrigger,
  ASSOCIATION_TRANSITIONS,
  type AssociationState,
  type AssociationTrigger,
  PORT_TRANSFER_TRANSITIONS,
  type PortTransferState,
  type PortTransferTrigger,
  RESERVATION_TRANSITIONS,
  type ReservationState,
  type ReservationTrigger,
} from '../../gem300/port.js'
import type { SlotState } from '../../gem300/slot-map.js'
import type { Carrier } from './carrier.js'
import { Machine, type Move } from './machine.js'

/** A carrier as it really is. */
export interface PlacedCarrier {
  readonly id: string
  readonly slots: readonly SlotState[]
}

/** A load port of the tool. */
export class LoadPort {
  readonly transfer: Machine<PortTransferState, PortTransferTrigger>
  readonly access: Machine<AccessMode, AccessModeTrigger>
  readonly reservation: Machine<ReservationState, ReservationTrigger>
  readonly association: Machine<AssociationState, AssociationTrigger>
  placed: PlacedCarrier | undefined
  /** The object that is associated with the port. */
  carrier: Carrier | undefined
  /** Its ID could not be read, and no object says what it is. */
  isUnknown = false

  constructor(
    readonly number: number,
    moved: (port: LoadPort, move: Move) => void,
  ) {
    const note = (move: Move): void => moved(this, move)
    this.transfer = new Machine('port_transfer', PORT_TRANSFER_TRANSITIONS, note)
    this.access = new Machine('access_mode', ACCESS_MODE_TRANSITIONS, note)
    this.reservation = new Machine('reservation', RESERVATION_TRANSITIONS, note)
    this.association = new Machine('association', ASSOCIATION_TRANSITIONS, note)
  }

  /** The tool was switched on. */
  restore(): void {
    this.access.take('restored_manual')
    this.reservation.take('restored')
    this.association.take('restored')
    this.transfer.take('restored_in_service', 'ready', 'empty')
  }

  get isInService(): boolean {
    return this.transfer.state !== 'OUT_OF_SERVICE'
  }
}
