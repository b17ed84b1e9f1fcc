import type { CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/**
 * A carrier (SEMI E87): three machines beside one another that begin and end with the carrier. The diagrams in
 * docs/state-machines.md are printed from these tables. Transition 1 is the carrier itself, for which no event is needed.
 */
const ANY_ID_STATUS = [
  'ID_NOT_READ',
  'WAITING_FOR_HOST',
  'ID_VERIFICATION_OK',
  'ID_VERIFICATION_FAILED',
] as const
export type CarrierIdStatus = (typeof ANY_ID_STATUS)[number]

export type CarrierIdTrigger =
  | 'announced' // Bind or CarrierNotification
  | 'read' // an ID was read that nobody had announced
  | 'proceed' // the host's ProceedWithCarrier
  | 'cancel' // the host's CancelCarrier
  | 'matched' // the ID that was read is the one announced: the host is not asked
  | 'read_failed'
  | 'reader_away' // no reader, or it is off, and the host wants to be asked
  | 'reader_bypassed' // no reader, or it is off, and the host does not want to be asked
  | 'ended'

export const CARRIER_ID_TRANSITIONS: readonly Transition<CarrierIdStatus | NoState, CarrierIdTrigger>[] = [
  { number: 2, from: ['NO_STATE'], on: 'announced', to: 'ID_NOT_READ' },
  { number: 3, from: ['NO_STATE'], on: 'read', to: 'WAITING_FOR_HOST' },
  { number: 4, from: ['NO_STATE'], on: 'proceed', to: 'ID_VERIFICATION_OK' },
  { number: 5, from: ['NO_STATE'], on: 'cancel', to: 'ID_VERIFICATION_FAILED' },
  { number: 6, from: ['ID_NOT_READ'], on: 'matched', to: 'ID_VERIFICATION_OK' },
  { number: 7, from: ['ID_NOT_READ'], on: 'read_failed', to: 'WAITING_FOR_HOST' },
  { number: 8, from: ['WAITING_FOR_HOST'], on: 'proceed', to: 'ID_VERIFICATION_OK' },
  { number: 9, from: ['WAITING_FOR_HOST'], on: 'cancel', to: 'ID_VERIFICATION_FAILED' },
  { number: 10, from: ['ID_NOT_READ'], on: 'reader_away', to: 'WAITING_FOR_HOST' },
  { number: 11, from: ['ID_NOT_READ'], on: 'reader_bypassed', to: 'ID_VERIFICATION_OK' },
  { number: 21, from: ANY_ID_STATUS, on: 'ended', to: 'NO_STATE' },
]

export const CARRIER_ID_WORDS: CodeWords<CarrierIdStatus> = {
  0: 'ID_NOT_READ',
  1: 'WAITING_FOR_HOST',
  2: 'ID_VERIFICATION_OK',
  3: 'ID_VERIFICATION_FAILED',
}

const ANY_SLOT_MAP_STATUS = [
  'SLOT_MAP_NOT_READ',
  'WAITING_FOR_HOST',
  'SLOT_MAP_VERIFICATION_OK',
  'SLOT_MAP_VERIFICATION_FAILED',
] as const
export type SlotMapStatus = (typeof ANY_SLOT_MAP_STATUS)[number]

export type SlotMapTrigger =
  | 'created'
  | 'matched' // the slot map that was read is the one announced: the host is not asked
  | 'read' // the host has to look at it: see SLOT_MAP_REASON_WORDS
  | 'proceed'
  | 'cancel'
  | 'ended'

export const SLOT_MAP_TRANSITIONS: readonly Transition<SlotMapStatus | NoState, SlotMapTrigger>[] = [
  { number: 12, from: ['NO_STATE'], on: 'created', to: 'SLOT_MAP_NOT_READ' },
  { number: 13, from: ['SLOT_MAP_NOT_READ'], on: 'matched', to: 'SLOT_MAP_VERIFICATION_OK' },
  { number: 14, from: ['SLOT_MAP_NOT_READ'], on: 'read', to: 'WAITING_FOR_HOST' },
  { number: 15, from: ['WAITING_FOR_HOST'], on: 'proceed', to: 'SLOT_MAP_VERIFICATION_OK' },
  { number: 16, from: ['WAITING_FOR_HOST'], on: 'cancel', to: 'SLOT_MAP_VERIFICATION_FAILED' },
  { number: 21, from: ANY_SLOT_MAP_STATUS, on: 'ended', to: 'NO_STATE' },
]

export const SLOT_MAP_WORDS: CodeWords<SlotMapStatus> = {
  0: 'SLOT_MAP_NOT_READ',
  1: 'WAITING_FOR_HOST',
  2: 'SLOT_MAP_VERIFICATION_OK',
  3: 'SLOT_MAP_VERIFICATION_FAILED',
}

/** The variable Reason of transition 14: why the slot map waits for the host. */
export type SlotMapReason =
  | 'VERIFICATION_NEEDED'
  | 'VERIFICATION_FAILED'
  | 'READ_FAILED'
  | 'IMPROPER_SUBSTRATE_POSITION'

/** 1 to 3 from one source; another adds 5 (cancelled by the host) and 6 (double), which stay `unknown` until a second says so. */
export const SLOT_MAP_REASON_WORDS: CodeWords<SlotMapReason> = {
  0: 'VERIFICATION_NEEDED',
  1: 'VERIFICATION_FAILED',
  2: 'READ_FAILED',
  3: 'IMPROPER_SUBSTRATE_POSITION',
}

const ANY_ACCESSING_STATUS = ['NOT_ACCESSED', 'IN_ACCESS', 'CARRIER_COMPLETE', 'CARRIER_STOPPED'] as const
export type CarrierAccessingStatus = (typeof ANY_ACCESSING_STATUS)[number]

export type CarrierAccessingTrigger =
  | 'created'
  | 'access_began'
  | 'completed'
  | 'stopped' // jobs ended early, or the host cancelled the carrier
  | 'ended'

export const CARRIER_ACCESSING_TRANSITIONS: readonly Transition<
  CarrierAccessingStatus | NoState,
  CarrierAccessingTrigger
>[] = [
  { number: 17, from: ['NO_STATE'], on: 'created', to: 'NOT_ACCESSED' },
  { number: 18, from: ['NOT_ACCESSED'], on: 'access_began', to: 'IN_ACCESS' },
  { number: 19, from: ['IN_ACCESS'], on: 'completed', to: 'CARRIER_COMPLETE' },
  { number: 20, from: ['IN_ACCESS'], on: 'stopped', to: 'CARRIER_STOPPED' },
  { number: 21, from: ANY_ACCESSING_STATUS, on: 'ended', to: 'NO_STATE' },
]

export const CARRIER_ACCESSING_WORDS: CodeWords<CarrierAccessingStatus> = {
  0: 'NOT_ACCESSED',
  1: 'IN_ACCESS',
  2: 'CARRIER_COMPLETE',
  3: 'CARRIER_STOPPED',
}
