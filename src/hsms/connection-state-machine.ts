import { nextState } from '../kit/state-table.js'
import { CONNECTION_STATES, type ConnectionState, type ConnectionTrigger } from './connection-states.js'
import type { Fault } from './fault.js'
import type { HsmsOutput } from './io.js'

/** The connection state machine of an entity. Every change is an output. */
export class ConnectionStateMachine {
  state: ConnectionState = 'NOT_CONNECTED'

  constructor(readonly emit: (output: HsmsOutput) => void) {}

  /** `cause` and `fault`: what brought it about. */
  move(trigger: ConnectionTrigger, cause: string, fault?: Fault): void {
    const from = this.state
    const to = nextState(CONNECTION_STATES, from, trigger)
    if (!to) throw new Error(`HSMS cannot ${trigger} while ${from}`) // a bug here, never the peer's doing
    this.state = to
    this.emit({ kind: 'changed', from, to, cause, ...(fault && { fault }) })
  }
}
