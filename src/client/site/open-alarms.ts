import { severityOf } from '../../contract/alarm-severity.js'
import type { ListedAlarms } from '../../contract/read-open-alarms.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'

/** Open alarms that are kept. Of more, the oldest that are not active are left out; active alarms never are. */
export const MAX_OPEN_ALARMS = 5000

const isOpen = ({ active, acknowledged }: Alarm): boolean => active || !acknowledged

/** What an event of a reported alarm says. */
type Said = Pick<Alarm, 'alid' | 'text' | 'category' | 'category_text' | 'count'> &
  Partial<Pick<Alarm, 'shelved'>>

/** What an event of a shelved alarm says. */
interface Shelved {
  readonly alid: string
  readonly shelved_by: string
  readonly reason: string
  readonly until: string
  readonly personal_safety: boolean
}

/** The alarms that are active or not acknowledged, all or those of one equipment, kept up to date by events. */
export class OpenAlarms {
  /** How many alarms, none of them active, were left out since all were read. */
  leftOut = 0
  /** False before they were read, and while nobody wants them. */
  isKnown = false
  #wanted: ListedAlarms | undefined
  readonly #alarms = new Map<string, Alarm>()
  /** The ids of those that are not active, oldest first. */
  readonly #cleared = new Set<string>()
  #list: readonly Alarm[] | undefined

  /** Newest first; the same array until an alarm changes. */
  get list(): readonly Alarm[] {
    this.#list ??= [...this.#alarms.values()].sort((a, b) => Number(b.id) - Number(a.id))
    return this.#list
  }

  /** From now on these are kept, once they have been read; undefined for none. */
  want(wanted: ListedAlarms | undefined): void {
    this.#wanted = wanted
    this.#clear()
    this.isKnown = false
  }

  /** Takes the alarms as they were read. */
  set(alarms: readonly Alarm[]): void {
    this.#clear()
    this.isKnown = true
    const open = alarms.filter(isOpen).sort((a, b) => Number(a.id) - Number(b.id))
    for (const alarm of open) this.put(alarm)
  }

  #clear(): void {
    this.#alarms.clear()
    this.#cleared.clear()
    this.#list = undefined
    this.leftOut = 0
  }

  /** Takes one alarm as it is now. */
  put(alarm: Alarm): void {
    this.#drop(alarm.id)
    this.#list = undefined
    if (!isOpen(alarm)) return
    this.#alarms.set(alarm.id, alarm)
    if (!alarm.active) this.#cleared.add(alarm.id)
    if (this.#alarms.size <= MAX_OPEN_ALARMS) return
    const [oldest] = this.#cleared
    if (oldest === undefined) return
    this.#drop(oldest)
    this.leftOut++
  }

  apply({ name, at, equipment_id, equipment_name, data }: Event): void {
    if (name === 'alarm_shelved' || name === 'alarm_unshelved') this.#shelve({ name, at, equipment_id, data })
    const { alarm_id } = data as { readonly alarm_id?: string }
    const { equipment_id: only = equipment_id } = this.#wanted ?? {}
    if (!this.isKnown || alarm_id === undefined || only !== equipment_id) return
    const known = this.#alarms.get(alarm_id)
    if (name === 'alarm_set') {
      const said = data as unknown as Said
      this.put(
        known
          ? { ...known, count: said.count, shelved: said.shelved ?? null }
          : {
              id: alarm_id,
              equipment_id,
              equipment_name,
              active: true,
              set_at: at,
              cleared_at: null,
              alid: said.alid,
              text: said.text,
              count: said.count,
              category: said.category,
              category_text: said.category_text,
              severity: severityOf(said.category),
              acknowledged: false,
              acknowledged_by: null,
              acknowledged_at: null,
              comment: null,
              shelved: said.shelved ?? null,
            },
      )
    } else if (!known) return
    else if (name === 'alarm_cleared') this.put({ ...known, active: false, cleared_at: at })
    else if (name === 'alarm_acknowledged') {
      const { acknowledged_by, comment } = data as Partial<Alarm>
      this.put({
        ...known,
        acknowledged: true,
        acknowledged_at: at,
        acknowledged_by: acknowledged_by ?? null,
        comment: comment ?? null,
      })
    }
  }

  /** Changes all open alarms of an ALID. */
  #shelve({ name, at, equipment_id, data }: Pick<Event, 'name' | 'at' | 'equipment_id' | 'data'>): void {
    const { alid, shelved_by, reason, until, personal_safety } = data as unknown as Shelved
    const shelved = name === 'alarm_shelved' ? { by: shelved_by, reason, since: at, until } : null
    for (const alarm of [...this.#alarms.values()]) {
      if (alarm.equipment_id !== equipment_id || alarm.alid !== alid) continue
      const isExempt = alarm.severity === 'personal_safety' && !personal_safety
      this.put({ ...alarm, shelved: isExempt ? null : shelved })
    }
  }

  #drop(id: string): void {
    this.#alarms.delete(id)
    this.#cleared.delete(id)
  }
}
