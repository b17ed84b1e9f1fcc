import type { StateTable } from '../../../kit/state-table.js'

/** Whether what cannot be sent is kept (SEMI E30). The diagrams in docs/state-machines.md are printed from these tables. */
export type SpoolState = 'SPOOL_INACTIVE' | 'SPOOL_ACTIVE'
export type SpoolTrigger =
  | 'communication_lost' // and spooling is enabled
  | 'emptied' // by sending or by purging

export const SPOOL_STATES: StateTable<SpoolState, SpoolTrigger> = {
  SPOOL_INACTIVE: { communication_lost: 'SPOOL_ACTIVE' },
  SPOOL_ACTIVE: { emptied: 'SPOOL_INACTIVE' },
}

/** Of an active spool: whether all that was to be put there has fitted. */
export type SpoolLoadState = 'SPOOL_NOT_FULL' | 'SPOOL_FULL'
export type SpoolLoadTrigger =
  | 'filled' // a message did not fit
  | 'relieved' // spooling is over

export const SPOOL_LOAD_STATES: StateTable<SpoolLoadState, SpoolLoadTrigger> = {
  SPOOL_NOT_FULL: { filled: 'SPOOL_FULL' },
  SPOOL_FULL: { relieved: 'SPOOL_NOT_FULL' },
}

/** Of an active spool: what a host has done with it. */
export type SpoolUnloadState = 'NO_SPOOL_OUTPUT' | 'PURGE_SPOOL' | 'TRANSMIT_SPOOL'
export type SpoolUnloadTrigger =
  | 'transmit' // S6F23 with RSDC 0
  | 'purge' // S6F23 with RSDC 1
  | 'done' // all is sent or purged, or MaxSpoolTransmit is reached
  | 'failed' // communication is lost while sending

export const SPOOL_UNLOAD_STATES: StateTable<SpoolUnloadState, SpoolUnloadTrigger> = {
  NO_SPOOL_OUTPUT: { transmit: 'TRANSMIT_SPOOL', purge: 'PURGE_SPOOL' },
  PURGE_SPOOL: { done: 'NO_SPOOL_OUTPUT' },
  TRANSMIT_SPOOL: { done: 'NO_SPOOL_OUTPUT', failed: 'NO_SPOOL_OUTPUT' },
}
