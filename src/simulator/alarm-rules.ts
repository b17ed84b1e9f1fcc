import type { Equipment } from '../gem/equipment/equipment.js'
import { formatOf, numberIn, type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Cancel, Clock } from '../kit/clock.js'
import type { Condition, Incident } from './model.js'

/** How often conditions are looked at, in milliseconds. */
const LOOK = 500

export interface AlarmRulesWorld {
  readonly clock: Clock
  /** 0 to 1, without 1. */
  readonly random: () => number
  /** The alarm leads to another processing state. */
  readonly enter: (state: string) => void
  /** What a variable comes back to, by id, when an alarm that changed it is over. */
  readonly usual: (id: string) => TypedValue
}

/** How far a condition has come. */
interface Watched {
  /** Since when it holds, in the clock's time. */
  since: number | undefined
  /** It has held for long enough, and is not over. */
  met: boolean
}

/** The alarms that come of what happens to an equipment. */
export class AlarmRules {
  readonly #scheduled = new Set<Cancel>()
  readonly #happened = new Map<Incident, number>()
  readonly #conditions: ReadonlyMap<Incident & { readonly when: Condition }, Watched>
  /** What the variables were, by id, that incidents have changed until they clear. */
  readonly #before = new Map<string, TypedValue>()
  #cancelLook: Cancel = () => {}

  constructor(
    private readonly incidents: readonly Incident[],
    private readonly equipment: Equipment,
    private readonly world: AlarmRulesWorld,
  ) {
    this.#conditions = new Map(
      incidents.flatMap((incident) =>
        incident.when
          ? [
              [
                { ...incident, when: incident.when },
                { since: undefined, met: false },
              ],
            ]
          : [],
      ),
    )
  }

  /** Looks at conditions from now on, until `stop`; without any there is nothing to do. */
  watch(): void {
    if (this.#conditions.size === 0) return
    this.#cancelLook()
    this.#cancelLook = this.world.clock.at(this.world.clock.now() + LOOK, () => {
      this.watch()
      for (const [incident, watched] of this.#conditions) this.#look(incident, watched)
    })
  }

  /** A collection event happened. */
  fired(event: string): void {
    for (const incident of this.incidents) {
      if (incident.on === event) this.#begin(incident)
      if (incident.clearOn === event) this.#after(0, () => this.#clear(incident))
    }
  }

  /** Nothing happens by itself any more. */
  stop(): void {
    this.#cancelLook()
    for (const cancel of this.#scheduled) cancel()
    this.#scheduled.clear()
  }

  #look(incident: Incident & { readonly when: Condition }, watched: Watched): void {
    const { when } = incident
    const now = this.world.clock.now()
    if (!holds(when, this.equipment.value(when.variable), watched.since !== undefined)) {
      watched.since = undefined
      const clearsItself = incident.clearAfter === undefined && incident.clearOn === undefined
      if (watched.met && clearsItself) this.#after(0, () => this.#clear(incident))
      watched.met = false
      return
    }
    watched.since ??= now
    if (watched.met || now - watched.since < when.for) return
    watched.met = true
    this.#begin(incident)
  }

  #begin(incident: Incident): void {
    const times = this.#happened.get(incident) ?? 0
    if (incident.times !== undefined && times >= incident.times) return
    if (incident.probability < 1 && this.world.random() >= incident.probability) return
    this.#happened.set(incident, times + 1)
    this.#after(incident.after, () => {
      const { alarm, clearAfter, to } = incident
      this.#show(incident)
      if (clearAfter !== undefined) this.#after(clearAfter, () => this.#clear(incident))
      if (to !== undefined) this.world.enter(to)
      return this.equipment.changeAlarm(alarm, true)
    })
  }

  #clear(incident: Incident): Promise<boolean> {
    this.#hide(incident)
    return this.equipment.changeAlarm(incident.alarm, false)
  }

  /** Shows what variables are while the alarm is set. */
  #show({ sets, clearAfter, clearOn, when }: Incident): void {
    const { variables } = this.equipment
    const clears = clearAfter !== undefined || clearOn !== undefined || when !== undefined
    for (const [id, value] of Object.entries(sets)) {
      // What an incident shows that is not over yet is no value to come back to.
      if (clears && !this.#before.has(id)) this.#before.set(id, this.world.usual(id))
      variables.set(id, value)
    }
  }

  #hide({ sets }: Incident): void {
    for (const id of Object.keys(sets)) {
      const before = this.#before.get(id)
      if (before === undefined) continue
      this.equipment.variables.set(id, before)
      this.equipment.variables.release(id)
      this.#before.delete(id)
    }
  }

  #after(ms: number, run: () => Promise<boolean>): void {
    const cancel = this.world.clock.at(this.world.clock.now() + ms, () => {
      this.#scheduled.delete(cancel)
      void run()
    })
    this.#scheduled.add(cancel)
  }
}

/** `already`: it held the last time, so that the value has to come back by the hysteresis. */
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
