import type { SimulatorOptions } from './simulator.js'

export interface FleetOptions extends Pick<SimulatorOptions, 'role' | 'deviceId' | 'timers'> {
  /** Number of equipments, 1 to 10,000. */
  readonly count: number
  /** The beginning of their names: `etcher` makes `etcher-001`. */
  readonly name: string
  /** Passive: the address that all listen on. Active: the gateway's. */
  readonly host: string
  /** Passive: the first of consecutive ports, or 0 for any free ones. Active: the gateway's. */
  readonly port: number
  /** Reports per second of all together; 0 for none. */
  readonly rate: number
  /** The seed of the first; each other has the next number. */
  readonly seed: number
}
