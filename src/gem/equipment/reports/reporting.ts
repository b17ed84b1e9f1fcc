import type { Capability } from '../../capabilities.js'
import { idValue } from '../../content.js'
import type { TypedValue } from '../../typed-value.js'
import type { EquipmentParts } from '../equipment-parts.js'

/** A report with its values, as S6F11 and S6F16 carry it. */
export interface FilledReport {
  readonly RPTID: TypedValue
  readonly V: readonly TypedValue[]
}

/** Reports collection events and alarms to the host. */
export class Reporting {
  #dataId = 0

  constructor(private readonly equipment: EquipmentParts) {}

  /** Whether the host acknowledged the event report. Events that are not enabled are not sent. */
  async fire(event: string): Promise<boolean> {
    if (!this.equipment.reports.isEnabled(event) || !this.#has('event_reports')) return false
    const content = { DATAID: this.nextDataId(), CEID: idValue(event), REPORTS: this.filled(event) }
    return this.equipment.outbound.report('S6F11', content)
  }

  /** Whether the host acknowledged the alarm. Throws RangeError when there is no such alarm. */
  async changeAlarm(id: string, set: boolean): Promise<boolean> {
    const change = this.equipment.alarms.change(id, set)
    if (!change) return false
    this.equipment.last.alarm = change
    const { alarm, alcd, enabled } = change
    const event = set ? alarm.setEvent : alarm.clearedEvent
    const fired = event === undefined ? undefined : () => this.equipment.happens(event)
    if (!enabled || !this.equipment.online || !this.#has('alarms')) return (await fired?.()) ?? false
    const content = { ALCD: String(alcd), ALID: idValue(alarm.id), ALTX: alarm.text }
    const reported = this.equipment.outbound.report('S5F1', content)
    const [acknowledged] = await Promise.all([reported, fired?.()])
    return acknowledged
  }

  /** The reports of an event with the values of this moment. */
  filled(event: string): FilledReport[] {
    return (this.equipment.reports.reportsOf(event) ?? []).map(({ id, variables }) => ({
      RPTID: idValue(id),
      V: variables.map((variable) => this.equipment.value(variable)),
    }))
  }

  #has(capability: Capability): boolean {
    return !this.equipment.model.without?.includes(capability)
  }

  nextDataId(): string {
    this.#dataId = (this.#dataId + 1) % 2 ** 32
    return String(this.#dataId)
  }
}
