import type { Clock } from '../kit/clock.js'
import type { Model } from './model.js'
import { Simulator, type SimulatorOptions } from './simulator.js'
import { TrafficGenerator } from './traffic-generator.js'

export interface FleetOptions extends Pick<SimulatorOptions, 'role' | 'deviceId' | 'timers' | 'line'> {
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

/** One equipment of a fleet. */
export interface Member {
  readonly name: string
  readonly simulator: Simulator
  readonly traffic: TrafficGenerator
  /** The address at which a gateway knows it: where it listens, or from where it dials; undefined where that is not known. */
  readonly address: string | undefined
  sent: number
  acknowledged: number
}

/** Addresses with the same third number. */
const PER_GROUP = 250

/** An address of the loopback network for each equipment: 127.0.1.1 and so on. */
const ownLoopback = (at: number): string => `127.0.${1 + Math.floor(at / PER_GROUP)}.${1 + (at % PER_GROUP)}`

/** The equipment of a fleet at this place, from 0. */
export function memberOf(model: Model, options: FleetOptions, at: number, clock: Clock): Member {
  const { role, host, port, seed, count, name } = options
  const localAddress = role === 'active' && host.startsWith('127.') ? ownLoopback(at) : undefined
  const simulator = new Simulator(
    model,
    {
      ...options,
      port: role === 'passive' && port > 0 ? port + at : port,
      seed: (seed + at) % 2 ** 32,
      ...(localAddress !== undefined && { localAddress }),
    },
    { clock },
  )
  const digits = Math.max(3, String(count).length)
  return {
    name: `${name}-${String(at + 1).padStart(digits, '0')}`,
    simulator,
    traffic: new TrafficGenerator(simulator, at),
    address: role === 'passive' ? host : localAddress,
    sent: 0,
    acknowledged: 0,
  }
}
