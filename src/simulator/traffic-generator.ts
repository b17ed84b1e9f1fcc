import type { Simulator } from './simulator.js'

/** One of so many reports is an alarm, which is set and cleared in turn. */
const ALARM_EVERY = 20

/** Sends the events of an equipment (S6F11) in turn, and sometimes an alarm (S5F1). */
export class TrafficGenerator {
  readonly #events: readonly string[]
  readonly #alarms: readonly string[]
  #turn: number
  #alarmChanges = 0

  /** `begin`: the first turn, from 0, so that not all equipment sends the same event at once. */
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

  /** Whether the host acknowledged the report; undefined when the equipment may send none now. */
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
