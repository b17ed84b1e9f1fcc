import type { Counters } from './counters/counters.js'
import { HsmsConnection } from './hsms-connection.js'
import { LinkProtocol } from './link-protocol.js'
import type { HsmsSettings } from './settings.js'

/** HSMS-SS (SEMI E37, E37.1) without sockets, timers or promises. */
export class HsmsProtocol extends LinkProtocol {
  declare readonly settings: HsmsSettings

  /** `random` gives 0 to 1: where the system bytes begin, then how much is added to each T5. */
  constructor(settings: HsmsSettings, random?: () => number, counters?: Counters) {
    super(settings, (owner) => new HsmsConnection(owner, settings), random, counters)
  }
}
