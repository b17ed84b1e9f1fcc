import { A, type AbstractSecs2Item, BOOLEAN, L, U1, U2, U4 } from 'secs4js'
import { ForeignPeer } from '../support/foreign-peer.js'
import { EventReports } from './event-reports.js'
import { answersOf } from './lot-tool-messages.js'
import { CHANGES, type Change, VARIABLES, type Variable } from './lot-tool-names.js'

/** What a site or a make chooses. */
export interface LotToolSettings {
  /** 0 joins words and counts as most do; 1 writes operators' words and counts otherwise. */
  readonly make: 0 | 1
  readonly idWaits: boolean
  readonly slotMapWaits: boolean
  /** Called before each wafer: a test holds the lot there. */
  readonly beforeWafer?: (job: string, wafer: number) => Promise<void>
}

export interface Carrier {
  id: string
  idStatus: number
  slotMapStatus: number
  accessing: number
  slots: readonly boolean[]
  content: readonly AbstractSecs2Item[]
}

export interface Job {
  readonly id: string
  state: number
  readonly recipe: string
  readonly parameters: readonly AbstractSecs2Item[]
  readonly method: number
  readonly carrier: string
  readonly slots: readonly number[]
  readonly auto: boolean
  started: boolean
}

export interface ControlJob {
  readonly id: string
  state: number
  readonly carriers: readonly string[]
  readonly jobs: readonly string[]
  readonly auto: boolean
  readonly order: number
  started: boolean
  /** The transition that ends it. */
  end: 'control 10' | 'control 11' | 'control 12'
}

export interface Substrate {
  readonly id: string
  readonly slot: number
  transport: number
  processing: number
  location: string
}

/** What an event is about beside the carrier at the port. */
interface About {
  readonly job?: Job
  readonly control?: ControlJob
  readonly substrate?: Substrate
}

export const RECIPES = ['OX 200/b', 'NIT-11'] as const
const OVER = new Set([4, 10, 11])
export const isOver = (job: Job): boolean => OVER.has(job.state)

/** Process equipment with one load port, over HSMS and SECS-II that are not ours. It knows nothing of our code. */
export class LotTool {
  readonly port = { transfer: 2, mode: 0, association: 0, reservation: 0 }
  carrier: Carrier | undefined
  /** Carriers that the host bound or announced. */
  readonly announced = new Set<string>()
  readonly jobs = new Map<string, Job>()
  readonly controls = new Map<string, ControlJob>()
  readonly substrates = new Map<string, Substrate>()
  readonly events: EventReports
  /** Names of the events that happened, enabled or not. */
  readonly happened: Change[] = []
  #peer: ForeignPeer | undefined
  #working: Promise<void> | undefined
  #again = false

  private constructor(readonly settings: LotToolSettings) {
    const keys = (row: object) => new Set(Object.keys(row).map((_, index) => String(this.idOf(index))))
    this.events = new EventReports(keys(CHANGES), keys(VARIABLES))
  }

  static async start(settings: LotToolSettings): Promise<LotTool> {
    const tool = new LotTool(settings)
    const answers = answersOf(tool)
    tool.#peer = await ForeignPeer.start({}, true, ({ stream, func, body }) => {
      const made = answers[`S${stream}F${func}`]?.(body ?? undefined)
      return made === undefined ? { function: 0 } : { function: func + 1, body: made }
    })
    return tool
  }

  get peer(): ForeignPeer {
    if (!this.#peer) throw new Error('not started')
    return this.#peer
  }

  async stop(): Promise<void> {
    await this.peer.stop()
  }

  /** CEID or VID of a row. */
  idOf = (index: number): number => (this.settings.make === 0 ? 7000 + index : 11 + 2 * index)

  numberItem = (value: number): AbstractSecs2Item => (this.settings.make === 0 ? U4(value) : U2(value))

  // The numbers that the make shows for what all count alike inside.
  jobState = (job: Job): number => {
    if (this.settings.make === 0) return job.state
    return job.state === 3 ? 5 : job.state > 9 ? 255 : job.state
  }
  substrateState = (value: number): number => value + this.settings.make
  slotMap = (carrier: Carrier): AbstractSecs2Item =>
    L(...carrier.slots.map((has) => (this.settings.make === 0 ? U1(has ? 3 : 1) : U2(has ? 1 : 0))))

  // ---- what its operator does

  /** A carrier is put onto the port. */
  async load(id: string, slots: readonly boolean[] = Array(25).fill(true)): Promise<void> {
    const bound = this.announced.delete(id)
    await this.change('port 6', () => {
      this.port.transfer = 1
    })
    this.carrier = { id, idStatus: 0, slotMapStatus: 0, accessing: 0, slots, content: [] }
    for (const [index, has] of slots.entries()) {
      if (!has) continue
      const substrate = {
        ...{ id: `${id}-${String(index + 1).padStart(2, '0')}`, slot: index + 1 },
        ...{ transport: 0, processing: 0, location: `${id}/${index + 1}` },
      }
      this.substrates.set(substrate.id, substrate)
    }
    await this.change('placed')
    await this.change('association 2', () => {
      this.port.association = 1
    })
    if (this.settings.idWaits && !bound) await this.setCarrier('carrier 3', { idStatus: 1 })
    else await this.acceptId('carrier 6', bound)
  }

  /** The carrier is taken from the port. */
  async take(): Promise<string> {
    const { carrier } = this
    if (!carrier || this.port.transfer !== 3) throw new Error('there is nothing to take')
    await this.change('port 7', () => {
      this.port.transfer = 1
    })
    await this.change('taken')
    for (const substrate of [...this.substrates.values()]) {
      this.substrates.delete(substrate.id)
      await this.change('substrate 7', undefined, { substrate })
    }
    for (const job of [...this.jobs.values()].filter(isOver)) {
      this.jobs.delete(job.id)
      await this.change('job 7', undefined, { job })
    }
    for (const control of [...this.controls.values()].filter(({ state }) => state === 5)) {
      this.controls.delete(control.id)
      await this.change('control 13', undefined, { control })
    }
    await this.change('carrier 21')
    this.carrier = undefined
    await this.change('association 3', () => {
      this.port.association = 0
    })
    await this.change('port 8', () => {
      this.port.transfer = 2
    })
    return carrier.id
  }

  // ---- what the host's messages cause

  setCarrier(change: Change, to: Partial<Carrier>): Promise<void> {
    return this.change(change, () => {
      if (this.carrier) Object.assign(this.carrier, to)
    })
  }

  async acceptId(change: 'carrier 6' | 'carrier 8', verified = false): Promise<void> {
    await this.setCarrier(change, { idStatus: 2 })
    for (const substrate of this.substrates.values())
      await this.change('substrate 1', undefined, { substrate })
    if (this.settings.slotMapWaits && !verified) await this.setCarrier('carrier 14', { slotMapStatus: 1 })
    else await this.acceptSlotMap('carrier 13')
  }

  async acceptSlotMap(change: 'carrier 13' | 'carrier 15'): Promise<void> {
    await this.setCarrier(change, { slotMapStatus: 2 })
    this.work()
  }

  /** The carrier can be taken. */
  async release(): Promise<void> {
    await this.change('port 9', () => {
      this.port.transfer = 3
    })
  }

  /** After the reply of the message that is answered now, or, by the other make, before it. */
  soon(then: () => Promise<void>): void {
    if (this.settings.make === 1) void then()
    else setImmediate(() => void then())
  }

  /** Does what can be done now, one change after another. */
  work(): void {
    this.#again = true
    this.#working ??= (async () => {
      while (this.#again) {
        this.#again = false
        while (await this.#step()) await new Promise(setImmediate)
      }
      this.#working = undefined
    })()
  }

  /** Makes a change, and reports it with what is so then. */
  async change(change: Change, make: () => void = () => {}, about: About = {}): Promise<void> {
    make()
    this.happened.push(change)
    const event = this.numberItem(this.idOf(Object.keys(CHANGES).indexOf(change)))
    const names = Object.keys(VARIABLES) as Variable[]
    const body = this.events.bodyOf(event, (id) => {
      const name = names.find((_, index) => String(this.idOf(index)) === id)
      return (name && this.values(about)[name]) || L()
    })
    // A host that is gone has no answer: the lot goes on.
    if (body && this.peer.selected) await this.peer.request(6, 11, body).catch(() => {})
  }

  /** The values of all variables now. */
  values({ job, control, substrate }: About = {}): Readonly<Record<Variable, AbstractSecs2Item>> {
    const { port, carrier } = this
    return {
      control: U1(5),
      transfer: U1(port.transfer),
      association: U1(port.association),
      mode: U1(port.mode),
      port: U1(1),
      carrier: A(carrier?.id ?? ''),
      idStatus: U1(carrier?.idStatus ?? 0),
      slotMapStatus: U1(carrier?.slotMapStatus ?? 0),
      accessing: U1(carrier?.accessing ?? 0),
      slotMap: carrier ? this.slotMap(carrier) : L(),
      job: A(job?.id ?? ''),
      jobState: U1(job ? this.jobState(job) : 255),
      controlJob: A(control?.id ?? ''),
      controlState: U1(control?.state ?? 255),
      substrate: A(substrate?.id ?? ''),
      transport: U1(this.substrateState(substrate?.transport ?? 0)),
      processing: U1(this.substrateState(substrate?.processing ?? 0)),
    }
  }

  setJob(change: Change, job: Job, state: number): Promise<void> {
    return this.change(
      change,
      () => {
        job.state = state
      },
      { job },
    )
  }

  setControl(change: Change, control: ControlJob, state: number): Promise<void> {
    return this.change(
      change,
      () => {
        control.state = state
      },
      { control },
    )
  }

  // ---- the lot

  /** One change of the lot; false when nothing can be done now. */
  async #step(): Promise<boolean> {
    const control = [...this.controls.values()].find(({ state }) => state !== 5)
    const carrier = this.carrier
    if (!control) return false
    if (control.state === 0) {
      const ready = carrier?.idStatus === 2 && carrier.slotMapStatus === 2 && carrier.accessing < 2
      if (!ready || !control.carriers.includes(carrier.id)) return false
      await this.setControl('control 3', control, 1)
    } else if (control.state === 1) {
      const { auto } = control
      await this.setControl(auto ? 'control 5' : 'control 6', control, auto ? 3 : 2)
    } else if (control.state === 2) {
      if (!control.started) return false
      await this.setControl('control 7', control, 3)
    } else return control.state === 3 && this.#execute(control)
    return true
  }

  async #execute(control: ControlJob): Promise<boolean> {
    const job = control.jobs.map((id) => this.jobs.get(id)).find((one) => one && !isOver(one))
    if (job) return this.#stepJob(job)
    await this.setControl(control.end, control, 5)
    const stopped = control.end !== 'control 10'
    if (this.carrier?.accessing === 1)
      await this.setCarrier(stopped ? 'carrier 20' : 'carrier 19', { accessing: stopped ? 3 : 2 })
    if (this.settings.make === 0) await this.release()
    return true
  }

  async #stepJob(job: Job): Promise<boolean> {
    const moves: Readonly<Record<number, readonly [Change, number]>> = {
      0: ['job 2', 1],
      1: job.auto ? ['job 4', 3] : ['job 3', 2],
      6: ['job 9', 7],
      8: ['job 17', 10],
      ...(job.started && { 2: ['job 5', 3] as const }),
    }
    const move = moves[job.state]
    if (move) await this.setJob(move[0], job, move[1])
    if (move || job.state !== 3) return move !== undefined
    const next = [...this.substrates.values()].find(
      ({ slot, processing }) => processing === 0 && job.slots.includes(slot),
    )
    if (next) await this.#process(job, next)
    else await this.setJob('job 6', job, 4)
    return true
  }

  /** A wafer goes to the chamber and back, in no time. */
  async #process(job: Job, substrate: Substrate): Promise<void> {
    if (this.carrier?.accessing === 0) await this.setCarrier('carrier 18', { accessing: 1 })
    await this.settings.beforeWafer?.(job.id, substrate.slot)
    if (job.state !== 3) return
    const set = (change: Change, to: Partial<Substrate>) =>
      this.change(change, () => Object.assign(substrate, to), { job, substrate })
    await set('substrate 2', { transport: 1, location: 'PM1' })
    await set('substrate 11', { processing: 1 })
    await set('substrate 12', { processing: 2 })
    await set('substrate 5', { transport: 2, location: `${this.carrier?.id}/${substrate.slot}` })
  }

  // ---- its objects

  /** The attributes of all objects of a type, by ID; undefined for a type that it does not have. */
  objects(type: string): Map<string, Readonly<Record<string, AbstractSecs2Item>>> | undefined {
    const { make } = this.settings
    const texts = (all: readonly string[]) => L(...all.map((one) => A(one)))
    switch (type.toUpperCase()) {
      case make === 0 ? 'LOADPORT' : 'PORT':
        return new Map([
          [
            make === 0 ? '1' : 'LP1',
            {
              PortID: U1(1),
              [make === 0 ? 'AccessMode' : 'PortAccessMode']: U1(this.port.mode),
              PortAssociationState: U1(this.port.association),
              [make === 0 ? 'LoadPortReservationState' : 'PortReservationState']: U1(this.port.reservation),
              PortTransferState: U1(this.port.transfer),
            },
          ],
        ])
      case 'CARRIER':
        return new Map((this.carrier ? [this.carrier] : []).map((one) => [one.id, this.#carrierObject(one)]))
      case 'PROCESSJOB':
        return new Map([...this.jobs.values()].map((one) => [one.id, this.#jobObject(one)]))
      case 'CONTROLJOB':
        return new Map(
          [...this.controls.values()].map((one) => [
            one.id,
            {
              CarrierInputSpec: texts(one.carriers),
              ProcessingCtrlSpec: L(...one.jobs.map((job) => (make === 0 ? L(A(job), L(), L()) : A(job)))),
              ProcessOrderMgmt: U1(one.order),
              StartMethod: BOOLEAN(one.auto),
              State: U1(one.state),
            },
          ]),
        )
      case 'SUBSTRATE':
        return new Map(
          [...this.substrates.values()].map((one) => [
            one.id,
            {
              SubstLocID: A(one.location),
              SubstProcState: U1(this.substrateState(one.processing)),
              SubstState: U1(this.substrateState(one.transport)),
            },
          ]),
        )
      default:
        return undefined
    }
  }

  #carrierObject(carrier: Carrier): Readonly<Record<string, AbstractSecs2Item>> {
    return {
      Capacity: U1(carrier.slots.length),
      CarrierAccessingStatus: U1(carrier.accessing),
      CarrierIDStatus: U1(carrier.idStatus),
      ContentMap: L(...carrier.content),
      LocationID: A('LP1'),
      SlotMap: this.slotMap(carrier),
      SlotMapStatus: U1(carrier.slotMapStatus),
      SubstrateCount: U1(carrier.slots.filter(Boolean).length),
      Usage: A('PRODUCT'),
    }
  }

  #jobObject(job: Job): Readonly<Record<string, AbstractSecs2Item>> {
    return {
      PauseEvent: L(),
      PRJobState: U1(this.jobState(job)),
      PRMtlNameList: L(L(A(job.carrier), L(...job.slots.map((slot) => U1(slot))))),
      PRMtlType: U1(13),
      PRProcessStart: BOOLEAN(job.auto),
      PRRecipeMethod: U1(job.method),
      RecID: A(job.recipe),
      RecVariableList: L(...job.parameters),
    }
  }
}
