import { signal } from '@preact/signals'
import type { Alarm } from '../../contract/topics/alarms.js'
import { alarmEndpoints } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { GatewayCalls } from '../gateway/call.js'

/** Alarms that are read; of more the oldest are left out. */
const MAX_READ = 20_000
/** Alarms that are counted with those that come later. */
const MAX_ALARMS = 2 * MAX_READ
const PAGE = 1000

/** What one bar of the pareto counts. */
export interface ParetoBar {
  readonly key: string
  /** The alarm's text and ALID, or the name of the equipment. */
  readonly label: string
  readonly detail: string
  readonly count: number
  /** The share of this bar and all before it, 0 to 1. */
  readonly cumulative: number
}

/** One time that equipment set an alarm. */
export type Occurrence = Pick<Alarm, 'id' | 'alid' | 'text' | 'equipment_id' | 'equipment_name' | 'set_at'>

/** The beginning of this local day, or of an earlier one. */
export const startOfDay = (now: Date, daysBefore = 0): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore)

/** All alarms that were set since a time, by their ids, from a list and then from events. */
export class AlarmsSince {
  /** Rises when an alarm has come. */
  readonly version = signal(0)
  readonly isCut = signal(false)
  readonly #occurrences = new Map<string, Occurrence>()

  constructor(readonly from: Date) {}

  get count(): number {
    return this.#occurrences.size
  }

  /** In no particular order. */
  get all(): Iterable<Occurrence> {
    return this.#occurrences.values()
  }

  /** Reads what was set before now. Throws `Refused`. */
  async load(calls: GatewayCalls, scope: object, signal: AbortSignal): Promise<void> {
    const query = { ...scope, from: this.from.toISOString(), limit: PAGE }
    let cursor: string | null | undefined
    while (cursor !== null && this.count < MAX_READ) {
      const page = await calls.call(
        alarmEndpoints.listAlarms,
        { query: { ...query, ...(cursor !== undefined && { cursor }) } },
        signal,
      )
      for (const alarm of page.items) this.#add(alarm)
      cursor = page.next_cursor
      this.isCut.value = cursor !== null
      this.version.value++
    }
  }

  take({ name, equipment_id, equipment_name, at, data }: Event): void {
    const { alarm_id, alid = '', text = '' } = data as Partial<Alarm> & { readonly alarm_id?: string }
    if (name !== 'alarm_set' || alarm_id === undefined || Date.parse(at) < this.from.getTime()) return
    if (this.#add({ id: alarm_id, alid, text, equipment_id, equipment_name, set_at: at }))
      this.version.value++
  }

  /** The bars, the longest first. */
  pareto(by: 'alarm' | 'equipment'): readonly ParetoBar[] {
    const counts = new Map<string, { readonly label: string; readonly detail: string; count: number }>()
    for (const { alid, text, equipment_id, equipment_name } of this.#occurrences.values()) {
      const [key, label, detail] =
        by === 'alarm'
          ? [`${alid}\n${text}`, text || alid, alid]
          : [equipment_id, equipment_name ?? equipment_id, '']
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { label, detail, count: 1 })
    }
    let sum = 0
    return [...counts]
      .sort(([, a], [, b]) => b.count - a.count || a.label.localeCompare(b.label))
      .map(([key, { label, detail, count }]) => {
        sum += count
        return { key, label, detail, count, cumulative: sum / this.count }
      })
  }

  #add({ id, alid, text, equipment_id, equipment_name, set_at }: Occurrence): boolean {
    if (this.#occurrences.has(id)) return false
    if (this.count >= MAX_ALARMS) {
      this.isCut.value = true
      return false
    }
    this.#occurrences.set(id, { id, alid, text, equipment_id, equipment_name, set_at })
    return true
  }
}
