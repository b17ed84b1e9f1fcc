import { faultyRequest } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type {
  ControlJob,
  controlJobEndpoints,
  PROCESS_ORDERS,
} from '../../contract/topics/gem300/control-jobs.js'
import { CONTROL_JOB_WORDS, type ControlJobCommand, type ProcessOrder } from '../../gem300/control-job.js'
import { controlJobAttributes, controlJobOf } from '../../gem300/control-job-attributes.js'
import { readFlag } from '../../gem300/messages/body-part.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Handlers } from '../handler.js'
import { attributesIn, bodyFor, errorsIn, exchanged, requireIds, viewOf } from './object-exchange.js'
import { attributeRead, codeAttribute, listedObjects, oneObject, type ToldObject } from './object-query.js'
import { shownInTurns } from './objects-in-turns.js'

const TYPE = 'ControlJob'

const ORDERS: Readonly<Record<(typeof PROCESS_ORDERS)[number], ProcessOrder>> = {
  arrival: 'ARRIVAL',
  optimize: 'OPTIMIZE',
  list: 'LIST',
}

/** CTLJOBCMD, and whether it decides what becomes of the process jobs. */
const COMMANDS = {
  start: ['CJSTART', false],
  pause: ['CJPAUSE', false],
  resume: ['CJRESUME', false],
  cancel: ['CJCANCEL', true],
  deselect: ['CJDESELECT', false],
  stop: ['CJSTOP', true],
  abort: ['CJABORT', true],
  first: ['CJHOQ', false],
} as const satisfies Record<string, readonly [ControlJobCommand, boolean]>

/** Control jobs (SEMI E94): objects (S14F1, S14F9), and commands (S16F27). */
export const controlJobHandlers: Handlers<typeof controlJobEndpoints> = {
  async listControlJobs({ params: { id }, query }, { asking }) {
    const { objects, view } = await listedObjects(asking, id, TYPE, query)
    return onePage(await shownInTurns(objects, (object) => controlJob(object, view)))
  },

  async getControlJob({ params: { id, job }, query }, { asking }) {
    const { object, view } = await oneObject(asking, id, TYPE, job, query)
    return controlJob(object, view)
  },

  async createControlJob({ params: { id }, send, body }, { asking }) {
    const { job_id, process_jobs, carriers = [], order = 'arrival', manual_start = false } = body
    requireIds([
      ['/job_id', job_id],
      ...process_jobs.map((job, at) => [`/process_jobs/${at}`, job] as const),
      ...carriers.map((carrier, at) => [`/carriers/${at}`, carrier] as const),
    ])
    const view = viewOf(asking.reading(id))
    const ATTRIBUTES = controlJobAttributes(
      {
        id: job_id,
        carriers,
        processJobs: process_jobs,
        order: ORDERS[order],
        startsByItself: !manual_start,
      },
      view,
    )
    const { specifier: OBJSPEC = view.variants.createSpecifier } = body
    const item = bodyFor('S14F9', { OBJSPEC, OBJTYPE: TYPE, ATTRIBUTES }, view)
    const { content, message_id, reply_id } = await exchanged(asking, id, 'S14F9', item, 'S14F10', send)
    const { OBJACK, ERRORS } = content.RESULT
    return { job_id, accepted: OBJACK === 'DONE', errors: errorsIn(ERRORS), message_id, reply_id }
  },

  async commandControlJob({ params: { id, job }, send, body: { command, jobs } }, { asking, objects }) {
    const [CTLJOBCMD, decides] = COMMANDS[command]
    if (decides !== (jobs !== undefined)) {
      const detail = decides
        ? `is required with ${command}: keep or remove the process jobs`
        : `has no effect on ${command}`
      throw faultyRequest('invalid_message', [{ pointer: '/jobs', detail }])
    }
    const CPVAL = jobs === 'remove' ? ('REMOVE_JOBS' as const) : ('SAVE_JOBS' as const)
    const ACTION = jobs === undefined ? undefined : { CPNAME: 'Action', CPVAL }
    const item = bodyFor('S16F27', { CTLJOBID: job, CTLJOBCMD, ACTION }, viewOf(asking.reading(id)))
    const { content, message_id, reply_id } = await exchanged(asking, id, 'S16F27', item, 'S16F28', send)
    // Who looks at the queue next sees the job there.
    if (command === 'first') await objects.recorded(id)
    return { job_id: job, accepted: content.ACKA, errors: errorsIn(content.ERRORS), message_id, reply_id }
  },
}

function controlJob(object: ToldObject, view: Gem300View): ControlJob {
  const { carriers, processJobs } = controlJobOf(object.attributes, view)
  return {
    job_id: object.id,
    state: codeAttribute(object, ['State'], CONTROL_JOB_WORDS, view),
    carriers: [...carriers],
    process_jobs: [...processJobs],
    starts_by_itself: attributeRead(object, ['StartMethod'], (item) => readFlag(item, view, '')),
    attributes: attributesIn(object.attributes, view),
  }
}
