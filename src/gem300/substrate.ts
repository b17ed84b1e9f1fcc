import type { CodeVariants, CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/**
 * A substrate (SEMI E90): where it is, what was done with it, and whether its ID is confirmed, beside one another. The
 * diagrams in docs/state-machines.md are printed from these tables. The substrate ends with transition 7 or 9, and its
 * other machines with it.
 */
export type SubstrateState = 'AT_SOURCE' | 'AT_WORK' | 'AT_DESTINATION'

export type SubstrateTrigger =
  | 'created'
  | 'taken' // from its source into the equipment
  | 'returned' // to its source, without being done
  | 'moved' // within the equipment
  | 'delivered' // to its destination
  | 'taken_again' // from its destination into the equipment
  | 'left' // with its carrier
  | 'found_at_source' // it is at its source, which was taken for its destination
  | 'removed' // by hand

const ANYWHERE = ['AT_SOURCE', 'AT_WORK', 'AT_DESTINATION'] as const

export const SUBSTRATE_TRANSITIONS: readonly Transition<SubstrateState | NoState, SubstrateTrigger>[] = [
  { number: 1, from: ['NO_STATE'], on: 'created', to: 'AT_SOURCE' },
  { number: 2, from: ['AT_SOURCE'], on: 'taken', to: 'AT_WORK' },
  { number: 3, from: ['AT_WORK'], on: 'returned', to: 'AT_SOURCE' },
  { number: 4, from: ['AT_WORK'], on: 'moved', to: 'AT_WORK' },
  { number: 5, from: ['AT_WORK'], on: 'delivered', to: 'AT_DESTINATION' },
  { number: 6, from: ['AT_DESTINATION'], on: 'taken_again', to: 'AT_WORK' },
  { number: 7, from: ['AT_DESTINATION'], on: 'left', to: 'NO_STATE' },
  { number: 8, from: ['AT_DESTINATION'], on: 'found_at_source', to: 'AT_SOURCE' },
  { number: 9, from: ANYWHERE, on: 'removed', to: 'NO_STATE' },
]

export const SUBSTRATE_WORDS = {
  standard: { 0: 'AT_SOURCE', 1: 'AT_WORK', 2: 'AT_DESTINATION' },
  /** One Japanese supplier's, as the other two tables of this name (one source each). */
  one_based: { 1: 'AT_SOURCE', 2: 'AT_WORK', 3: 'AT_DESTINATION' },
} as const satisfies CodeVariants<SubstrateState>

export type SubstrateProcessingState =
  | 'NEEDS_PROCESSING'
  | 'IN_PROCESS'
  | 'PROCESSED'
  | 'ABORTED'
  | 'STOPPED'
  | 'REJECTED'
  | 'LOST'
  | 'SKIPPED'

export type SubstrateProcessingTrigger =
  | 'created'
  | 'process_began'
  | 'processed'
  | 'aborted'
  | 'stopped'
  | 'rejected'
  | 'lost'
  | 'skipped'
  | 'step_done' // and there are further steps

export const SUBSTRATE_PROCESSING_TRANSITIONS: readonly Transition<
  SubstrateProcessingState | NoState,
  SubstrateProcessingTrigger
>[] = [
  { number: 10, from: ['NO_STATE'], on: 'created', to: 'NEEDS_PROCESSING' },
  { number: 11, from: ['NEEDS_PROCESSING'], on: 'process_began', to: 'IN_PROCESS' },
  { number: 12, from: ['IN_PROCESS'], on: 'processed', to: 'PROCESSED' },
  { number: 12, from: ['IN_PROCESS'], on: 'aborted', to: 'ABORTED' },
  { number: 12, from: ['IN_PROCESS'], on: 'stopped', to: 'STOPPED' },
  { number: 12, from: ['IN_PROCESS'], on: 'rejected', to: 'REJECTED' },
  { number: 12, from: ['IN_PROCESS'], on: 'lost', to: 'LOST' },
  { number: 12, from: ['IN_PROCESS'], on: 'skipped', to: 'SKIPPED' },
  { number: 13, from: ['IN_PROCESS'], on: 'step_done', to: 'NEEDS_PROCESSING' },
  { number: 14, from: ['NEEDS_PROCESSING'], on: 'lost', to: 'LOST' },
  { number: 14, from: ['NEEDS_PROCESSING'], on: 'skipped', to: 'SKIPPED' },
]

export const SUBSTRATE_PROCESSING_WORDS = {
  standard: {
    0: 'NEEDS_PROCESSING',
    1: 'IN_PROCESS',
    2: 'PROCESSED',
    3: 'ABORTED',
    4: 'STOPPED',
    5: 'REJECTED',
    6: 'LOST',
    7: 'SKIPPED',
  },
  one_based: {
    1: 'NEEDS_PROCESSING',
    2: 'IN_PROCESS',
    3: 'PROCESSED',
    4: 'ABORTED',
    5: 'STOPPED',
    6: 'REJECTED',
  },
} as const satisfies CodeVariants<SubstrateProcessingState>

/** Of equipment with a reader of substrate IDs. */
export type SubstrateIdStatus = 'NOT_CONFIRMED' | 'WAITING_FOR_HOST' | 'CONFIRMED' | 'CONFIRMATION_FAILED'

export type SubstrateIdTrigger =
  | 'created'
  | 'matched'
  | 'read_failed'
  | 'differed' // another ID was read
  | 'proceed' // the host's ProceedWithSubstrate
  | 'cancel' // the host's CancelSubstrate

/** There is no transition 15 in the source (one source for 16 to 21). */
export const SUBSTRATE_ID_TRANSITIONS: readonly Transition<
  SubstrateIdStatus | NoState,
  SubstrateIdTrigger
>[] = [
  { number: 16, from: ['NO_STATE'], on: 'created', to: 'NOT_CONFIRMED' },
  { number: 17, from: ['NOT_CONFIRMED'], on: 'matched', to: 'CONFIRMED' },
  { number: 18, from: ['NOT_CONFIRMED'], on: 'read_failed', to: 'WAITING_FOR_HOST' },
  { number: 19, from: ['NOT_CONFIRMED'], on: 'differed', to: 'WAITING_FOR_HOST' },
  { number: 20, from: ['WAITING_FOR_HOST'], on: 'proceed', to: 'CONFIRMED' },
  { number: 21, from: ['WAITING_FOR_HOST'], on: 'cancel', to: 'CONFIRMATION_FAILED' },
]

export const SUBSTRATE_ID_WORDS: CodeWords<SubstrateIdStatus> = {
  0: 'NOT_CONFIRMED',
  1: 'WAITING_FOR_HOST',
  2: 'CONFIRMED',
  3: 'CONFIRMATION_FAILED',
}

/** A place for one substrate: a slot, a robot's arm, a chamber. */
export type SubstrateLocationState = 'UNOCCUPIED' | 'OCCUPIED'
export type SubstrateLocationTrigger = 'filled' | 'emptied'

export const SUBSTRATE_LOCATION_TRANSITIONS: readonly Transition<
  SubstrateLocationState,
  SubstrateLocationTrigger
>[] = [
  { number: 1, from: ['UNOCCUPIED'], on: 'filled', to: 'OCCUPIED' },
  { number: 2, from: ['OCCUPIED'], on: 'emptied', to: 'UNOCCUPIED' },
]

export const SUBSTRATE_LOCATION_WORDS = {
  standard: { 0: 'UNOCCUPIED', 1: 'OCCUPIED' },
  one_based: { 1: 'UNOCCUPIED', 2: 'OCCUPIED' },
} as const satisfies CodeVariants<SubstrateLocationState>
