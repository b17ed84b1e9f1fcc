import { itemsIn } from '../../secs2/item.js'
import {
  CONTROL_JOB_COMMAND_WORDS,
  type ControlJobCommand,
  JOBS_ACTION_WORDS,
  type JobsAction,
} from '../control-job.js'
import {
  JOB_EVENT_WORDS,
  JOB_MILESTONE_WORDS,
  type JobEvent,
  type JobMilestone,
  MATERIAL_FORMAT_WORDS,
  type MaterialFormat,
  type ProcessJobState,
  RECIPE_METHOD_WORDS,
  type RecipeMethod,
} from '../process-job.js'
import {
  anything,
  type BodyPart,
  type ContentOf,
  code,
  flag,
  ids,
  list,
  maybeWhole,
  maybeWithoutFirst,
  record,
  text,
  whole,
  wholes,
} from './body-part.js'
import { CONTROL_JOB_RESULT, JOB_RESULT, maybe, pairs } from './result-parts.js'

const CARRIER_SLOTS = record({ CARRIERID: text('CARRIERID'), SLOTID: wholes('SLOTID') })
const SUBSTRATE = text('MID')

/** A carrier with the slots wanted, of which none are all, or a substrate by its name. */
type Material = ContentOf<typeof CARRIER_SLOTS> | { readonly MID: string }

/** Read by what it is and not by MF, which not every host sets right. */
const MATERIAL: BodyPart<Material> = {
  build: (content, view, at) =>
    'MID' in content ? SUBSTRATE.build(content.MID, view, at) : CARRIER_SLOTS.build(content, view, at),
  read: (item, view, at) =>
    item.format === 'L' ? CARRIER_SLOTS.read(item, view, at) : { MID: SUBSTRATE.read(item, view, at) },
}

/** What a job is about: in messages, and as the attribute PRMtlNameList. */
export const MATERIALS = list(MATERIAL)

const RECIPE = record({
  PRRECIPEMETHOD: code<RecipeMethod>('PRRECIPEMETHOD', RECIPE_METHOD_WORDS),
  RCPSPEC: text('RCPSPEC'),
  PARAMS: pairs(record({ RCPPARNM: text('RCPPARNM'), RCPPARVAL: anything })),
})

const JOB = {
  PRJOBID: text('PRJOBID'),
  MF: code<MaterialFormat>('MF', MATERIAL_FORMAT_WORDS),
  MATERIAL: MATERIALS,
  RECIPE,
  PRPROCESSSTART: flag('PRPROCESSSTART'),
  PRPAUSEEVENTID: ids('PRPAUSEEVENTID'),
} as const

const DATAID = maybeWhole('DATAID')
const PRJOBID = text('PRJOBID')
const PARAMS = pairs(record({ CPNAME: text('CPNAME'), CPVAL: anything }))

const JOBS_RESULT = record({ PRJOBID: list(PRJOBID), RESULT: JOB_RESULT })
const ONE_JOB_RESULT = record({ PRJOBID, RESULT: JOB_RESULT })

/**
 * Of S16F16 and S16F18: the jobs, and one result. Some equipment sends a result for each job: then it is done where all
 * are, and the jobs are those that were done.
 */
const RESULT_OF_JOBS: typeof JOBS_RESULT = {
  build: JOBS_RESULT.build,
  read(item, view, at) {
    const each = itemsIn(item)
    const isEach = each.length > 0 && each.every((one) => isResultOfOne(itemsIn(one)))
    if (!isEach) return JOBS_RESULT.read(item, view, at)
    const read = each.map((one, index) => ONE_JOB_RESULT.read(one, view, `${at}/JOBS/${index}`))
    return {
      PRJOBID: read.flatMap(({ PRJOBID: id, RESULT }) => (RESULT.ACKA ? [id] : [])),
      RESULT: {
        ACKA: read.every(({ RESULT }) => RESULT.ACKA),
        ERRORS: read.flatMap(({ RESULT }) => RESULT.ERRORS),
      },
    }
  },
}

const isResultOfOne = ([id, result]: readonly { readonly format: string }[]): boolean =>
  id !== undefined && id.format !== 'L' && result?.format === 'L'

const ACTION = record({ CPNAME: text('CPNAME'), CPVAL: code<JobsAction>('CPVAL', JOBS_ACTION_WORDS) })

/** One pair, or none; a list of one pair is read too. CPVAL is U1, as all known hosts send it. */
const MAYBE_ACTION: BodyPart<ContentOf<typeof ACTION> | undefined> = {
  build: (content, view, at) =>
    maybe(ACTION).build(content, { ...view, formats: { CPVAL: 'U1', ...view.formats } }, at),
  read(item, view, at) {
    const [first, ...others] = itemsIn(item)
    const pair = first?.format === 'L' && others.length === 0 ? first : item
    return maybe(ACTION).read(pair, view, at)
  },
}

/** Messages of stream 16: process jobs, and commands to control jobs. */
export const JOB_BODIES = {
  S16F5: maybeWithoutFirst(record({ DATAID, PRJOBID, PRCMDNAME: text('PRCMDNAME'), PARAMS }), 4),
  S16F6: ONE_JOB_RESULT,
  S16F7: record({
    TIMESTAMP: text('TIMESTAMP'),
    PRJOBID,
    PRJOBMILESTONE: code<JobMilestone>('PRJOBMILESTONE', JOB_MILESTONE_WORDS),
    RESULT: JOB_RESULT,
  }),
  S16F9: record({
    PREVENTID: code<JobEvent>('PREVENTID', JOB_EVENT_WORDS),
    TIMESTAMP: text('TIMESTAMP'),
    PRJOBID,
    VALUES: pairs(record({ VID: text('VID'), V: anything })),
  }),
  S16F11: record({ DATAID, ...JOB }),
  S16F12: ONE_JOB_RESULT,
  S16F15: record({ DATAID, JOBS: list(record(JOB)) }),
  S16F16: RESULT_OF_JOBS,
  S16F17: list(PRJOBID),
  S16F18: RESULT_OF_JOBS,
  S16F20: list(
    record({ PRJOBID, PRSTATE: code<ProcessJobState>('PRSTATE', (view) => view.variants.processJob) }),
  ),
  S16F22: whole('PRJOBSPACE'),
  S16F27: record({
    CTLJOBID: text('CTLJOBID'),
    CTLJOBCMD: code<ControlJobCommand>('CTLJOBCMD', CONTROL_JOB_COMMAND_WORDS),
    ACTION: MAYBE_ACTION,
  }),
  S16F28: CONTROL_JOB_RESULT,
} as const

/** A process job as S16F11 and S16F15 create it. */
export type NewProcessJob = ContentOf<(typeof JOB_BODIES)['S16F15']>['JOBS'][number]
