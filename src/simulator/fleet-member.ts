import type { Clock } from '../kit/clock.js'
import type { FleetOptions } from './fleet-options.js'
import type { Model } from './model.js'
import { Simulator } from './simulator.js'
import { TrafficGenerator } from './traffic-generator.js'

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
  const { role, host, port, deviceId, timers, seed, count, name } = options
  const localAddress = role === 'active' && host.startsWith('127.') ? ownLoopback(at) : undefined
  const simulator = new Simulator(
    model,
    {
      role,
      host,
      port: role === 'passive' && port > 0 ? port + at : port,
      seed: (seed + at) % 2 ** 32,
      ...(deviceId !== undefined && { deviceId }),
      ...(timers && { timers }),
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
