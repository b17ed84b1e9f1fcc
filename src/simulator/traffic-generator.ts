import type { Simulator } from './simulator.js'

/** Every so many reports of an equipment one is an alarm (S5F1), which is set and cleared in turn. */
const ALARM_EVERY = 20

/** What an equipment says that does nothing but report: its events (S6F11) in turn, and now and then an alarm. */
export class TrafficGenerator {
  readonly #events: readonly string[]
  readonly #alarms: readonly string[]
  #turn: number
  #alarmChanges = 0

  /** `begin`: the turn that it begins with, from 0, so that not all say the same at once. */
  constructor(
    private readonly simulator: Simulator,
    begin: number,
  ) {
    const { events, alarms, controlEvents } = simulator.model.equipment
    const ofControl = new Set(Object.values(controlEvents))
    this.#events = events.map(({ id }) => id).filter((id) => !ofControl.has(id))
    this.#alarms = alarms.map(({ id }) => id)
    this.#turn = begin
  }

  /** Whether the host acknowledged; undefined when the equipment has nothing that it may say now. */
  report(): Promise<boolean> | undefined {
    const { equipment } = this.simulator
    if (equipment.communicationState !== 'COMMUNICATING' || !equipment.online) return undefined
    if (equipment.spool?.wants(6, 11, true) || equipment.spool?.wants(5, 1, true)) return undefined
    this.#turn += 1
    const isForAlarm = this.#turn % ALARM_EVERY === 0 || this.#events.length === 0
    return (isForAlarm ? this.#alarm() : undefined) ?? this.#event()
  }

  #event(): Promise<boolean> | undefined {
    const { equipment } = this.simulator
    const enabled = this.#events.filter((id) => equipment.reports.isEnabled(id))
    const event = enabled[this.#turn % enabled.length]
    return event === undefined ? undefined : equipment.fireEvent(event)
  }

  #alarm(): Promise<boolean> | undefined {
    const { alarms } = this.simulator.equipment
    const alarm = this.#alarms[(this.#alarmChanges >> 1) % this.#alarms.length]
    if (alarm === undefined || !alarms.enabledIds().includes(alarm)) return undefined
    const isSet = alarms.set().includes(alarm)
    this.#alarmChanges += 1
    return this.simulator.equipment.changeAlarm(alarm, !isSet)
  }
}
