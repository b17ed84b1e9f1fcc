import type { Signal } from '../../../kit/signal.js'
import type { Capability } from '../../capabilities.js'
import { idValue } from '../../content.js'
import type { TypedValue } from '../../typed-value.js'
import type { Alarms } from '../alarms/alarms.js'
import type { OutboundQueue } from '../outbound-queue.js'
import type { LastHappened } from '../own-values.js'
import type { Reports } from './reports.js'

/** A report with its values, as S6F11 and S6F16 carry it. */
export interface FilledReport {
  readonly RPTID: TypedValue
  readonly V: readonly TypedValue[]
}

/** The parts of an equipment that reporting uses. */
export interface EquipmentThatReports {
  readonly online: boolean
  readonly reports: Reports
  readonly alarms: Alarms
  readonly outbound: OutboundQueue
  readonly happened: Signal<string>
  fireEvent(event: string): Promise<boolean>
  /** The value of a variable or constant, by id. */
  value(id: string): TypedValue
}

/** Reports collection events and alarms to the host. */
export class Reporting {
  #dataId = 0

  constructor(
    private readonly equipment: EquipmentThatReports,
    private readonly last: LastHappened,
    private readonly has: (capability: Capability) => boolean,
  ) {}

  /** Whether the host acknowledged the event report. Events that are not enabled are not sent. */
  async fire(event: string): Promise<boolean> {
    if (!this.equipment.reports.isEnabled(event) || !this.has('event_reports')) return false
    const content = { DATAID: this.nextDataId(), CEID: idValue(event), REPORTS: this.filled(event) }
    return this.equipment.outbound.report('S6F11', content)
  }

  /** As the equipment's `fireEvent`, for events that the equipment causes by itself. */
  happens(event: string): Promise<boolean> {
    this.equipment.happened.emit(event)
    return this.equipment.fireEvent(event)
  }

  /** Whether the host acknowledged the alarm. Throws RangeError when there is no such alarm. */
  async changeAlarm(id: string, set: boolean): Promise<boolean> {
    const change = this.equipment.alarms.change(id, set)
    if (!change) return false
    this.last.alarm = change
    const { alarm, alcd, enabled } = change
    const event = set ? alarm.setEvent : alarm.clearedEvent
    const fired = event === undefined ? undefined : () => this.happens(event)
    if (!enabled || !this.equipment.online || !this.has('alarms')) return (await fired?.()) ?? false
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

  nextDataId(): string {
    this.#dataId = (this.#dataId + 1) % 2 ** 32
    return String(this.#dataId)
  }
}
