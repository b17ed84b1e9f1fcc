import {
  SUBSTRATE_LOCATION_TRANSITIONS,
  SUBSTRATE_PROCESSING_TRANSITIONS,
  SUBSTRATE_TRANSITIONS,
  type SubstrateLocationState,
  type SubstrateLocationTrigger,
  type SubstrateProcessingState,
  type SubstrateProcessingTrigger,
  type SubstrateState,
  type SubstrateTrigger,
} from '../../gem300/substrate.js'
import type { Carrier } from './carrier.js'
import { Machine, type Move } from './machine.js'

/** A place in the tool for one substrate. */
export class Place {
  readonly machine: Machine<SubstrateLocationState, SubstrateLocationTrigger>
  occupant: Substrate | undefined

  constructor(
    readonly id: string,
    moved: (place: Place, move: Move) => void,
  ) {
    this.machine = new Machine(
      'substrate_location',
      SUBSTRATE_LOCATION_TRANSITIONS,
      (move) => moved(this, move),
      'UNOCCUPIED',
    )
  }
}

/** A substrate of a carrier at the tool. */
export class Substrate {
  readonly transport: Machine<SubstrateState, SubstrateTrigger>
  readonly processing: Machine<SubstrateProcessingState, SubstrateProcessingTrigger>
  readonly id: string
  readonly carrier: Carrier
  readonly slot: number
  /** The name of its slot, to which it returns. */
  readonly source: string
  lotId: string
  #place: Place | undefined
  /** The places at which it was, as its host may ask for them. */
  readonly visits: { readonly location: string; readonly since: Date; until?: Date }[] = []

  constructor(
    { id, lotId, carrier, slot, source }: Pick<Substrate, 'id' | 'lotId' | 'carrier' | 'slot' | 'source'>,
    now: Date,
    moved: (substrate: Substrate, move: Move) => void,
  ) {
    const note = (move: Move): void => moved(this, move)
    this.id = id
    this.lotId = lotId
    this.carrier = carrier
    this.slot = slot
    this.source = source
    this.transport = new Machine('substrate', SUBSTRATE_TRANSITIONS, note)
    this.processing = new Machine('substrate_processing', SUBSTRATE_PROCESSING_TRANSITIONS, note)
    this.visits.push({ location: source, since: now })
  }

  /** Undefined: it is in its slot. */
  get place(): Place | undefined {
    return this.#place
  }

  goTo(place: Place | undefined, now: Date): void {
    this.#place = place
    const last = this.visits.at(-1)
    if (last) last.until = now
    this.visits.push({ location: this.location, since: now })
  }

  get location(): string {
    return this.place?.id ?? this.source
  }

  /** A job may still process it. */
  get isWaiting(): boolean {
    return this.transport.state === 'AT_SOURCE' && this.processing.state === 'NEEDS_PROCESSING'
  }
}
