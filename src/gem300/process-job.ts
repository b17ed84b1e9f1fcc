import type { CodeVariants, CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/** A process job (SEMI E40). The diagram in docs/state-machines.md is printed from this table. */
export type ProcessJobState =
  | 'QUEUED_POOLED'
  | 'SETTING_UP'
  | 'WAITING_FOR_START'
  | 'PROCESSING'
  | 'PROCESS_COMPLETE'
  | 'PAUSING'
  | 'PAUSED'
  | 'STOPPING'
  | 'ABORTING'
  | 'STOPPED'
  | 'ABORTED'
  | 'EXECUTING' // of equipment that tells the three states of EXECUTING by one number

export type ProcessJobTrigger =
  | 'create'
  | 'set_up' // the job is next
  | 'set_up_manual' // set up, and it waits for START
  | 'set_up_auto' // set up, and it starts by itself
  | 'start'
  | 'completed'
  | 'removed' // the material left
  | 'pause'
  | 'paused'
  | 'resume_setting_up' // RESUME leads to where the job was
  | 'resume_waiting_for_start'
  | 'resume_processing'
  | 'stop'
  | 'abort'
  | 'aborted'
  | 'stopped'
  | 'cancel' // CANCEL, or S16F17

const EXECUTING = ['SETTING_UP', 'WAITING_FOR_START', 'PROCESSING'] as const
const PAUSE = ['PAUSING', 'PAUSED'] as const
const ENDED = ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED'] as const

export const PROCESS_JOB_TRANSITIONS: readonly Transition<
  Exclude<ProcessJobState, 'EXECUTING'> | NoState,
  ProcessJobTrigger
>[] = [
  { number: 1, from: ['NO_STATE'], on: 'create', to: 'QUEUED_POOLED' },
  { number: 2, from: ['QUEUED_POOLED'], on: 'set_up', to: 'SETTING_UP' },
  { number: 3, from: ['SETTING_UP'], on: 'set_up_manual', to: 'WAITING_FOR_START' },
  { number: 4, from: ['SETTING_UP'], on: 'set_up_auto', to: 'PROCESSING' },
  { number: 5, from: ['WAITING_FOR_START'], on: 'start', to: 'PROCESSING' },
  { number: 6, from: ['PROCESSING'], on: 'completed', to: 'PROCESS_COMPLETE' },
  { number: 7, from: ENDED, on: 'removed', to: 'NO_STATE' },
  { number: 8, from: EXECUTING, on: 'pause', to: 'PAUSING' },
  { number: 9, from: ['PAUSING'], on: 'paused', to: 'PAUSED' },
  { number: 10, from: PAUSE, on: 'resume_setting_up', to: 'SETTING_UP' },
  { number: 10, from: PAUSE, on: 'resume_waiting_for_start', to: 'WAITING_FOR_START' },
  { number: 10, from: PAUSE, on: 'resume_processing', to: 'PROCESSING' },
  { number: 11, from: EXECUTING, on: 'stop', to: 'STOPPING' },
  { number: 12, from: PAUSE, on: 'stop', to: 'STOPPING' },
  { number: 13, from: EXECUTING, on: 'abort', to: 'ABORTING' },
  { number: 14, from: ['STOPPING'], on: 'abort', to: 'ABORTING' },
  { number: 15, from: PAUSE, on: 'abort', to: 'ABORTING' },
  { number: 16, from: ['ABORTING'], on: 'aborted', to: 'ABORTED' },
  { number: 17, from: ['STOPPING'], on: 'stopped', to: 'STOPPED' },
  { number: 18, from: ['QUEUED_POOLED'], on: 'cancel', to: 'NO_STATE' },
]

const TO_ABORTING = {
  0: 'QUEUED_POOLED',
  1: 'SETTING_UP',
  2: 'WAITING_FOR_START',
  3: 'PROCESSING',
  4: 'PROCESS_COMPLETE',
  6: 'PAUSING',
  7: 'PAUSED',
  8: 'STOPPING',
  9: 'ABORTING',
} as const

export const PROCESS_JOB_WORDS = {
  standard: { ...TO_ABORTING, 10: 'STOPPED', 11: 'ABORTED' },
  /** One supplier's (one source): 5, which is reserved, says EXECUTING, and an end is told by the job's going. */
  executing_5: { ...TO_ABORTING, 5: 'EXECUTING' },
} as const satisfies CodeVariants<ProcessJobState>

/** The commands of S16F5. */
export const PROCESS_JOB_COMMANDS = ['START', 'STOP', 'PAUSE', 'RESUME', 'ABORT', 'CANCEL'] as const
export type ProcessJobCommand = (typeof PROCESS_JOB_COMMANDS)[number]

/** How the recipe is used: as it is, or with values for its variables. */
export type RecipeMethod = 'RECIPE_ONLY' | 'RECIPE_WITH_VARIABLE_TUNING'
export const RECIPE_METHOD_WORDS: CodeWords<RecipeMethod> = {
  1: 'RECIPE_ONLY',
  2: 'RECIPE_WITH_VARIABLE_TUNING',
}

/** What a job's material is: carriers with slots, or substrates by name. */
export type MaterialFormat = 'CARRIER' | 'SUBSTRATE'
export const MATERIAL_FORMAT_WORDS: CodeWords<MaterialFormat> = { 13: 'CARRIER', 14: 'SUBSTRATE' }

/** PRJOBMILESTONE of S16F7 (one source). */
export type JobMilestone = 'SETUP' | 'PROCESSING' | 'PROCESSING_COMPLETE' | 'COMPLETE' | 'WAITING_FOR_START'
export const JOB_MILESTONE_WORDS: CodeWords<JobMilestone> = {
  1: 'SETUP',
  2: 'PROCESSING',
  3: 'PROCESSING_COMPLETE',
  4: 'COMPLETE',
  5: 'WAITING_FOR_START',
}

/** PREVENTID of S16F9 (one source). */
export type JobEvent = 'WAITING_FOR_MATERIAL' | 'JOB_STATE_CHANGE'
export const JOB_EVENT_WORDS: CodeWords<JobEvent> = { 1: 'WAITING_FOR_MATERIAL', 2: 'JOB_STATE_CHANGE' }
