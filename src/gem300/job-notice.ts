import type { Item } from '../secs2/item.js'
import { errorsText } from './error-text.js'
import type { CompiledMapping } from './mapping/compiled-mapping.js'
import { toldBySource } from './mapping/told-by-source.js'
import { readBody } from './messages/bodies.js'
import { BodyError } from './messages/body-error.js'
import type { JobMilestone, ProcessJobState } from './process-job.js'
import type { ToldObject } from './told-object.js'
import type { Gem300View } from './variants.js'

/** Messages by which equipment tells of its process jobs beside collection events (SEMI E40). */
export const JOB_NOTICES = ['S16F7', 'S16F9'] as const
export type JobNotice = (typeof JOB_NOTICES)[number]

/** What a notice has told of a job. */
export interface NoticedJob {
  readonly told: ToldObject
  /** It does not say for sure which state the job has: the equipment has to be asked. */
  readonly asks: boolean
}

/** How texts of the equipment are limited: a detail of an object is no longer. */
const MAX_ERROR = 256

/** The states that follow each other in a job without trouble. */
const IN_ORDER: readonly string[] = [
  'QUEUED_POOLED',
  'SETTING_UP',
  'WAITING_FOR_START',
  'PROCESSING',
  'PROCESS_COMPLETE',
] satisfies readonly ProcessJobState[]

/** COMPLETE says that the job is over, and not how. */
const REACHED: Readonly<Partial<Record<string, ProcessJobState>>> = {
  SETUP: 'SETTING_UP',
  WAITING_FOR_START: 'WAITING_FOR_START',
  PROCESSING: 'PROCESSING',
  PROCESSING_COMPLETE: 'PROCESS_COMPLETE',
} satisfies Partial<Record<JobMilestone, ProcessJobState>>

interface Names {
  /** The name of a variable; null where it is not known. */
  readonly nameOf: (vid: string) => string | null
  /** The state that the job has, as far as it is known. */
  readonly stateOf: (job: string) => string | undefined
}

/** What a notice says; undefined for one that cannot be understood. */
export function noticedJob(
  notice: JobNotice,
  item: Item | undefined,
  mapping: Pick<CompiledMapping, 'jobVariables'>,
  view: Gem300View,
  names: Names,
): NoticedJob | undefined {
  try {
    return notice === 'S16F7' ? alerted(item, view, names) : changed(item, mapping, view, names)
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  }
}

/**
 * S16F7. A milestone is that of a job that goes on: it may come later than events that have told more, so it never leads
 * back, and the job may have gone on. One that is not done has the errors.
 */
function alerted(item: Item | undefined, view: Gem300View, { stateOf }: Names): NoticedJob {
  const { PRJOBID: id, PRJOBMILESTONE, RESULT } = readBody('S16F7', item, view)
  const isFault = !RESULT.ACKA || RESULT.ERRORS.length > 0
  const details = isFault ? { error: errorsText(RESULT.ERRORS).slice(0, MAX_ERROR) } : {}
  const reached = RESULT.ACKA ? REACHED[PRJOBMILESTONE] : undefined
  const states = reached !== undefined && isLater(reached, stateOf(id)) ? { state: reached } : {}
  return { told: { kind: 'job', id, states, details }, asks: true }
}

function isLater(state: ProcessJobState, known: string | undefined): boolean {
  if (known === undefined) return true
  const at = IN_ORDER.indexOf(known)
  return at >= 0 && at < IN_ORDER.indexOf(state)
}

/** S16F9. Its values are read by the variables that the mapping names for jobs. */
function changed(
  item: Item | undefined,
  { jobVariables: variables }: Pick<CompiledMapping, 'jobVariables'>,
  view: Gem300View,
  { nameOf }: Names,
): NoticedJob {
  const { PREVENTID, PRJOBID: id, VALUES } = readBody('S16F9', item, view)
  const values = VALUES.map(({ VID, V }) => ({ vid: VID, name: nameOf(VID), item: V }))
  const source = {
    kind: 'job',
    state: undefined,
    to: undefined,
    port: undefined,
    object: id,
    variables,
  } as const
  const [told = { kind: 'job', id, states: {} } as const] = toldBySource(
    source,
    values,
    view,
    () => undefined,
  ).objects
  const isSaid = Object.keys(told.states).length > 0 || told.isGone === true
  return { told, asks: !isSaid && PREVENTID !== 'WAITING_FOR_MATERIAL' }
}
