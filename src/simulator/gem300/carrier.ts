import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import {
  CARRIER_ACCESSING_TRANSITIONS,
  CARRIER_ID_TRANSITIONS,
  type CarrierAccessingStatus,
  type CarrierAccessingTrigger,
  type CarrierIdStatus,
  type CarrierIdTrigger,
  SLOT_MAP_TRANSITIONS,
  type SlotMapReason,
  type SlotMapStatus,
  type SlotMapTrigger,
} from '../../gem300/carrier.js'
import type { CarrierContents, SlotContent } from '../../gem300/carrier-attributes.js'
import type { SlotMap, SlotState } from '../../gem300/slot-map.js'
import { USUAL_SLOTS } from '../../gem300/slot-ranges.js'
import { seedOf } from '../waveform.js'
import { Machine, type Move } from './machine.js'

/** The carrier object of the tool: of a carrier that is there, or that the host has announced. */
export class Carrier {
  readonly idStatus: Machine<CarrierIdStatus, CarrierIdTrigger>
  readonly slotMapStatus: Machine<SlotMapStatus, SlotMapTrigger>
  readonly accessing: Machine<CarrierAccessingStatus, CarrierAccessingTrigger>
  readonly capacity = USUAL_SLOTS
  /** What the host said of it. */
  told: CarrierContents = {}
  /** As it was read; undefined before. */
  slotMap: SlotMap | undefined
  reason: SlotMapReason = 'VERIFICATION_NEEDED'
  /** The number of the port that it is at or bound to. */
  port: number | undefined

  constructor(
    readonly id: string,
    moved: (carrier: Carrier, move: Move) => void,
  ) {
    const note = (move: Move): void => moved(this, move)
    this.idStatus = new Machine('carrier_id', CARRIER_ID_TRANSITIONS, note)
    this.slotMapStatus = new Machine('slot_map', SLOT_MAP_TRANSITIONS, note)
    this.accessing = new Machine('carrier_accessing', CARRIER_ACCESSING_TRANSITIONS, note)
  }

  /** Its slots may be used. */
  get isVerified(): boolean {
    return this.slotMapStatus.state === 'SLOT_MAP_VERIFICATION_OK'
  }

  get isDone(): boolean {
    return this.accessing.state === 'CARRIER_COMPLETE' || this.accessing.state === 'CARRIER_STOPPED'
  }

  /** What the host says holds from now on; what it leaves out stays. */
  tell(contents: CarrierContents): void {
    this.told = { ...this.told, ...contents }
  }

  contentOf(slot: number): SlotContent {
    const told = this.told.contentMap?.[slot - 1]
    const own = `${this.id}.${String(slot).padStart(2, '0')}`
    return { lotId: told?.lotId ?? '', substrateId: told?.substrateId || own }
  }
}

/** The slots of the carrier that an operator brings: the same for the same seed and ID, with one substrate at least. */
export function slotsBySeed(seed: number, id: string): readonly SlotState[] {
  const generator = xoroshiro128plus(seed ^ seedOf(id))
  const share = uniformInt(generator, 4, 10)
  const slots = Array.from(
    { length: USUAL_SLOTS },
    (): SlotState => (uniformInt(generator, 1, 10) <= share ? 'CORRECTLY_OCCUPIED' : 'EMPTY'),
  )
  return slots.includes('CORRECTLY_OCCUPIED') ? slots : slots.with(0, 'CORRECTLY_OCCUPIED')
}
