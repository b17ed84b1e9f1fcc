import type { Equipment } from '../gem/equipment/equipment.js'
import { formatOf, numberIn, type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Cancel, Clock } from '../kit/clock.js'
import { Schedule } from '../kit/schedule.js'
import type { AlarmRule, Condition } from './model.js'

/** From one check of the conditions to the next. */
const CHECK_INTERVAL_MS = 500

export interface AlarmRulesWorld {
  readonly clock: Clock
  /** 0 to 1, without 1. */
  readonly random: () => number
  /** The alarm leads to another processing state. */
  readonly enter: (state: string) => void
  /** The value that a variable has again, by id, when an alarm that changed it is over. */
  readonly usual: (id: string) => TypedValue
}

/** The progress of a condition. */
interface Watched {
  /** Since when it holds, in the clock's time. */
  since: number | undefined
  /** It has held for long enough, and is not over. */
  met: boolean
}

/** Sets and clears alarms by chance, after events and on conditions, as the model's rules say. */
export class AlarmRules {
  readonly #schedule: Schedule
  /** How often each rule has set its alarm. */
  readonly #counts = new Map<AlarmRule, number>()
  readonly #conditions: ReadonlyMap<AlarmRule, Watched>
  /** The values, by id, of the variables that alarms have changed until they clear. */
  readonly #before = new Map<string, TypedValue>()
  #cancelCheck: Cancel = () => {}

  constructor(
    private readonly rules: readonly AlarmRule[],
    private readonly equipment: Equipment,
    private readonly world: AlarmRulesWorld,
  ) {
    this.#schedule = new Schedule(world.clock)
    const withCondition = rules.filter(({ when }) => when !== undefined)
    this.#conditions = new Map(withCondition.map((rule) => [rule, { since: undefined, met: false }]))
  }

  /** Checks conditions from now on, until `stop`; does nothing where there are none. */
  watch(): void {
    if (this.#conditions.size === 0) return
    this.#cancelCheck()
    this.#cancelCheck = this.world.clock.at(this.world.clock.now() + CHECK_INTERVAL_MS, () => {
      this.watch()
      for (const [rule, watched] of this.#conditions) this.#check(rule, watched)
    })
  }

  /** A collection event happened. */
  fired(event: string): void {
    for (const rule of this.rules) {
      if (rule.on === event) this.#begin(rule)
      if (rule.clearOn === event) this.#schedule.after(0, () => this.#clear(rule))
    }
  }

  stop(): void {
    this.#cancelCheck()
    this.#schedule.cancel()
  }

  #check(rule: AlarmRule, watched: Watched): void {
    const { when } = rule
    if (!when) return
    const now = this.world.clock.now()
    if (!holds(when, this.equipment.value(when.variable), watched.since !== undefined)) {
      watched.since = undefined
      const clearsItself = rule.clearAfter === undefined && rule.clearOn === undefined
      if (watched.met && clearsItself) this.#schedule.after(0, () => this.#clear(rule))
      watched.met = false
      return
    }
    watched.since ??= now
    if (watched.met || now - watched.since < when.for) return
    watched.met = true
    this.#begin(rule)
  }

  #begin(rule: AlarmRule): void {
    const count = this.#counts.get(rule) ?? 0
    if (rule.times !== undefined && count >= rule.times) return
    if (rule.probability < 1 && this.world.random() >= rule.probability) return
    this.#counts.set(rule, count + 1)
    this.#schedule.after(rule.after, () => {
      const { alarm, clearAfter, to } = rule
      this.#change(rule)
      if (clearAfter !== undefined) this.#schedule.after(clearAfter, () => this.#clear(rule))
      if (to !== undefined) this.world.enter(to)
      void this.equipment.changeAlarm(alarm, true)
    })
  }

  #clear({ sets, alarm }: AlarmRule): void {
    for (const id of Object.keys(sets)) {
      const before = this.#before.get(id)
      if (before === undefined) continue
      this.equipment.variables.set(id, before)
      this.equipment.variables.release(id)
      this.#before.delete(id)
    }
    void this.equipment.changeAlarm(alarm, false)
  }

  /** Gives variables the values that they have while the alarm is set. */
  #change({ sets, clearAfter, clearOn, when }: AlarmRule): void {
    const clears = clearAfter !== undefined || clearOn !== undefined || when !== undefined
    for (const [id, value] of Object.entries(sets)) {
      // The value of an alarm that is still set is not the usual one.
      if (clears && !this.#before.has(id)) this.#before.set(id, this.world.usual(id))
      this.equipment.variables.set(id, value)
    }
  }
}

/** `already`: it held at the last check, so the value has to come back by the hysteresis. */
function holds(
  { above, below, equals, hysteresis }: Condition,
  value: TypedValue,
  already: boolean,
): boolean {
  if (equals !== undefined) {
    return JSON.stringify(valueAs(formatOf(value), equals)) === JSON.stringify(value)
  }
  const number = numberIn(value)
  if (number === undefined) return false
  const back = already ? hysteresis : 0
  return above !== undefined ? number > above - back : number < (below ?? -Infinity) + back
}
