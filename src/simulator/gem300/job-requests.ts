import { attributeNamed } from '../../gem300/carrier-attributes.js'
import type { ControlJobCommand } from '../../gem300/control-job.js'
import { controlJobOf } from '../../gem300/control-job-attributes.js'
import { idFault } from '../../gem300/identifier.js'
import type { BodyContent } from '../../gem300/messages/bodies.js'
import { sameWord } from '../../gem300/messages/body-part.js'
import type { NewProcessJob } from '../../gem300/messages/job-bodies.js'
import { PROCESS_JOB_COMMANDS, type ProcessJobCommand } from '../../gem300/process-job.js'
import { USUAL_SLOTS } from '../../gem300/slot-ranges.js'
import type { ControlJob } from './control-job.js'
import type { JobMaterial, Jobs } from './jobs.js'
import type { ProcessJob } from './process-job.js'
import { ERRCODE, Refusal } from './refusal.js'
import type { ToolWorld } from './tool-world.js'

const MAX_CONTROL_JOBS = 50

/** What a host asks of process jobs and control jobs (S16, S14F9, S14F11). All methods throw `Refusal`. */
export class JobRequests {
  constructor(
    private readonly world: ToolWorld,
    private readonly jobs: Jobs,
    private readonly material: JobMaterial,
  ) {}

  /** S16F11, and one job of S16F15. */
  createProcessJob(given: NewProcessJob): void {
    const { PRJOBID: id, RECIPE } = given
    const fault = idFault(id)
    if (fault !== undefined) throw new Refusal(ERRCODE.badValue, `PRJOBID ${fault}`)
    if (this.jobs.process.has(id)) throw new Refusal(ERRCODE.idInUse, `Process job ${id} exists already`)
    if (this.jobs.space === 0) throw new Refusal(ERRCODE.busy, 'The queue of process jobs is full')
    if (!this.world.recipes().includes(RECIPE.RCPSPEC))
      throw new Refusal(ERRCODE.recipe, `Recipe ${RECIPE.RCPSPEC} not found`)
    if (given.MATERIAL.length === 0) throw new Refusal(ERRCODE.parametersWrong, 'The job has no material')
    for (const material of given.MATERIAL) this.#checkMaterial(material)
    this.jobs.addProcessJob(given)
  }

  #checkMaterial(material: NewProcessJob['MATERIAL'][number]): void {
    if ('MID' in material) {
      if (this.material.substrate(material.MID)) return
      throw new Refusal(ERRCODE.unknownObject, `Substrate ${material.MID} not found`)
    }
    const { CARRIERID: id, SLOTID } = material
    const fault = idFault(id)
    if (fault !== undefined) throw new Refusal(ERRCODE.badValue, `CARRIERID ${fault}`)
    const wrong = SLOTID.find((slot, at) => slot < 1 || slot > USUAL_SLOTS || SLOTID.indexOf(slot) !== at)
    if (wrong !== undefined) throw new Refusal(ERRCODE.badValue, `Slot ${wrong} is wrong, or there twice`)
    const carrier = this.material.carrier(id)
    if (carrier?.isDone) throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is already accessed`)
    if (!carrier?.isVerified) return // the job may come before its carrier
    const there = this.material.of(carrier)
    const empty = SLOTID.find((slot) => !there.some((one) => one.slot === slot))
    if (empty !== undefined) throw new Refusal(ERRCODE.badValue, `Slot ${empty} of ${id} has no substrate`)
  }

  /** S16F5. */
  commandProcessJob({ PRJOBID, PRCMDNAME }: BodyContent<'S16F5'>): void {
    const job = this.#processJob(PRJOBID)
    const command = PROCESS_JOB_COMMANDS.find((name) => sameWord(name, PRCMDNAME))
    if (!command) throw new Refusal(ERRCODE.notSupported, `${PRCMDNAME} not supported`)
    if (!this.#canProcessJob(job, command))
      throw new Refusal(ERRCODE.wrongState, `${command} not valid for ${PRJOBID} in ${job.state}`)
    switch (command) {
      case 'START':
        return job.machine.take('start')
      case 'PAUSE':
        return job.pause()
      case 'RESUME':
        return job.resume()
      case 'CANCEL':
        return this.jobs.removeProcessJob(job)
      default:
        return this.jobs.end(job, command === 'STOP' ? 'stop' : 'abort')
    }
  }

  #canProcessJob(job: ProcessJob, command: ProcessJobCommand): boolean {
    const { machine, isQueued } = job
    switch (command) {
      case 'START':
        return machine.can('start')
      case 'PAUSE':
        return machine.can('pause')
      case 'RESUME':
        return job.canResume
      case 'CANCEL':
        return isQueued
      default:
        return isQueued || machine.can(command === 'STOP' ? 'stop' : 'abort')
    }
  }

  /** S16F17, of one job. */
  dequeue(id: string): void {
    const job = this.#processJob(id)
    if (!job.isQueued) throw new Refusal(ERRCODE.wrongState, `Process job ${id} is ${job.state}`)
    if (job.controlJob)
      throw new Refusal(ERRCODE.wrongState, `Process job ${id} is of control job ${job.controlJob.id}`)
    this.jobs.removeProcessJob(job)
  }

  /** S14F9: OBJSPEC of the new job. */
  createControlJob({ OBJSPEC, OBJTYPE, ATTRIBUTES }: BodyContent<'S14F9'>): string {
    const { settings, view } = this.world
    if (OBJSPEC !== settings.objspec)
      throw new Refusal(ERRCODE.unknownSpecifier, `OBJSPEC is "${settings.objspec}"`)
    if (!sameWord(OBJTYPE, 'ControlJob'))
      throw new Refusal(ERRCODE.unknownType, `${OBJTYPE} cannot be created`)
    const given = controlJobOf(ATTRIBUTES, view)
    const { id, processJobs, carriers } = given
    const fault = idFault(id)
    if (fault !== undefined) throw new Refusal(ERRCODE.badValue, `ObjID ${fault}`)
    if (this.jobs.control.some((job) => job.id === id))
      throw new Refusal(ERRCODE.idInUse, `Control job ${id} exists already`)
    if (this.jobs.control.length >= MAX_CONTROL_JOBS)
      throw new Refusal(ERRCODE.busy, 'The queue of control jobs is full')
    if (processJobs.length === 0) throw new Refusal(ERRCODE.parametersWrong, 'ProcessingCtrlSpec required')
    if (carriers.some((one) => idFault(one) !== undefined))
      throw new Refusal(ERRCODE.badValue, 'CarrierInputSpec has an ID that is none')
    const out = attributeNamed(ATTRIBUTES, 'MtrlOutSpec')
    if (out?.format === 'L' && out.items.length > 0)
      throw new Refusal(ERRCODE.notSupported, 'MtrlOutSpec not supported')
    const jobs = processJobs.map((one, at) => {
      const job = this.#processJob(one)
      if (!job.isQueued || job.controlJob || processJobs.indexOf(one) !== at)
        throw new Refusal(ERRCODE.wrongState, `Process job ${one} is not free`)
      return job
    })
    this.jobs.addControlJob(given, [...ATTRIBUTES], jobs)
    return `ControlJob:${id}`
  }

  /** S14F11: an object by its specifier, with its type or without. */
  delete(specifier: string): void {
    const [, type = '', id = ''] = /^(?:([^:>]*):)?([^:>]*)>?$/.exec(specifier) ?? []
    const control = this.jobs.control.find((job) => job.id === id)
    const process = this.jobs.process.get(id)
    if (control && (type === '' || sameWord(type, 'ControlJob'))) {
      if (control.isActive) throw new Refusal(ERRCODE.wrongState, `Control job ${id} is ${control.state}`)
      control.machine.take(control.isQueued ? 'cancel' : 'removed')
      return this.jobs.removeControlJob(control)
    }
    if (process && (type === '' || sameWord(type, 'ProcessJob'))) {
      if (process.isActive || (process.isQueued && process.controlJob))
        throw new Refusal(ERRCODE.wrongState, `Process job ${id} is ${process.state}`)
      return this.jobs.removeProcessJob(process)
    }
    throw new Refusal(ERRCODE.unknownObject, `${specifier} not found`)
  }

  /** S16F27. */
  commandControlJob({ CTLJOBID, CTLJOBCMD, ACTION }: BodyContent<'S16F27'>): void {
    const job = this.jobs.control.find(({ id }) => id === CTLJOBID)
    if (!job) throw new Refusal(ERRCODE.unknownObject, `Control job ${CTLJOBID} not found`)
    const removes = ACTION?.CPVAL === 'REMOVE_JOBS'
    const acts: Readonly<Record<ControlJobCommand, () => boolean>> = {
      CJSTART: () => job.state === 'WAITING_FOR_START' && this.#take(job, 'start'),
      CJPAUSE: () => this.#take(job, 'pause'),
      CJRESUME: () => this.#take(job, 'resume'),
      CJCANCEL: () => job.isQueued && this.#end(job, 'cancel', removes),
      CJDESELECT: () => this.#deselect(job),
      CJSTOP: () => this.#end(job, 'stop', removes),
      CJABORT: () => this.#end(job, 'abort', removes),
      CJHOQ: () => this.#toHead(job),
    }
    const act = Object.hasOwn(acts, CTLJOBCMD) ? acts[CTLJOBCMD as ControlJobCommand] : undefined
    if (!act) throw new Refusal(ERRCODE.notSupported, `CTLJOBCMD ${CTLJOBCMD} not supported`)
    if (!act())
      throw new Refusal(ERRCODE.wrongState, `${CTLJOBCMD} not valid for ${CTLJOBID} in ${job.state}`)
  }

  #take({ machine, ending }: ControlJob, trigger: 'start' | 'pause' | 'resume'): boolean {
    if (ending || !machine.can(trigger)) return false
    machine.take(trigger)
    return true
  }

  /** Its process jobs that have begun end; the others are removed, or stay without a control job. */
  #end(job: ControlJob, how: 'stop' | 'abort' | 'cancel', removes: boolean): boolean {
    if (job.isOver || (job.ending && !(job.ending === 'stop' && how === 'abort'))) return false
    const running = how === 'cancel' ? [] : job.jobs.filter(({ isActive }) => isActive)
    for (const one of running) if (how !== 'cancel' && one.machine.can(how)) this.jobs.end(one, how)
    for (const one of job.jobs.filter(({ isQueued }) => isQueued)) {
      if (removes) this.jobs.removeProcessJob(one)
      else one.controlJob = undefined
    }
    job.jobs = job.jobs.filter(({ isQueued }) => !isQueued)
    if (job.isQueued) {
      job.machine.take(how)
      this.jobs.removeControlJob(job)
    } else if (how !== 'cancel') job.ending = how
    return true
  }

  #deselect(job: ControlJob): boolean {
    if (job.ending || !job.machine.can('deselect')) return false
    job.machine.take('deselect')
    job.isWaitTold = false
    this.jobs.control = [...this.jobs.control.filter((one) => one !== job), job]
    return true
  }

  #toHead(job: ControlJob): boolean {
    if (!job.isQueued) return false
    this.jobs.control = [job, ...this.jobs.control.filter((one) => one !== job)]
    return true
  }

  #processJob(id: string): ProcessJob {
    const job = this.jobs.process.get(id)
    if (job) return job
    throw new Refusal(ERRCODE.unknownObject, `Process job ${id} not found`)
  }
}
