import type { Event } from '../../src/contract/topics/events.js'

interface OpenAlarm {
  active: boolean
  acknowledged: boolean
}

/** The alarms that a reader was shown, and that are active or not acknowledged by what it was shown. */
export class OpenAlarms {
  readonly #open = new Map<number, OpenAlarm>()

  take({ id, name, data }: Event): void {
    const alarm = Number(data['alarm_id'] ?? id)
    if (name === 'alarm_set' && alarm === Number(id))
      this.#open.set(alarm, { active: true, acknowledged: false })
    const known = this.#open.get(alarm)
    if (!known) return
    if (name === 'alarm_cleared') known.active = false
    if (name === 'alarm_acknowledged') known.acknowledged = true
    if (!known.active && known.acknowledged) this.#open.delete(alarm)
  }

  /** Which of these are open; of all where they are left out. */
  among(ids: Iterable<number> = this.#open.keys()): number[] {
    return [...ids].filter((id) => this.#open.has(id))
  }

  /** What happened meanwhile is not known. */
  forget(): void {
    this.#open.clear()
  }
}
