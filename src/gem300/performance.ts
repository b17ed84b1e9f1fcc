import type { CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/** Equipment performance tracking, of the equipment or of a module (SEMI E116). */
export type EptState = 'IDLE' | 'BUSY' | 'BLOCKED'

export type EptTrigger =
  | 'restored_idle' // the equipment started
  | 'restored_busy'
  | 'restored_blocked'
  | 'task_began'
  | 'task_ended'
  | 'task_changed' // one task ended as the next began
  | 'blocked'
  | 'task_continued'
  | 'cleared' // no longer blocked, and without a task
  | 'reason_changed'

/** The diagram in docs/state-machines.md is printed from this table. */
export const EPT_TRANSITIONS: readonly Transition<EptState | NoState, EptTrigger>[] = [
  { number: 1, from: ['NO_STATE'], on: 'restored_idle', to: 'IDLE' },
  { number: 1, from: ['NO_STATE'], on: 'restored_busy', to: 'BUSY' },
  { number: 1, from: ['NO_STATE'], on: 'restored_blocked', to: 'BLOCKED' },
  { number: 2, from: ['IDLE'], on: 'task_began', to: 'BUSY' },
  { number: 3, from: ['BUSY'], on: 'task_ended', to: 'IDLE' },
  { number: 4, from: ['BUSY'], on: 'task_changed', to: 'BUSY' },
  { number: 5, from: ['BUSY'], on: 'blocked', to: 'BLOCKED' },
  { number: 6, from: ['BLOCKED'], on: 'task_continued', to: 'BUSY' },
  { number: 7, from: ['BLOCKED'], on: 'cleared', to: 'IDLE' },
  { number: 8, from: ['IDLE'], on: 'blocked', to: 'BLOCKED' },
  { number: 9, from: ['BLOCKED'], on: 'reason_changed', to: 'BLOCKED' },
]

/** NO_STATE is sent too, as the previous state of a module that has just started (one source). */
export const EPT_WORDS: CodeWords<EptState | NoState> = { 0: 'IDLE', 1: 'BUSY', 2: 'BLOCKED', 3: 'NO_STATE' }

/** The variable TaskType (one source). */
export type TaskType =
  | 'NO_TASK'
  | 'UNSPECIFIED'
  | 'PROCESS'
  | 'SUPPORT'
  | 'EQUIPMENT_MAINTENANCE'
  | 'EQUIPMENT_DIAGNOSTICS'
  | 'WAITING'
export const TASK_TYPE_WORDS: CodeWords<TaskType> = {
  0: 'NO_TASK',
  1: 'UNSPECIFIED',
  2: 'PROCESS',
  3: 'SUPPORT',
  4: 'EQUIPMENT_MAINTENANCE',
  5: 'EQUIPMENT_DIAGNOSTICS',
  6: 'WAITING',
}

/** The variable BlockedReason (one source). 7 to 9 are reserved. */
export type BlockedReason =
  | 'NOT_BLOCKED'
  | 'UNKNOWN'
  | 'SAFETY_THRESHOLD'
  | 'ERROR_CONDITION'
  | 'PARAMETRIC_EXCEPTION'
  | 'ABORT'
  | 'PAUSE'
export const BLOCKED_REASON_WORDS: CodeWords<BlockedReason> = {
  0: 'NOT_BLOCKED',
  1: 'UNKNOWN',
  2: 'SAFETY_THRESHOLD',
  3: 'ERROR_CONDITION',
  4: 'PARAMETRIC_EXCEPTION',
  5: 'ABORT',
  6: 'PAUSE',
}
