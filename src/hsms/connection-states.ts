import type { StateTable } from '../kit/state-table.js'

/** E37's states, and what an entity does while it is not connected. */
export type ConnectionState =
  | 'NOT_CONNECTED' // not wanted
  | 'CONNECTING' // dialling, or waiting T5 to dial again
  | 'LISTENING'
  | 'NOT_SELECTED'
  | 'SELECTED'

export type ConnectionTrigger =
  | 'dial' // the entity is the active side and is wanted
  | 'listen' // the entity is the passive side and is wanted, or listens again after a connection
  | 'connected' // the TCP connection was established
  | 'selected' // a Select procedure ended with status 0
  | 'deselected' // the peer asked for it
  | 'stop' // no longer wanted

/** The HSMS connection state machine (SEMI E37). The diagram in docs/state-machines.md is printed from this table. */
export const CONNECTION_STATES: StateTable<ConnectionState, ConnectionTrigger> = {
  NOT_CONNECTED: { dial: 'CONNECTING', listen: 'LISTENING' },
  CONNECTING: { connected: 'NOT_SELECTED', stop: 'NOT_CONNECTED' },
  LISTENING: { connected: 'NOT_SELECTED', stop: 'NOT_CONNECTED' },
  NOT_SELECTED: { selected: 'SELECTED', dial: 'CONNECTING', listen: 'LISTENING', stop: 'NOT_CONNECTED' },
  SELECTED: { deselected: 'NOT_SELECTED', dial: 'CONNECTING', listen: 'LISTENING', stop: 'NOT_CONNECTED' },
}
