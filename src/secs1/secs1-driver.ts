import { LinkDriver, type LinkWorld } from '../hsms/link-driver.js'
import { Secs1Protocol } from './secs1-protocol.js'
import type { Secs1Settings } from './settings.js'

/** Runs SECS-I on sockets, or on the connection that `dial` of its world begins, and a clock. */
export class Secs1Driver extends LinkDriver {
  constructor(settings: Secs1Settings, world: LinkWorld) {
    super(settings, new Secs1Protocol(settings, world.random, world.counters), world)
  }
}
