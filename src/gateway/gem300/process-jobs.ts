import { CatalogueError } from '../../catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { type Fault, faultyRequest, Problem } from '../../contract/errors.js'
import type {
  NewProcessJob,
  ProcessJob,
  ProcessJobDetails,
  processJobEndpoints,
} from '../../contract/topics/gem300/process-jobs.js'
import type { BodyContent } from '../../gem300/messages/bodies.js'
import { type NewProcessJob as JobContent, MATERIALS } from '../../gem300/messages/job-bodies.js'
import { KINDS } from '../../gem300/object-states.js'
import { checkSlots, MOST_SLOTS } from '../../gem300/slot-ranges.js'
import type { Gem300View } from '../../gem300/variants.js'
import { itemsIn, L } from '../../secs2/item.js'
import type { Handlers } from '../handler.js'
import type { Asking, AskOptions, Exchanged, SendOptions } from '../services/asking.js'
import { isUnknownMessage } from '../services/unknown-message.js'
import { requireOne } from '../services/verdict.js'
import { attributesIn, bodyFor, errorsIn, exchanged, requireIds, viewOf } from './object-exchange.js'
import { attributeRead, codeAttribute, objectsOf, type ToldObject, textAttribute } from './object-query.js'

/** Links a message to an inquiry before it, which is not sent: one job is one block. */
const DATAID = 0

/** Process jobs (SEMI E40): those of the equipment (S16F19, S14F1), new ones (S16F15), and commands (S16F5, S16F17). */
export const processJobHandlers: Handlers<typeof processJobEndpoints> = {
  async listProcessJobs({ params: { id }, query: { space, ...options } }, { asking }) {
    const { items } = await jobsOf(id, options, asking)
    const asked = space
      ? await exchanged(asking, id, 'S16F21', undefined, 'S16F22', { ...options, request: undefined })
      : undefined
    return { items, next_cursor: null, space: asked?.content ?? null }
  },

  async getProcessJob({ params: { id, job }, query }, { asking }) {
    const found = await jobObject(id, job, query, asking)
    if (found?.state !== undefined) return found as ProcessJobDetails
    const { items, ...ids } = await jobsOf(id, query, asking)
    const listed = items.find(({ job_id }) => job_id === job)
    if (listed) return { ...EMPTY, ...ids, ...found, ...listed }
    throw new Problem('object_not_found', `${asking.nameOf(id)} has no process job ${job}.`, {
      next: [{ operation: 'listProcessJobs' }],
    })
  },

  async createProcessJob({ params: { id }, send, body }, { asking, decisions }) {
    const view = viewOf(asking.reading(id))
    const job = jobContent(body, view)
    const { message = view.variants.jobCreation } = body
    if (!body.only_free_carriers) return created(id, message, job, send, asking)
    return decisions.decide([`process jobs ${id}`], async () => {
      await requireFree(id, job, send, asking)
      return created(id, message, job, send, asking)
    })
  },

  async commandProcessJob({ params: { id, job }, send, body: { command } }, { asking }) {
    const content = { DATAID, PRJOBID: job, PRCMDNAME: command.toUpperCase(), PARAMS: [] }
    const item = bodyFor('S16F5', content, viewOf(asking.reading(id)))
    const { content: said, ...ids } = await exchanged(asking, id, 'S16F5', item, 'S16F6', send)
    return resultOf(job, said.RESULT, ids)
  },

  async dequeueProcessJob({ params: { id, job }, send }, { asking }) {
    const item = bodyFor('S16F17', [job], viewOf(asking.reading(id)))
    const { content, ...ids } = await exchanged(asking, id, 'S16F17', item, 'S16F18', send)
    return resultOf(job, resultFor(content), ids)
  },
}

async function created(
  id: string,
  message: 'S16F11' | 'S16F15',
  job: JobContent,
  send: SendOptions,
  asking: Asking,
) {
  const view = viewOf(asking.reading(id))
  if (message === 'S16F11') {
    const item = bodyFor('S16F11', { DATAID, ...job }, view)
    const { content, ...ids } = await exchanged(asking, id, message, item, 'S16F12', send)
    return resultOf(job.PRJOBID, content.RESULT, ids)
  }
  const item = bodyFor('S16F15', { DATAID, JOBS: [job] }, view)
  const { content, ...ids } = await exchanged(asking, id, message, item, 'S16F16', send)
  return resultOf(job.PRJOBID, resultFor(content), ids)
}

/** Throws `carrier_in_job` where the equipment says that another job, which is not over, has a carrier of this one. */
async function requireFree(id: string, job: JobContent, options: AskOptions, asking: Asking): Promise<void> {
  const wanted = materialsOf(job.MATERIAL).carriers.map(({ carrier_id }) => carrier_id)
  // A question that fails says nothing of the message that creates the job.
  const told = await objectsOf(asking, id, 'ProcessJob', [], options).catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (!told) return
  for (const object of told.objects) {
    const { state, carriers } = jobToldBy(object, told.view)
    const shared = carriers.find(({ carrier_id }) => wanted.includes(carrier_id))
    if (!shared || object.id === job.PRJOBID || KINDS.job.over.includes(state ?? '')) continue
    throw new Problem(
      'carrier_in_job',
      `${shared.carrier_id} is in process job ${object.id} of ${asking.nameOf(id)}, which is ${state ?? 'not over as far as that is known'}.`,
      { next: [{ operation: 'listProcessJobs' }] },
    )
  }
}

const resultOf = (
  job_id: string,
  { ACKA, ERRORS }: BodyContent<'S16F6'>['RESULT'],
  { message_id, reply_id }: Exchanged,
) => ({ job_id, accepted: ACKA, errors: errorsIn(ERRORS), message_id, reply_id })

/** Of one job that was asked for: no job, and an error, is a refusal, whatever ACKA says. */
const resultFor = ({ PRJOBID, RESULT }: BodyContent<'S16F16'>): BodyContent<'S16F16'>['RESULT'] => ({
  ...RESULT,
  ACKA: RESULT.ACKA && (PRJOBID.length > 0 || errorsIn(RESULT.ERRORS).length === 0),
})

async function jobsOf(
  id: string,
  options: AskOptions,
  asking: Asking,
): Promise<Exchanged & { readonly items: ProcessJob[] }> {
  const asked = { timeout: options.timeout, request: undefined }
  const { content, message_id, reply_id } = await exchanged(asking, id, 'S16F19', undefined, 'S16F20', asked)
  const items = content.map(({ PRJOBID, PRSTATE }) => ({ job_id: PRJOBID, state: PRSTATE }))
  return { items, message_id, reply_id }
}

const EMPTY = { carriers: [], substrates: [], recipe: null, attributes: [] }

const jobToldBy = (object: ToldObject, view: Gem300View) => ({
  state: codeAttribute(object, ['PRJobState'], view.variants.processJob, view),
  ...materialsOf(attributeRead(object, ['PRMtlNameList'], (item) => MATERIALS.read(item, view, '')) ?? []),
})

/** The job as an object; without its state where the equipment does not give it, undefined where it has no such object. */
async function jobObject(
  id: string,
  job: string,
  options: AskOptions,
  asking: Asking,
): Promise<(Omit<ProcessJobDetails, 'state'> & { readonly state?: string }) | undefined> {
  const told = await objectsOf(asking, id, 'ProcessJob', [job], options).catch((error: unknown) => {
    if (isUnknownMessage(error)) return undefined
    throw error
  })
  const [object] = told?.objects ?? []
  if (!told || !object || object.attributes.length === 0) return undefined
  const { view, message_id, reply_id } = told
  const { state, ...materials } = jobToldBy(object, view)
  return {
    job_id: job,
    ...(state !== null && { state }),
    ...materials,
    recipe: textAttribute(object, 'RecID', view),
    attributes: attributesIn(object.attributes, view),
    message_id,
    reply_id,
  }
}

const materialsOf = (
  materials: JobContent['MATERIAL'],
): Pick<ProcessJobDetails, 'carriers' | 'substrates'> => ({
  carriers: materials.flatMap((one) =>
    'MID' in one ? [] : [{ carrier_id: one.CARRIERID, slots: [...one.SLOTID] }],
  ),
  substrates: materials.flatMap((one) => ('MID' in one ? [one.MID] : [])),
})

/** Throws `invalid_message` for IDs and slots that are none. */
function jobContent(given: NewProcessJob, view: Gem300View): JobContent {
  const { job_id, recipe, carriers = [], substrates = [], pause_events = [], manual_start = false } = given
  requireOne(['carriers', carriers.length > 0], ['substrates', substrates.length > 0])
  if (given.only_free_carriers && carriers.length === 0) {
    const detail = 'is for a job of carriers, which this one is not'
    throw faultyRequest('invalid_message', [{ pointer: '/only_free_carriers', detail }])
  }
  requireIds([
    ['/job_id', job_id],
    ...carriers.map(({ carrier_id }, at) => [`/carriers/${at}/carrier_id`, carrier_id] as const),
    ...substrates.map((one, at) => [`/substrates/${at}`, one] as const),
  ])
  requireSlots(carriers)
  const PARAMS = parametersGiven(given.parameters ?? {}, view)
  return {
    PRJOBID: job_id,
    MF: carriers.length > 0 ? 'CARRIER' : 'SUBSTRATE',
    MATERIAL: [
      ...carriers.map(({ carrier_id, slots = [] }) => ({ CARRIERID: carrier_id, SLOTID: slots })),
      ...substrates.map((MID) => ({ MID })),
    ],
    RECIPE: {
      PRRECIPEMETHOD: PARAMS.length > 0 ? 'RECIPE_WITH_VARIABLE_TUNING' : 'RECIPE_ONLY',
      RCPSPEC: recipe,
      PARAMS,
    },
    PRPROCESSSTART: !manual_start,
    PRPAUSEEVENTID: pause_events,
  }
}

function requireSlots(carriers: NonNullable<NewProcessJob['carriers']>): void {
  const before = new Map<string, readonly number[]>()
  const faults = carriers.flatMap(({ carrier_id, slots = [] }, at): Fault[] => {
    try {
      checkSlots(slots, MOST_SLOTS)
      const others = before.get(carrier_id)
      if (others) checkOthers(carrier_id, slots, others)
      before.set(carrier_id, [...(others ?? []), ...slots])
      return []
    } catch (error) {
      return [{ pointer: `/carriers/${at}/slots`, detail: `is wrong: ${(error as RangeError).message}` }]
    }
  })
  if (faults.length > 0) throw faultyRequest('invalid_message', faults)
}

/** Throws `RangeError` for slots of a carrier that an entry before has. An entry without slots has all. */
function checkOthers(carrier: string, slots: readonly number[], others: readonly number[]): void {
  if (slots.length === 0 || others.length === 0)
    throw new RangeError(`${carrier} is there twice, once with all its slots`)
  const twice = slots.find((slot) => others.includes(slot))
  if (twice !== undefined) throw new RangeError(`slot ${twice} of ${carrier} is there twice`)
}

/** Values for variables of the recipe. S16F23 has the same rows: its items are built by the catalogue. */
function parametersGiven(
  given: Readonly<Record<string, unknown>>,
  view: Gem300View,
): JobContent['RECIPE']['PARAMS'] {
  const names = Object.keys(given)
  if (names.length === 0) return []
  const PARAMS = names.map((name) => ({ RCPPARNM: name, RCPPARVAL: given[name] }))
  try {
    const body = STANDARD_CATALOGUE.buildAny(16, 23, { PRJOBID: '', PARAMS }, { ...view, sender: 'host' })
    return itemsIn(itemsIn(body)[1]).map((row, at) => ({
      RCPPARNM: names[at] ?? '',
      RCPPARVAL: itemsIn(row)[1] ?? L(),
    }))
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const faults = error.problems.map(({ item, detail }) => {
      const at = Number(/^PARAMS\/(\d+)/.exec(item)?.[1])
      return { pointer: `/parameters/${names[at] ?? ''}`, detail }
    })
    throw faultyRequest('invalid_message', faults)
  }
}
