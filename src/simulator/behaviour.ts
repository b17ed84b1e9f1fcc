import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Equipment } from '../gem/equipment/equipment.js'
import { HCACK, type HostCommandAcknowledge } from '../gem/equipment/remote-commands.js'
import { numberIn, type TypedValue } from '../gem/typed-value.js'
import type { Cancel, Clock } from '../kit/clock.js'
import type { Unsubscribe } from '../kit/signal.js'
import { AlarmRules } from './alarm-rules.js'
import { followed, oneMore } from './following.js'
import type { Model, ProcessState } from './model.js'
import { Processing } from './processing.js'

/**
 * What brings an equipment of this model to life: its processing, what its variables follow, and the alarms that
 * come of it. The same seed brings the same about.
 */
export class Behaviour {
  readonly #processing: Processing | undefined
  readonly #incidents: AlarmRules
  readonly #began: number
  readonly #scheduled = new Set<Cancel>()
  #unsubscribe: Unsubscribe = () => {}

  constructor(
    private readonly model: Model,
    private readonly equipment: Equipment,
    private readonly clock: Clock,
    private readonly seed = 0,
  ) {
    const { process, incidents } = model
    this.#began = clock.now()
    const generator = xoroshiro128plus(seed)
    this.#incidents = new AlarmRules(incidents, equipment, {
      clock,
      random: () => uniformFloat64(generator),
      enter: (state) => this.#processing?.enter(state),
      usual: (id) => this.#usual(id),
    })
    if (!process) return
    this.#processing = new Processing(process, {
      clock,
      entered: ({ code }) => equipment.variables.set(process.variable, code),
      ended: (state) => this.#ended(state),
    })
    this.#processing.enter(process.initial)
  }

  /** The processing state; undefined where the model has none. */
  get state(): string | undefined {
    return this.#processing?.state
  }

  /** What a variable follows at this time, by id; undefined where it follows nothing. */
  valueOf(id: string): TypedValue | undefined {
    const course = this.model.courses.get(id)
    if (!course) return undefined
    const moment = {
      state: this.state,
      sinceEntering: (this.#processing?.lasted ?? 0) / 1000,
      sinceBeginning: (this.clock.now() - this.#began) / 1000,
    }
    return followed(course, moment, this.seed)
  }

  /** Conditions, and what the equipment itself brings about, are looked at from now on. */
  start(): void {
    this.#unsubscribe()
    this.#unsubscribe = this.equipment.happened.on((event) => this.#incidents.fired(event))
    this.#incidents.watch()
  }

  /** Carries a remote command out, once its answer has left; says at once whether it will. */
  execute(command: string): HostCommandAcknowledge {
    const effect = this.model.effects.find((known) => known.command === command)
    if (!effect) return HCACK.done
    const { from, to, event } = effect
    if (from && !(this.state !== undefined && from.includes(this.state))) return HCACK.cannotNow
    if (to !== undefined) this.#processing?.enter(to)
    if (event !== undefined) this.#soon(() => this.fire(event))
    return HCACK.done
  }

  /** Reports a collection event, and lets happen what comes of it. */
  fire(event: string): Promise<boolean> {
    this.#incidents.fired(event)
    return this.equipment.fireEvent(event)
  }

  /** Nothing happens by itself any more. */
  stop(): void {
    this.#unsubscribe()
    this.#processing?.stop()
    this.#incidents.stop()
    for (const cancel of this.#scheduled) cancel()
    this.#scheduled.clear()
  }

  /** What a variable that follows something falls back to is its model's value. */
  #usual(id: string): TypedValue {
    const { courses, equipment } = this.model
    const known = courses.has(id) ? equipment.variables.find((variable) => variable.id === id) : undefined
    return known?.value ?? this.equipment.variables.value(id)
  }

  #ended({ event, counts }: ProcessState): void {
    if (counts !== undefined) {
      const value = this.equipment.variables.value(counts)
      this.equipment.variables.set(counts, oneMore(value, numberIn(value) ?? 0))
    }
    if (event !== undefined) void this.fire(event)
  }

  #soon(run: () => Promise<boolean>): void {
    const cancel = this.clock.at(this.clock.now(), () => {
      this.#scheduled.delete(cancel)
      void run()
    })
    this.#scheduled.add(cancel)
  }
}
