import { HsmsProtocol } from './hsms-protocol.js'
import { LinkDriver, type LinkWorld } from './link-driver.js'
import type { HsmsSettings } from './settings.js'

/** Runs HSMS-SS on sockets and a clock. */
export class HsmsDriver extends LinkDriver {
  constructor(settings: HsmsSettings, world: LinkWorld) {
    super(settings, new HsmsProtocol(settings, world.random, world.counters), world)
  }
}
