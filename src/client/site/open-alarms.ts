import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'

/** Open alarms that are kept. Of more, the oldest that are not active are left out; active alarms never are. */
export const MAX_OPEN_ALARMS = 5000

/** The open alarms of one equipment. */
export interface AlarmsOf {
  readonly active: number
  readonly unacknowledged: number
  /** Of the active ones the newest of the most urgent category. */
  readonly worst: Alarm | undefined
}

const NONE: AlarmsOf = { active: 0, unacknowledged: 0, worst: undefined }

/** Personal safety and equipment safety (ALCD, bits 1 to 7) come before all else. */
const URGENT = [1, 2]
const urgency = ({ category }: Alarm): number => (URGENT.includes(category) ? category : URGENT.length + 1)

const isWorse = (a: Alarm, b: Alarm): boolean =>
  urgency(a) === urgency(b) ? Number(a.id) > Number(b.id) : urgency(a) < urgency(b)

const isOpen = ({ active, acknowledged }: Alarm): boolean => active || !acknowledged

/** The alarms that are active or not acknowledged, kept up to date by events. */
export class OpenAlarms {
  /** How many alarms, none of them active, were left out since all were read. */
  leftOut = 0
  /** Ids of equipment of which the gateway may leave out active alarms: it has had too many at once. */
  incomplete: readonly string[] = []
  readonly #alarms = new Map<string, Alarm>()
  /** The ids of those that are not active, oldest first. */
  readonly #cleared = new Set<string>()
  /** By equipment and alarm. */
  readonly #ofEquipment = new Map<string, Map<string, Alarm>>()
  #list: readonly Alarm[] | undefined

  /** Newest first; the same array until an alarm changes. */
  get list(): readonly Alarm[] {
    this.#list ??= [...this.#alarms.values()].sort((a, b) => Number(b.id) - Number(a.id))
    return this.#list
  }

  of(equipmentId: string): AlarmsOf {
    const alarms = this.#ofEquipment.get(equipmentId)
    if (!alarms) return NONE
    let { active, unacknowledged, worst } = NONE
    for (const alarm of alarms.values()) {
      if (!alarm.acknowledged) unacknowledged++
      if (!alarm.active) continue
      active++
      if (!worst || isWorse(alarm, worst)) worst = alarm
    }
    return { active, unacknowledged, worst }
  }

  /** Takes the alarms as they were read. */
  set(alarms: readonly Alarm[], incomplete: readonly string[] = []): void {
    this.#alarms.clear()
    this.#cleared.clear()
    this.#ofEquipment.clear()
    this.#list = undefined
    this.leftOut = 0
    this.incomplete = incomplete
    const open = alarms.filter(isOpen).sort((a, b) => Number(a.id) - Number(b.id))
    for (const alarm of open) this.put(alarm)
  }

  /** Takes one alarm as it is now. */
  put(alarm: Alarm): void {
    this.#drop(alarm.id)
    this.#list = undefined
    if (!isOpen(alarm)) return
    this.#alarms.set(alarm.id, alarm)
    if (!alarm.active) this.#cleared.add(alarm.id)
    const ofSame = this.#ofEquipment.get(alarm.equipment_id)
    if (ofSame) ofSame.set(alarm.id, alarm)
    else this.#ofEquipment.set(alarm.equipment_id, new Map([[alarm.id, alarm]]))
    if (this.#alarms.size <= MAX_OPEN_ALARMS) return
    const [oldest] = this.#cleared
    if (oldest === undefined) return
    this.#drop(oldest)
    this.leftOut++
  }

  apply({ name, at, equipment_id, equipment_name, data }: Event): void {
    const { alarm_id } = data as { readonly alarm_id?: string }
    if (alarm_id === undefined) return
    const known = this.#alarms.get(alarm_id)
    if (name === 'alarm_set') {
      const said = data as unknown as Pick<Alarm, 'alid' | 'text' | 'category' | 'category_text' | 'count'>
      this.put(
        known
          ? { ...known, count: said.count }
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
              acknowledged: false,
              acknowledged_by: null,
              acknowledged_at: null,
              comment: null,
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

  #drop(id: string): void {
    const alarm = this.#alarms.get(id)
    if (!alarm) return
    this.#alarms.delete(id)
    this.#cleared.delete(id)
    const ofSame = this.#ofEquipment.get(alarm.equipment_id)
    ofSame?.delete(id)
    if (ofSame?.size === 0) this.#ofEquipment.delete(alarm.equipment_id)
  }
}
