import type { Cancel } from '../../../kit/clock.js'
import { Signal } from '../../../kit/signal.js'
import { nextState, type StateTable } from '../../../kit/state-table.js'
import { numberIn } from '../../typed-value.js'
import type { Limit, Variable } from '../equipment-model.js'
import type { EquipmentParts } from '../equipment-parts.js'
import { type LimitFault, limitFaults, limitOf, type VariableLimits } from './limit-definitions.js'

/** Where a variable's value is to one of its limits (SEMI E30). The diagram in docs/state-machines.md is printed from this table. */
export type LimitZone =
  | 'NO_ZONE' // within the dead band since the limit was defined
  | 'BELOW_LIMIT'
  | 'ABOVE_LIMIT'

export type LimitTrigger =
  | 'reached_upper' // the value is UPPERDB or more
  | 'reached_lower' // the value is LOWERDB or less

export const LIMIT_ZONES: StateTable<LimitZone, LimitTrigger> = {
  NO_ZONE: { reached_upper: 'ABOVE_LIMIT', reached_lower: 'BELOW_LIMIT' },
  BELOW_LIMIT: { reached_upper: 'ABOVE_LIMIT' },
  ABOVE_LIMIT: { reached_lower: 'BELOW_LIMIT' },
}

/** Between checks of the variables with limits, where no constant sets it. */
const DEFAULT_PERIOD_MS = 500
const MIN_PERIOD_MS = 10

interface Watched {
  readonly limit: Limit
  zone: LimitZone
  /** The variable's value at the last check. */
  value: number | undefined
}

/**
 * Watches variables for the limits that a host defined (SEMI E30). A variable is checked when it is set, and
 * periodically, since waveforms change it. One timer, while there are any limits.
 */
export class Limits {
  /** Others are defined. */
  readonly changed = new Signal<void>()
  /** Those that can have limits, by id. */
  readonly #variables: ReadonlyMap<string, Variable>
  /** By variable and LIMITID. */
  readonly #watched = new Map<string, Map<number, Watched>>()
  #cancelCheck: Cancel | undefined
  #hasBegun = false

  constructor(private readonly equipment: EquipmentParts) {
    const limited = equipment.model.variables.filter(({ limits }) => limits)
    this.#variables = new Map(limited.map((variable) => [variable.id, variable]))
    equipment.variables.changed.on(({ id }) => this.check(id))
  }

  /** Watches from now on; the first time also for the limits that are there from the beginning. */
  start(): void {
    if (!this.#hasBegun) {
      for (const variable of this.#variables.values()) {
        for (const limit of variable.limits?.limits ?? []) this.#watch(variable, limit)
      }
    }
    this.#hasBegun = true
    this.#keepChecking()
  }

  /** Stops watching and cancels the timer. */
  stop(): void {
    this.#cancelCheck?.()
    this.#cancelCheck = undefined
  }

  /** S2F45: none at all takes every limit away. Changes nothing when there are faults. */
  define(wanted: readonly VariableLimits[]): LimitFault[] {
    const { variables } = this.equipment
    const faults = limitFaults(wanted, (id) => (variables.has(id) ? variables.find(id) : undefined))
    if (faults.length > 0) return faults
    if (wanted.length === 0) this.#watched.clear()
    for (const { variable: id, limits } of wanted) {
      const variable = this.#variables.get(id)
      if (!variable) continue
      if (limits.length === 0) this.#watched.delete(id)
      for (const definition of limits) {
        const limit = limitOf(variable, definition)
        if (limit) this.#watch(variable, limit)
        else this.#unwatch(id, definition.id)
      }
    }
    this.#keepChecking()
    this.changed.emit()
    return []
  }

  /** Restores the limits of before, from `start` on; limits that are not possible any more are left out. */
  restore(before: readonly VariableLimits[]): LimitFault[] {
    this.#hasBegun = true
    this.#watched.clear()
    const faults = before.flatMap((one) => this.define([one]))
    this.stop()
    return faults
  }

  /** S2F47: the limits of these variables, or of all that can have any. Undefined for one that cannot. */
  choose(ids: readonly string[]): { id: string; variable: Variable | undefined; limits: Limit[] }[] {
    const chosen = ids.length > 0 ? ids : [...this.#variables.keys()]
    return chosen.map((id) => ({
      id,
      variable: this.#variables.get(id),
      limits: [...(this.#watched.get(id)?.values() ?? [])].map(({ limit }) => limit),
    }))
  }

  /** Compares a variable's value with its limits now. */
  check(id: string): void {
    const variable = this.#variables.get(id)
    const value = numberIn(this.equipment.value(id))
    if (!variable || value === undefined) return
    for (const watched of this.#watched.get(id)?.values() ?? []) {
      const { limit } = watched
      if (value === watched.value) continue
      watched.value = value
      const zone = zoneAfter(watched.zone, limit, value)
      if (zone === watched.zone) continue
      watched.zone = zone
      const { last } = this.equipment
      last.crossing = { variable, limit: limit.id, upwards: zone === 'ABOVE_LIMIT' }
      if (variable.limits?.event !== undefined) void this.equipment.happens(variable.limits.event)
    }
  }

  /** The zone of the value when a limit is defined is no crossing. */
  #watch(variable: Variable, limit: Limit): void {
    const value = numberIn(this.equipment.value(variable.id))
    const zone = value === undefined ? 'NO_ZONE' : zoneAfter('NO_ZONE', limit, value)
    const others = this.#watched.get(variable.id) ?? new Map<number, Watched>()
    this.#watched.set(variable.id, others.set(limit.id, { limit, zone, value }))
  }

  #unwatch(id: string, limit: number): void {
    const others = this.#watched.get(id)
    others?.delete(limit)
    if (others?.size === 0) this.#watched.delete(id)
  }

  #keepChecking(): void {
    this.stop()
    if (this.#watched.size === 0) return
    const { clock, constants } = this.equipment
    const period = Math.max(MIN_PERIOD_MS, constants.used('limits_period') ?? DEFAULT_PERIOD_MS)
    this.#cancelCheck = clock.at(clock.now() + period, () => {
      for (const id of this.#watched.keys()) this.check(id)
      this.#keepChecking()
    })
  }
}

function zoneAfter(zone: LimitZone, { upper, lower }: Limit, value: number): LimitZone {
  // Without a dead band a value can be both: it then has reached the one that it was not beyond.
  const isAbove = value >= upper && (zone !== 'ABOVE_LIMIT' || value > lower)
  const trigger = isAbove ? 'reached_upper' : value <= lower ? 'reached_lower' : undefined
  return (trigger && nextState(LIMIT_ZONES, zone, trigger)) ?? zone
}
