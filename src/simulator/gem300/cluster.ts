import type { Cancel } from '../../kit/clock.js'
import type { Carrier } from './carrier.js'
import type { Move } from './machine.js'
import { Place, Substrate } from './substrate.js'
import type { ToolWorld } from './tool-world.js'
import { placeValues, substrateValues } from './values.js'

const CHAMBERS = ['Chamber1', 'Chamber2'] as const

/** A chamber, and what goes on in it. */
export interface Chamber extends Place {
  cancel?: Cancel
}

/** What the jobs decide about substrates. */
export interface SubstrateUse {
  /** The substrate that goes into the tool next. */
  next(): Substrate | undefined
  /** Whether its job wants nothing more of it, and it goes home as it is. */
  isGivenUp(substrate: Substrate): boolean
  accessed(carrier: Carrier): void
  /** A chamber began or ended its work; undefined: it has none. */
  works(chamber: string, substrate: Substrate | undefined): void
}

type Step = { readonly substrate: Substrate; readonly to: Place | 'home' }

/** The substrates at the tool (SEMI E90): a robot takes one at a time from its slot through aligner and chamber and back. */
export class Cluster {
  readonly aligner: Place
  readonly chambers: readonly Chamber[]
  readonly substrates = new Map<string, Substrate>()
  #isMoving = false

  constructor(
    private readonly world: ToolWorld,
    private readonly use: SubstrateUse,
  ) {
    const moved = (place: Place, move: Move): void => this.#notePlace(place, move)
    this.aligner = new Place('Aligner', moved)
    this.chambers = CHAMBERS.map((id) => new Place(id, moved))
  }

  get places(): readonly Place[] {
    return [this.aligner, ...this.chambers]
  }

  of(carrier: Carrier): readonly Substrate[] {
    return [...this.substrates.values()].filter((substrate) => substrate.carrier === carrier)
  }

  /** The substrates of a carrier whose slots were accepted. */
  appear(carrier: Carrier): void {
    const added = (carrier.slotMap ?? []).flatMap((slot, at) =>
      slot === 'CORRECTLY_OCCUPIED' ? [this.#substrate(carrier, at + 1)] : [],
    )
    for (const { transport } of added) transport.take('created')
    for (const { processing } of added) processing.take('created')
  }

  /** By the host's name; a name that is taken already is not given again. */
  #substrate(carrier: Carrier, slot: number): Substrate {
    const { lotId, substrateId } = carrier.contentOf(slot)
    const source = `${carrier.id}.${String(slot).padStart(2, '0')}`
    let id = substrateId
    for (let nth = 2; this.substrates.has(id); nth++) id = `${source}-${nth}`
    const substrate = new Substrate(
      { id, lotId, carrier, slot, source },
      this.world.clock.date(),
      (one, move) => this.#noteSubstrate(one, move),
    )
    this.substrates.set(id, substrate)
    return substrate
  }

  /** They leave with their carrier. */
  leave(carrier: Carrier): void {
    for (const substrate of this.of(carrier)) {
      const isDone = substrate.transport.state === 'AT_DESTINATION'
      substrate.transport.take(isDone ? 'left' : 'removed')
      this.substrates.delete(substrate.id)
    }
  }

  /** What is processed for this job ends at once. */
  breakOff(isMeant: (substrate: Substrate) => boolean): void {
    for (const chamber of this.chambers) {
      const { occupant } = chamber
      if (!occupant || !isMeant(occupant) || occupant.processing.state !== 'IN_PROCESS') continue
      chamber.cancel?.()
      this.#ended(chamber, occupant, 'aborted')
    }
  }

  /** Begins the robot's next move, where there is one. */
  drive(): void {
    if (this.#isMoving || !this.#nextStep()) return
    this.#isMoving = true
    this.world.schedule.after(this.world.settings.moveTime, () => {
      this.#isMoving = false
      const step = this.#nextStep() // jobs may have changed meanwhile
      if (step) this.#move(step)
      this.world.settle()
    })
  }

  #nextStep(): Step | undefined {
    const done = this.chambers.find(({ occupant }) => occupant && occupant.processing.state !== 'IN_PROCESS')
    if (done?.occupant) return { substrate: done.occupant, to: 'home' }
    const aligned = this.aligner.occupant
    if (aligned && this.use.isGivenUp(aligned)) return { substrate: aligned, to: 'home' }
    const free = this.chambers.find(({ occupant }) => !occupant)
    if (aligned) return free && { substrate: aligned, to: free }
    const substrate = this.use.next()
    return substrate && { substrate, to: this.aligner }
  }

  #move({ substrate, to }: Step): void {
    const { place, transport, processing } = substrate
    if (place) place.occupant = undefined
    else this.use.accessed(substrate.carrier)
    substrate.goTo(to === 'home' ? undefined : to, this.world.clock.date())
    if (to !== 'home') to.occupant = substrate
    if (to === 'home') transport.take(processing.state === 'NEEDS_PROCESSING' ? 'returned' : 'delivered')
    else transport.take(place ? 'moved' : 'taken')
    place?.machine.take('emptied')
    if (to === 'home') return
    to.machine.take('filled')
    const chamber = this.chambers.find((one) => one === to)
    if (chamber) this.#process(chamber, substrate)
  }

  #process(chamber: Chamber, substrate: Substrate): void {
    const { clock, settings, settle } = this.world
    substrate.processing.take('process_began')
    this.use.works(chamber.id, substrate)
    chamber.cancel = clock.at(clock.now() + settings.processTime, () => {
      this.#ended(chamber, substrate, 'processed')
      settle()
    })
  }

  #ended(chamber: Chamber, substrate: Substrate, how: 'processed' | 'aborted'): void {
    substrate.processing.take(how)
    this.use.works(chamber.id, undefined)
  }

  stop(): void {
    for (const chamber of this.chambers) chamber.cancel?.()
  }

  #notePlace(place: Place, what: Move): void {
    this.world.note({ what, subject: place.id, port: undefined, values: placeValues(place, this.world.view) })
  }

  #noteSubstrate(substrate: Substrate, what: Move): void {
    const values = substrateValues(substrate, this.world.view)
    this.world.note({ what, subject: substrate.id, port: undefined, values })
  }
}
