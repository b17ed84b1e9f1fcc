import type { CodeWords } from './code-words.js'
import type { NoState, Transition } from './transition.js'

/**
 * A load port (SEMI E87): four machines beside one another. The diagrams in docs/state-machines.md are printed from
 * these tables. IN_SERVICE and TRANSFER_READY are only passed through: equipment goes on at once, and sends no number
 * for them. A host knows no more than IN_SERVICE after an event that says only this.
 */
export type PortTransferState =
  | 'OUT_OF_SERVICE'
  | 'IN_SERVICE'
  | 'TRANSFER_BLOCKED'
  | 'TRANSFER_READY'
  | 'READY_TO_LOAD'
  | 'READY_TO_UNLOAD'

export type PortTransferTrigger =
  | 'restored_out_of_service' // the equipment started
  | 'restored_in_service'
  | 'put_in_service' // S3F25 or the operator
  | 'put_out_of_service'
  | 'blocked' // in service: a carrier is there and in use
  | 'ready' // in service: a carrier may come or go
  | 'empty' // ready: no carrier is there
  | 'occupied' // ready: a carrier is there
  | 'load_began'
  | 'unload_began'
  | 'unloaded' // the carrier is gone, or never came
  | 'released' // the carrier may be taken
  | 'transfer_failed' // the carrier neither came nor went

const IN_SERVICE = [
  'IN_SERVICE',
  'TRANSFER_BLOCKED',
  'TRANSFER_READY',
  'READY_TO_LOAD',
  'READY_TO_UNLOAD',
] as const

export const PORT_TRANSFER_TRANSITIONS: readonly Transition<
  PortTransferState | NoState,
  PortTransferTrigger
>[] = [
  { number: 1, from: ['NO_STATE'], on: 'restored_out_of_service', to: 'OUT_OF_SERVICE' },
  { number: 1, from: ['NO_STATE'], on: 'restored_in_service', to: 'IN_SERVICE' },
  { number: 2, from: ['OUT_OF_SERVICE'], on: 'put_in_service', to: 'IN_SERVICE' },
  { number: 3, from: IN_SERVICE, on: 'put_out_of_service', to: 'OUT_OF_SERVICE' },
  { number: 4, from: ['IN_SERVICE'], on: 'blocked', to: 'TRANSFER_BLOCKED' },
  { number: 4, from: ['IN_SERVICE'], on: 'ready', to: 'TRANSFER_READY' },
  { number: 5, from: ['TRANSFER_READY'], on: 'empty', to: 'READY_TO_LOAD' },
  { number: 5, from: ['TRANSFER_READY'], on: 'occupied', to: 'READY_TO_UNLOAD' },
  { number: 6, from: ['READY_TO_LOAD'], on: 'load_began', to: 'TRANSFER_BLOCKED' },
  { number: 7, from: ['READY_TO_UNLOAD'], on: 'unload_began', to: 'TRANSFER_BLOCKED' },
  { number: 8, from: ['TRANSFER_BLOCKED'], on: 'unloaded', to: 'READY_TO_LOAD' },
  { number: 9, from: ['TRANSFER_BLOCKED'], on: 'released', to: 'READY_TO_UNLOAD' },
  { number: 10, from: ['TRANSFER_BLOCKED'], on: 'transfer_failed', to: 'TRANSFER_READY' },
]

export const PORT_TRANSFER_WORDS: CodeWords<PortTransferState> = {
  0: 'OUT_OF_SERVICE',
  1: 'TRANSFER_BLOCKED',
  2: 'READY_TO_LOAD',
  3: 'READY_TO_UNLOAD',
}

/** Who brings and takes carriers: people, or the transport system (SEMI E84). */
export type AccessMode = 'MANUAL' | 'AUTO'
export type AccessModeTrigger = 'restored_manual' | 'restored_auto' | 'to_auto' | 'to_manual'

export const ACCESS_MODE_TRANSITIONS: readonly Transition<AccessMode | NoState, AccessModeTrigger>[] = [
  { number: 1, from: ['NO_STATE'], on: 'restored_manual', to: 'MANUAL' },
  { number: 1, from: ['NO_STATE'], on: 'restored_auto', to: 'AUTO' },
  { number: 2, from: ['MANUAL'], on: 'to_auto', to: 'AUTO' },
  { number: 3, from: ['AUTO'], on: 'to_manual', to: 'MANUAL' },
]

export const ACCESS_MODE_WORDS: CodeWords<AccessMode> = { 0: 'MANUAL', 1: 'AUTO' }

export type ReservationState = 'NOT_RESERVED' | 'RESERVED'
export type ReservationTrigger =
  | 'restored'
  | 'reserved' // S3F25, or Bind
  | 'reservation_cancelled' // S3F25 or CancelBind, or the carrier came

export const RESERVATION_TRANSITIONS: readonly Transition<ReservationState | NoState, ReservationTrigger>[] =
  [
    { number: 1, from: ['NO_STATE'], on: 'restored', to: 'NOT_RESERVED' },
    { number: 2, from: ['NOT_RESERVED'], on: 'reserved', to: 'RESERVED' },
    { number: 3, from: ['RESERVED'], on: 'reservation_cancelled', to: 'NOT_RESERVED' },
  ]

export const RESERVATION_WORDS: CodeWords<ReservationState> = { 0: 'NOT_RESERVED', 1: 'RESERVED' }

/** Whether the port has a carrier object. */
export type AssociationState = 'NOT_ASSOCIATED' | 'ASSOCIATED'
export type AssociationTrigger =
  | 'restored'
  | 'associated' // Bind, a carrier ID that was read, or the host's word on a carrier that could not be read
  | 'dissociated' // CancelBind, or the carrier left
  | 'associated_again' // the ID that was read is another one than that of Bind

export const ASSOCIATION_TRANSITIONS: readonly Transition<AssociationState | NoState, AssociationTrigger>[] =
  [
    { number: 1, from: ['NO_STATE'], on: 'restored', to: 'NOT_ASSOCIATED' },
    { number: 2, from: ['NOT_ASSOCIATED'], on: 'associated', to: 'ASSOCIATED' },
    { number: 3, from: ['ASSOCIATED'], on: 'dissociated', to: 'NOT_ASSOCIATED' },
    { number: 4, from: ['ASSOCIATED'], on: 'associated_again', to: 'ASSOCIATED' },
  ]

export const ASSOCIATION_WORDS: CodeWords<AssociationState> = { 0: 'NOT_ASSOCIATED', 1: 'ASSOCIATED' }
