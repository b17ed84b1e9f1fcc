import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Equipment } from '../gem/equipment/equipment.js'
import { HCACK, type HostCommandAcknowledge } from '../gem/equipment/remote-commands.js'
import { formatOf, numberIn, type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Clock } from '../kit/clock.js'
import { Schedule } from '../kit/schedule.js'
import type { Unsubscribe } from '../kit/signal.js'
import { AlarmRules } from './alarm-rules.js'
import type { Model, ProcessState } from './model.js'
import { Processing } from './processing.js'
import { valueAt } from './variable-waveforms.js'

/** The behaviour of an equipment: its processing, the waveforms of its variables, and its alarm rules. The same seed gives the same noise and chances. */
export class Behaviour {
  readonly #processing: Processing | undefined
  readonly #alarmRules: AlarmRules
  readonly #startedAt: number
  readonly #schedule: Schedule
  #unsubscribe: Unsubscribe = () => {}

  constructor(
    private readonly model: Model,
    private readonly equipment: Equipment,
    private readonly clock: Clock,
    private readonly seed = 0,
  ) {
    const { process, alarmRules } = model
    this.#startedAt = clock.now()
    this.#schedule = new Schedule(clock)
    const generator = xoroshiro128plus(seed)
    this.#alarmRules = new AlarmRules(alarmRules, equipment, {
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

  /** The value of a variable by its waveform now, by id; undefined where none applies. */
  valueOf(id: string): TypedValue | undefined {
    const waveforms = this.model.waveforms.get(id)
    if (!waveforms) return undefined
    const moment = {
      state: this.state,
      sinceEntering: (this.#processing?.lasted ?? 0) / 1000,
      sinceStart: (this.clock.now() - this.#startedAt) / 1000,
    }
    return valueAt(waveforms, moment, this.seed)
  }

  /** Alarm rules apply from now on. */
  start(): void {
    this.#unsubscribe()
    this.#unsubscribe = this.equipment.happened.on((event) => this.#alarmRules.fired(event))
    this.#alarmRules.watch()
  }

  /** Carries a remote command out; its event follows its reply. */
  execute(command: string): HostCommandAcknowledge {
    const effect = this.model.effects.find((known) => known.command === command)
    if (!effect) return HCACK.done
    const { from, to, event } = effect
    if (from && !(this.state !== undefined && from.includes(this.state))) return HCACK.cannotNow
    if (to !== undefined) this.#processing?.enter(to)
    if (event !== undefined) this.#schedule.after(0, () => void this.fire(event))
    return HCACK.done
  }

  /** Reports a collection event, and applies the alarm rules to it. */
  fire(event: string): Promise<boolean> {
    this.#alarmRules.fired(event)
    return this.equipment.fireEvent(event)
  }

  /** Cancels all timers. */
  stop(): void {
    this.#unsubscribe()
    this.#processing?.stop()
    this.#alarmRules.stop()
    this.#schedule.cancel()
  }

  /** The value without alarms; of a variable with waveforms the model's own. */
  #usual(id: string): TypedValue {
    const { waveforms, equipment } = this.model
    const known = waveforms.has(id) ? equipment.variables.find((variable) => variable.id === id) : undefined
    return known?.value ?? this.equipment.variables.value(id)
  }

  #ended({ event, counts }: ProcessState): void {
    if (counts !== undefined) {
      const value = this.equipment.variables.value(counts)
      this.equipment.variables.set(counts, valueAs(formatOf(value), (numberIn(value) ?? 0) + 1) ?? value)
    }
    if (event !== undefined) void this.fire(event)
  }
}
