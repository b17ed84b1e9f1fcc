import type { ConnectionState } from '../../hsms/connection-states.js'

const UP: readonly ConnectionState[] = ['NOT_SELECTED', 'SELECTED']

/** The event name of a change of the connection state. */
export function connectionEventName(from: ConnectionState, to: ConnectionState): string {
  switch (to) {
    case 'SELECTED':
      return 'selected'
    case 'NOT_SELECTED':
      return from === 'SELECTED' ? 'deselected' : 'connected'
    case 'NOT_CONNECTED':
      return 'disconnected'
    case 'CONNECTING':
      return UP.includes(from) ? 'disconnected' : 'connecting'
    case 'LISTENING':
      return UP.includes(from) ? 'disconnected' : 'listening'
  }
}
