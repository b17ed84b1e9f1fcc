import { slotMapItem } from '../../../src/gem300/carrier-attributes.js'
import { controlJobAttributes } from '../../../src/gem300/control-job-attributes.js'
import { type BodyContent, type BodyName, buildBody } from '../../../src/gem300/messages/bodies.js'
import { PROCESS_JOB_COMMANDS } from '../../../src/gem300/process-job.js'
import { CommandError } from '../../../src/simulator/control/arguments.js'
import type { Faults } from '../../../src/simulator/faults.js'
import { slotsBySeed } from '../../../src/simulator/gem300/carrier.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import type { Random } from '../../support/random.js'
import { SEED_OF_CARRIERS, TestTool } from './test-tool.js'

const CARRIERS = ['FOUP1', 'FOUP2', 'FOUP3'] as const
const JOBS = ['PJ1', 'PJ2', 'PJ3', 'PJ4'] as const
const CONTROL_JOBS = ['CJ1', 'CJ2', 'CJ3'] as const
const CARRIER_ACTIONS = [
  'ProceedWithCarrier',
  'ProceedWithCarrier',
  'ProceedWithCarrier',
  'CancelCarrier',
  'CarrierRelease',
  'CarrierNotification',
  'CancelCarrierNotification',
  'Bind',
  'CancelBind',
  'CancelCarrierAtPort',
  'CarrierOut',
] as const

const CONTROL_COMMANDS = [
  'CJSTART',
  'CJPAUSE',
  'CJRESUME',
  'CJCANCEL',
  'CJDESELECT',
  'CJSTOP',
  'CJABORT',
  'CJHOQ',
  'unknown (99)',
] as const

/** A tool, and acts of an operator and a host, of which many are not allowed. */
export class RandomTool extends TestTool {
  constructor(
    settings: ToolSettings,
    private readonly random: Random,
  ) {
    super(settings, ['R'])
  }

  one<Value>(values: readonly Value[]): Value {
    return values[this.random(values.length)] as Value
  }

  ask<Name extends BodyName>(name: Name, content: BodyContent<Name>): void {
    const reply = this.replies.get(name)
    if (reply && !reply(buildBody(name, content, this.tool.view))) throw new Error(`no reply to ${name}`)
  }

  /** One act; a refusal is an answer, too. */
  act(): void {
    if (this.random(5) < 3) return this.#willing()
    const kind = this.random(20)
    if (kind < 4) this.clock.advance(this.random(500))
    else if (kind < 8) this.#operator()
    else if (kind < 11) this.#carrier()
    else if (kind < 14) this.#job()
    else if (kind < 16) this.#controlJob()
    else if (kind < 18) this.#port()
    else if (kind < 19) this.#fault()
    else this.#objects()
  }

  /** Something that brings a lot on its way. */
  #willing(): void {
    const { tool } = this
    const { ports, jobs } = tool
    const free = CARRIERS.filter((id) => !ports.ports.some(({ placed }) => placed?.id === id))
    const carriers = [...ports.carriers.values()]
    const process = [...jobs.process.values()]
    const willing: (() => void)[] = [() => this.clock.advance(this.random(300))]
    for (const { number, transfer } of ports.ports) {
      if (transfer.state === 'READY_TO_LOAD' && free.length > 0)
        willing.push(() => this.#tried(() => tool.load(number, this.one(free))))
      if (transfer.state === 'READY_TO_UNLOAD') willing.push(() => this.#tried(() => tool.unload(number)))
    }
    for (const carrier of carriers) {
      const { id: CARRIERID, isDone, idStatus, slotMapStatus } = carrier
      const ask = (CARRIERACTION: string): void =>
        this.ask('S3F17', { DATAID: 1, CARRIERACTION, CARRIERID, PTN: undefined, ATTRIBUTES: [] })
      const isWaiting = [idStatus.state, slotMapStatus.state].includes('WAITING_FOR_HOST')
      if (isWaiting) willing.push(() => ask('ProceedWithCarrier'))
      if (isDone) willing.push(() => ask('CarrierRelease'))
      const isWanted = process.some((job) => job.carriers.includes(CARRIERID) && !job.isOver)
      if (ports.isReady(carrier) && !isWanted)
        willing.push(() => this.#newJob(`PJ-${this.random(1000)}`, [{ CARRIERID, SLOTID: [] }]))
    }
    for (const { id, isQueued, controlJob, state } of process) {
      const command = (PRCMDNAME: string): void =>
        this.ask('S16F5', { DATAID: 1, PRJOBID: id, PRCMDNAME, PARAMS: [] })
      if (isQueued && !controlJob) willing.push(() => this.#newControlJob(`CJ-${this.random(1000)}`, [id]))
      if (state === 'WAITING_FOR_START') willing.push(() => command('START'))
      if (state === 'PAUSED') willing.push(() => command('RESUME'))
    }
    for (const { id, state } of jobs.control) {
      const CTLJOBCMD = state === 'PAUSED' ? 'CJRESUME' : 'CJSTART'
      willing.push(() => this.ask('S16F27', { CTLJOBID: id, CTLJOBCMD, ACTION: undefined }))
    }
    this.one(willing)()
  }

  #tried(act: () => unknown): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
    }
  }

  #newJob(PRJOBID: string, MATERIAL: BodyContent<'S16F11'>['MATERIAL'], RCPSPEC = 'R'): void {
    const job = {
      PRJOBID,
      MF: 'CARRIER' as const,
      MATERIAL,
      RECIPE: { PRRECIPEMETHOD: 'RECIPE_ONLY' as const, RCPSPEC, PARAMS: [] },
      PRPROCESSSTART: this.random(3) > 0,
      PRPAUSEEVENTID: [],
    }
    const isOne = this.replies.has('S16F11') && (!this.replies.has('S16F15') || this.random(2) === 0)
    if (isOne) this.ask('S16F11', { DATAID: 1, ...job })
    else this.ask('S16F15', { DATAID: 1, JOBS: [job] })
  }

  #newControlJob(id: string, jobs: readonly string[], carriers: readonly string[] = []): void {
    const order = 'LIST' as const
    const given = { id, carriers, processJobs: jobs, order, startsByItself: this.random(3) > 0 }
    this.ask('S14F9', {
      OBJSPEC: this.tool.settings.objspec,
      OBJTYPE: 'ControlJob',
      ATTRIBUTES: controlJobAttributes(given, this.tool.view),
    })
  }

  #operator(): void {
    this.#tried(() => {
      const kind = this.random(10)
      if (kind < 3) this.tool.load(1 + this.random(3), this.one(CARRIERS))
      else if (kind < 6) this.tool.unload(1 + this.random(2))
      else this.tool.operate(this.one(['pause', 'resume', 'abort']))
    })
  }

  #carrier(): void {
    const id = this.one(CARRIERS)
    const carrier = this.tool.ports.carriers.get(id)
    const map = this.random(2) === 0 ? (carrier?.slotMap ?? slotsBySeed(SEED_OF_CARRIERS, id)) : undefined
    const ATTRIBUTES = map ? [{ CATTRID: 'SlotMap', CATTRDATA: slotMapItem(map, this.tool.view) }] : []
    const PTN = this.one([undefined, 0, 1, 2, carrier?.port])
    this.ask('S3F17', { DATAID: 1, CARRIERACTION: this.one(CARRIER_ACTIONS), CARRIERID: id, PTN, ATTRIBUTES })
  }

  #job(): void {
    const kind = this.random(6)
    const active = this.tool.jobs.running?.id
    const PRJOBID = active !== undefined && this.random(2) === 0 ? active : this.one(JOBS)
    if (kind < 2) {
      const slots = [1, 2, 3, 4, 5].filter(() => this.random(4) === 0)
      const substrates = [...this.tool.cluster.substrates.keys()]
      const isNamed = substrates.length > 0 && this.random(8) === 0
      const ofCarrier = { CARRIERID: this.one(CARRIERS), SLOTID: slots }
      this.#newJob(
        PRJOBID,
        [isNamed ? { MID: this.one(substrates) } : ofCarrier],
        this.one(['R', 'R', 'R', 'X']),
      )
    } else if (kind < 5)
      this.ask('S16F5', { DATAID: 1, PRJOBID, PRCMDNAME: this.one(PROCESS_JOB_COMMANDS), PARAMS: [] })
    else this.ask('S16F17', this.random(3) === 0 ? [] : [PRJOBID])
  }

  #controlJob(): void {
    const active = this.tool.jobs.active?.id
    const id = active !== undefined && this.random(2) === 0 ? active : this.one(CONTROL_JOBS)
    const kind = this.random(8)
    if (kind < 3) {
      const jobs = [...this.tool.jobs.process.keys()].filter(() => this.random(2) === 0)
      this.#newControlJob(id, jobs, this.random(2) === 0 ? [this.one(CARRIERS)] : [])
    } else if (kind < 7) {
      const CPVAL = this.one(['SAVE_JOBS', 'REMOVE_JOBS'] as const)
      const ACTION = this.one([undefined, { CPNAME: 'Action', CPVAL }])
      this.ask('S16F27', { CTLJOBID: id, CTLJOBCMD: this.one(CONTROL_COMMANDS), ACTION })
    } else this.ask('S14F11', { OBJSPEC: this.one([id, `ControlJob:${id}`, this.one(JOBS)]), ATTRIBUTES: [] })
  }

  #port(): void {
    if (this.random(4) === 0)
      return this.ask('S3F27', {
        ACCESSMODE: this.one(['AUTO', 'MANUAL']),
        PTN: this.one([[], [1], [1, 9]]),
      })
    const PORTACTION = this.one([
      'InService',
      'InService',
      'OutOfService',
      'ReserveAtPort',
      'CancelReservationAtPort',
    ])
    this.ask('S3F25', { PORTACTION, PTN: this.one([1, 2, 3]), PARAMS: [] })
  }

  #fault(): void {
    const { faults, random } = this
    const set: readonly (() => void)[] = [
      () => Object.assign(faults, { unreadable: true }),
      () => Object.assign(faults, { differ: 1 + random(25) }),
      () => Object.assign(faults, { double: 1 + random(25) }),
      () => Object.assign(faults, { 'break-off': 1 + random(5) }),
      () => Object.assign(faults, { refuse: new Map([['S16F15', 'Not today']]) }),
      () => {
        this.isRemote = false
      },
    ]
    for (const name of ['unreadable', 'differ', 'double', 'break-off', 'refuse'] as const) delete faults[name]
    this.isRemote = true
    if (random(2) === 0) this.one(set)()
  }

  #objects(): void {
    const OBJTYPE = this.one([
      'Carrier',
      'ControlJob',
      'ProcessJob',
      'Substrate',
      'SubstLoc',
      'LoadPort',
      'Port',
      'X',
    ])
    this.ask('S14F1', { OBJSPEC: '', OBJTYPE, OBJID: [], FILTERS: [], ATTRID: [] })
  }

  /** The host gives everything up, and the operator takes all away. */
  clear(): void {
    for (const name of Object.keys(this.faults) as (keyof Faults)[]) delete this.faults[name]
    this.isRemote = true
    for (const { id } of this.tool.jobs.control)
      this.ask('S16F27', {
        CTLJOBID: id,
        CTLJOBCMD: 'CJABORT',
        ACTION: { CPNAME: 'Action', CPVAL: 'REMOVE_JOBS' },
      })
    this.ask('S16F17', [])
    this.clock.advance(100_000)
    for (const id of this.tool.ports.carriers.keys())
      for (const CARRIERACTION of [
        'CarrierRelease',
        'CancelCarrier',
        'CancelCarrierNotification',
        'CancelBind',
      ])
        this.ask('S3F17', { DATAID: 1, CARRIERACTION, CARRIERID: id, PTN: 0, ATTRIBUTES: [] })
    for (const PTN of [1, 2]) {
      this.ask('S3F25', { PORTACTION: 'InService', PTN, PARAMS: [] })
      this.ask('S3F17', {
        DATAID: 1,
        CARRIERACTION: 'CancelCarrierAtPort',
        CARRIERID: '',
        PTN,
        ATTRIBUTES: [],
      })
      if (this.tool.ports.port(PTN)?.placed) this.tool.unload(PTN)
    }
    this.clock.advance(100_000)
  }
}
