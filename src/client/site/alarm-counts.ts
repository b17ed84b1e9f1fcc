import { bySeverity, severityOf } from '../../contract/alarm-severity.js'
import type { AlarmSummary, WorstAlarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'

/** The open alarms of one equipment in numbers. */
export interface AlarmsOf {
  readonly active: number
  readonly unacknowledged: number
  /** Open ones that are shelved: they are in no other count. */
  readonly shelved: number
  /** Of the active ones the newest of the most urgent; undefined also while it has to be asked for. */
  readonly worst: WorstAlarm | undefined
}

/** Those of equipment without any. */
export const NO_ALARMS: AlarmsOf = { active: 0, unacknowledged: 0, shelved: 0, worst: undefined }

interface Counted extends AlarmsOf {
  /** The last event that it includes. */
  readonly asOf: number
}

/** How many alarms are open on each equipment: as a summary says, and as events have changed it since. */
export class AlarmCounts {
  /** Ids of equipment of which the gateway may leave out active alarms: it has had too many at once. */
  incomplete: readonly string[] = []
  /** Ids of equipment whose summary is needed again: the events do not say what holds now. */
  readonly doubted = new Set<string>()
  /** The newest event of an alarm that was applied. A summary that is older than it says less than is known. */
  seen = 0
  readonly #of = new Map<string, Counted>()
  /** The last event that holds for equipment that is not in `#of`. */
  #asOf = 0

  of(equipmentId: string): AlarmsOf {
    return this.#of.get(equipmentId) ?? NO_ALARMS
  }

  /** Events are missing: the next summary is taken, whatever its number. */
  expire(): void {
    this.seen = 0
  }

  /** Takes a summary of these equipment, or of all; events that are older than it are ignored from now on. */
  take({ as_of, items, incomplete }: AlarmSummary, ids?: readonly string[]): void {
    const asOf = Number(as_of)
    if (ids) {
      for (const id of ids) this.#of.set(id, { ...NO_ALARMS, asOf })
      for (const id of ids) this.doubted.delete(id)
      const others = this.incomplete.filter((id) => !ids.includes(id))
      this.incomplete = [...others, ...incomplete]
    } else {
      this.#of.clear()
      this.doubted.clear()
      this.#asOf = asOf
      this.incomplete = incomplete
    }
    for (const { equipment_id, active, unacknowledged, shelved, worst } of items)
      this.#of.set(equipment_id, { active, unacknowledged, shelved, worst: worst ?? undefined, asOf })
  }

  /** Takes an event, again and again where it has to be: each counts once. */
  apply(event: Event): void {
    const { equipment_id: id } = event
    const asOf = Number(event.id)
    const before = this.#of.get(id) ?? { ...NO_ALARMS, asOf: this.#asOf }
    this.seen = Math.max(this.seen, asOf)
    if (asOf <= before.asOf) return
    if (isAboutShelved(before, event)) {
      this.doubted.add(id)
      this.#of.set(id, { ...before, asOf })
      return
    }
    const after = { ...before, ...counted(before, event) }
    const isWrong = after.active < 0 || after.unacknowledged < 0 || (isRepeat(event) && before.active === 0)
    if (isWrong || (after.active > 0 && !after.worst) || this.incomplete.includes(id)) this.doubted.add(id)
    const [active, unacknowledged] = [Math.max(0, after.active), Math.max(0, after.unacknowledged)]
    this.#of.set(id, { ...after, active, unacknowledged, asOf })
  }
}

/** Whether an event is, or may be, about an alarm that is shelved: which ones are is not known here. */
function isAboutShelved({ shelved, worst }: AlarmsOf, { id, name, data }: Event): boolean {
  if (name === 'alarm_shelved' || name === 'alarm_unshelved' || data['shelved'] !== undefined) return true
  return shelved > 0 && data['alarm_id'] !== worst?.id && !(name === 'alarm_set' && data['alarm_id'] === id)
}

/** Whether an active alarm was reported again. */
const isRepeat = ({ id, name, data }: Event): boolean => name === 'alarm_set' && data['alarm_id'] !== id

type Counts = Omit<AlarmsOf, 'shelved'>

/** The counts after an event. Without `worst`, although some are active: it is not known which is. */
function counted({ active, unacknowledged, worst }: Counts, { id, name, at, data }: Event): Counts {
  const { alarm_id } = data as { readonly alarm_id?: string | null }
  const isWorst = worst?.id === alarm_id
  switch (name) {
    case 'alarm_set': {
      if (alarm_id !== id) return { active, unacknowledged, worst }
      const { alid, text, category, category_text } = data as unknown as WorstAlarm
      const said = { id, alid, text, category, category_text, severity: severityOf(category) }
      const set = { ...said, set_at: at, acknowledged: false }
      const known = active === 0 || (worst && bySeverity(set, worst) < 0) ? set : worst
      return { active: active + 1, unacknowledged: unacknowledged + 1, worst: known }
    }
    case 'alarm_cleared':
      if (alarm_id === null) return { active, unacknowledged, worst }
      return { active: active - 1, unacknowledged, worst: isWorst ? undefined : worst }
    case 'alarm_acknowledged':
      return {
        active,
        unacknowledged: unacknowledged - 1,
        worst: isWorst && worst ? { ...worst, acknowledged: true } : worst,
      }
    default:
      return { active, unacknowledged, worst }
  }
}
