import type { CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/** A control job (SEMI E94). The diagram in docs/state-machines.md is printed from this table. */
export type ControlJobState =
  | 'QUEUED'
  | 'SELECTED'
  | 'WAITING_FOR_START'
  | 'EXECUTING'
  | 'PAUSED'
  | 'COMPLETED'

export type ControlJobTrigger =
  | 'create'
  | 'cancel' // of a job that is queued; what stops or aborts it then removes it, too
  | 'stop'
  | 'abort'
  | 'select' // the job is next
  | 'deselect'
  | 'start' // CJStart, or material is there and StartMethod is auto
  | 'material_ready' // material is there, and the job waits for CJStart
  | 'pause'
  | 'resume'
  | 'completed' // all its process jobs are
  | 'removed'

const ACTIVE = ['SELECTED', 'WAITING_FOR_START', 'EXECUTING', 'PAUSED'] as const

export const CONTROL_JOB_TRANSITIONS: readonly Transition<ControlJobState | NoState, ControlJobTrigger>[] = [
  { number: 1, from: ['NO_STATE'], on: 'create', to: 'QUEUED' },
  { number: 2, from: ['QUEUED'], on: 'cancel', to: 'NO_STATE' },
  { number: 2, from: ['QUEUED'], on: 'stop', to: 'NO_STATE' },
  { number: 2, from: ['QUEUED'], on: 'abort', to: 'NO_STATE' },
  { number: 3, from: ['QUEUED'], on: 'select', to: 'SELECTED' },
  { number: 4, from: ['SELECTED'], on: 'deselect', to: 'QUEUED' },
  { number: 5, from: ['SELECTED'], on: 'start', to: 'EXECUTING' },
  { number: 6, from: ['SELECTED'], on: 'material_ready', to: 'WAITING_FOR_START' },
  { number: 7, from: ['WAITING_FOR_START'], on: 'start', to: 'EXECUTING' },
  { number: 8, from: ['EXECUTING'], on: 'pause', to: 'PAUSED' },
  { number: 9, from: ['PAUSED'], on: 'resume', to: 'EXECUTING' },
  { number: 10, from: ['EXECUTING'], on: 'completed', to: 'COMPLETED' },
  { number: 11, from: ACTIVE, on: 'stop', to: 'COMPLETED' },
  { number: 12, from: ACTIVE, on: 'abort', to: 'COMPLETED' },
  { number: 13, from: ['COMPLETED'], on: 'removed', to: 'NO_STATE' },
]

export const CONTROL_JOB_WORDS: CodeWords<ControlJobState> = {
  0: 'QUEUED',
  1: 'SELECTED',
  2: 'WAITING_FOR_START',
  3: 'EXECUTING',
  4: 'PAUSED',
  5: 'COMPLETED',
}

/** The commands of S16F27. CJHOQ moves a job to the head of the queue. */
export type ControlJobCommand =
  | 'CJSTART'
  | 'CJPAUSE'
  | 'CJRESUME'
  | 'CJCANCEL'
  | 'CJDESELECT'
  | 'CJSTOP'
  | 'CJABORT'
  | 'CJHOQ'
export const CONTROL_JOB_COMMAND_WORDS: CodeWords<ControlJobCommand> = {
  1: 'CJSTART',
  2: 'CJPAUSE',
  3: 'CJRESUME',
  4: 'CJCANCEL',
  5: 'CJDESELECT',
  6: 'CJSTOP',
  7: 'CJABORT',
  8: 'CJHOQ',
}

/** The parameter Action of CJStop, CJAbort and CJCancel: what becomes of the process jobs. */
export type JobsAction = 'SAVE_JOBS' | 'REMOVE_JOBS'
export const JOBS_ACTION_WORDS: CodeWords<JobsAction> = { 0: 'SAVE_JOBS', 1: 'REMOVE_JOBS' }

/** The attribute ProcessOrderMgmt. */
export type ProcessOrder = 'ARRIVAL' | 'OPTIMIZE' | 'LIST'
export const PROCESS_ORDER_WORDS: CodeWords<ProcessOrder> = { 1: 'ARRIVAL', 2: 'OPTIMIZE', 3: 'LIST' }
