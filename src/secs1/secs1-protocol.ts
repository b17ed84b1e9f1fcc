import type { Counters } from '../hsms/counters/counters.js'
import { LinkProtocol } from '../hsms/link-protocol.js'
import { Secs1Connection } from './secs1-connection.js'
import type { Secs1Settings } from './settings.js'

/** SECS-I (SEMI E4) without sockets, timers or promises. */
export class Secs1Protocol extends LinkProtocol {
  declare readonly settings: Secs1Settings

  /** `random` gives 0 to 1: where the system bytes begin, then how much is added to each T5. */
  constructor(settings: Secs1Settings, random?: () => number, counters?: Counters) {
    super(settings, (owner) => new Secs1Connection(owner, settings), random, counters)
  }
}
