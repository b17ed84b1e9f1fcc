import type { SimulatorOptions } from './simulator.js'

export interface FleetOptions extends Pick<SimulatorOptions, 'role' | 'deviceId' | 'timers'> {
  /** How many equipments, 1 to 10,000. */
  readonly count: number
  /** What their names begin with: `etcher` makes `etcher-001`. */
  readonly name: string
  /** Passive: the address that all listen on. Active: the gateway's. */
  readonly host: string
  /** Passive: the first of as many ports, or 0 for any that are free. Active: the gateway's. */
  readonly port: number
  /** Reports in a second, of all together; 0 for none. */
  readonly rate: number
  /** Of the first; each has one more than the one before. */
  readonly seed: number
}
