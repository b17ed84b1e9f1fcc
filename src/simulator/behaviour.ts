import type { Equipment } from '../gem/equipment.js'
import { HCACK, type HostCommandAcknowledge } from '../gem/remote-commands.js'
import type { TypedValue } from '../gem/typed-value.js'
import type { Cancel, Clock } from '../kit/clock.js'
import type { Incident, Model, ProcessState } from './model.js'

/** What brings an equipment of this model to life: its processing, and the alarms that come of it. */
export class Behaviour {
  #state: ProcessState | undefined
  /** When the state ends by itself, in the clock's time. */
  #ends: number | undefined
  #cancelEnd: Cancel = () => {}
  /** What a paused state had left, in milliseconds. */
  #held: { readonly state: string; readonly left: number } | undefined
  readonly #scheduled = new Set<Cancel>()
  readonly #happened = new Map<Incident, number>()
  /** What the variables were, by id, that incidents have changed until they clear. */
  readonly #before = new Map<string, TypedValue>()

  constructor(
    private readonly model: Model,
    private readonly equipment: Equipment,
    private readonly clock: Clock,
  ) {
    const initial = model.process?.initial
    if (initial !== undefined) this.#enter(initial)
  }

  /** Carries a remote command out, once its answer has left; says at once whether it will. */
  execute(command: string): HostCommandAcknowledge {
    const effect = this.model.effects.find((known) => known.command === command)
    if (!effect) return HCACK.done
    const { from, to, event } = effect
    if (from && !(this.#state && from.includes(this.#state.name))) return HCACK.cannotNow
    if (to !== undefined) this.#enter(to)
    if (event !== undefined) this.#after(0, () => this.fire(event))
    return HCACK.done
  }

  /** Reports a collection event, and lets happen what comes of it. */
  fire(event: string): Promise<boolean> {
    for (const incident of this.model.incidents) if (incident.on === event) this.#begin(incident)
    return this.equipment.fireEvent(event)
  }

  /** Nothing happens by itself any more. */
  stop(): void {
    this.#cancelEnd()
    for (const cancel of this.#scheduled) cancel()
    this.#scheduled.clear()
  }

  #enter(name: string): void {
    const process = this.model.process
    const next = process?.states.find((state) => state.name === name)
    if (!process || !next) return
    const left = this.#ends === undefined ? undefined : this.#ends - this.clock.now()
    if (next.holds !== undefined && next.holds === this.#state?.name && left !== undefined) {
      this.#held = { state: next.holds, left }
    }
    const resumes = this.#held?.state === name ? this.#held.left : undefined
    if (next.holds === undefined) this.#held = undefined
    this.#cancelEnd()
    this.#state = next
    this.#ends = undefined
    this.equipment.variables.set(process.variable, next.code)
    const lasts = resumes ?? next.lasts
    if (lasts === undefined) return
    this.#ends = this.clock.now() + lasts
    this.#cancelEnd = this.clock.at(this.#ends, () => this.#end(next))
  }

  #end(state: ProcessState): void {
    this.#ends = undefined
    if (state.next !== undefined) this.#enter(state.next)
    if (state.event !== undefined) void this.fire(state.event)
  }

  #begin(incident: Incident): void {
    const times = this.#happened.get(incident) ?? 0
    if (incident.times !== undefined && times >= incident.times) return
    this.#happened.set(incident, times + 1)
    this.#after(incident.after, () => {
      const { alarm, clearAfter } = incident
      this.#show(incident)
      if (clearAfter !== undefined) {
        this.#after(clearAfter, () => {
          this.#hide(incident)
          return this.equipment.changeAlarm(alarm, false)
        })
      }
      return this.equipment.changeAlarm(alarm, true)
    })
  }

  /** Shows what variables are while the alarm is set. */
  #show({ sets, clearAfter }: Incident): void {
    const { variables } = this.equipment
    for (const [id, value] of Object.entries(sets)) {
      // What an incident shows that is not over yet is no value to come back to.
      if (clearAfter !== undefined && !this.#before.has(id)) this.#before.set(id, variables.value(id))
      variables.set(id, value)
    }
  }

  #hide({ sets }: Incident): void {
    for (const id of Object.keys(sets)) {
      const before = this.#before.get(id)
      if (before !== undefined) this.equipment.variables.set(id, before)
      this.#before.delete(id)
    }
  }

  #after(ms: number, run: () => Promise<boolean>): void {
    const cancel = this.clock.at(this.clock.now() + ms, () => {
      this.#scheduled.delete(cancel)
      void run()
    })
    this.#scheduled.add(cancel)
  }
}
