import { alarmCategory } from '../catalogue/catalogue.js'
import type { Acknowledgement, Alarm, AlarmQuery } from '../contract/alarms.js'
import { Problem } from '../contract/errors.js'
import { DEFAULT_LIMIT, type Page } from '../contract/schema.js'
import type { Identity } from '../contract/users.js'
import type { Clock } from '../kit/clock.js'
import type { Entry, Journal, NewEntry } from '../store/journal.js'
import { decodeCursor, encodeCursor } from './cursor.js'
import type { AlarmBoard } from './gateway.js'
import { ALARM_ACKNOWLEDGED, ALARM_CLEARED, ALARM_SET } from './journal-kinds.js'
import { timeOf } from './time-range.js'

/** What S5F1 says, in plain data. */
export interface AlarmReport {
  /** ALCD: the top bit tells set from clear, the other seven are the category. */
  readonly alcd: number
  readonly alid: string
  readonly text: string
}

const SET_BIT = 0x80
/** Entries read at once, and their bytes: a text may be long. */
const PAGE = 1000
const PAGE_BYTES = 4 * 1024 * 1024

/** One record per occurrence of an alarm: a view of the journal's alarm entries. */
export class JournaledAlarms implements AlarmBoard {
  readonly #alarms = new Map<string, Alarm>()
  /** The occurrence that is active, by equipment and ALID, as of the last entry that was handed to the journal. */
  readonly #active = new Map<string, string>()

  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
  ) {
    journal.appended.on((entry) => this.#apply(entry))
  }

  async restore(): Promise<void> {
    let after = this.journal.first - 1
    for (;;) {
      const entries = await this.journal.query({
        kinds: [{ type: 'alarm' }],
        after,
        order: 'asc',
        limit: PAGE,
        bytes: PAGE_BYTES,
      })
      for (const entry of entries) this.#apply(entry)
      const last = entries.at(-1)
      if (!last) break
      after = last.seq
    }
    for (const alarm of this.#alarms.values()) {
      if (alarm.active) this.#active.set(occurrenceKey(alarm.equipment_id, alarm.alid), alarm.id)
    }
  }

  /**
   * The entry for a report, to be appended as number `seq`. Called in the order in which entries are handed to
   * the journal, so that a set that follows a set is counted, however close together they come.
   */
  entryFor(equipmentId: string, report: AlarmReport, seq: number, messageSeq: number, at: string): NewEntry {
    const key = occurrenceKey(equipmentId, report.alid)
    const open = this.#active.get(key)
    const set = (report.alcd & SET_BIT) !== 0
    const category = report.alcd & ~SET_BIT
    if (set) this.#active.set(key, open ?? String(seq))
    else this.#active.delete(key)
    return {
      ...(set ? ALARM_SET : ALARM_CLEARED),
      key: equipmentId,
      at,
      data: {
        alarm_id: set ? (open ?? String(seq)) : (open ?? null),
        alid: report.alid,
        text: report.text,
        category,
        category_text: alarmCategory(category),
        message_id: String(messageSeq),
      },
    }
  }

  async list(query: AlarmQuery): Promise<Page<Alarm>> {
    const filters = { list: 'alarms', ...query }
    const behind = query.cursor === undefined ? undefined : Number(decodeCursor(query.cursor, filters))
    const ascending = query.order === 'asc'
    const limit = query.limit ?? DEFAULT_LIMIT
    const from = timeOf(query.from)
    const to = timeOf(query.to)
    const found = [...this.#alarms.values()].filter(
      (alarm) =>
        (query.equipment_id === undefined || alarm.equipment_id === query.equipment_id) &&
        (query.active === undefined || alarm.active === query.active) &&
        (query.acknowledged === undefined || alarm.acknowledged === query.acknowledged) &&
        (from === undefined || alarm.set_at >= from) &&
        (to === undefined || alarm.set_at < to) &&
        (behind === undefined || (ascending ? Number(alarm.id) > behind : Number(alarm.id) < behind)),
    )
    if (!ascending) found.reverse()
    const items = found.slice(0, limit)
    const last = items.at(-1)
    return { items, next_cursor: last && found.length > limit ? encodeCursor(filters, last.id) : null }
  }

  async acknowledge(id: string, by: Identity, given: Acknowledgement): Promise<Alarm> {
    const alarm = this.#find(id)
    if (alarm.acknowledged) return alarm
    const data = { alarm_id: id, alid: alarm.alid, acknowledged_by: by.email, comment: given.comment ?? null }
    const at = this.clock.date().toISOString()
    await this.journal.append({ ...ALARM_ACKNOWLEDGED, key: alarm.equipment_id, at, data })
    return this.#find(id)
  }

  #find(id: string): Alarm {
    const alarm = this.#alarms.get(id)
    if (alarm) return alarm
    throw new Problem('alarm_not_found', `There is no alarm ${id}. GET /alarms lists them.`)
  }

  #apply(entry: Entry): void {
    if (entry.type !== ALARM_SET.type) return
    const data = entry.data as unknown as AlarmData
    const alarm = data.alarm_id === null ? undefined : this.#alarms.get(data.alarm_id)
    if (entry.name === ALARM_SET.name && !alarm) this.#alarms.set(String(entry.seq), newAlarm(entry, data))
    else if (alarm) this.#alarms.set(alarm.id, { ...alarm, ...changeBy(entry, data, alarm) })
  }
}

interface AlarmData {
  readonly alarm_id: string | null
  readonly alid: string
  readonly text: string
  readonly category: number
  readonly category_text: string
  readonly acknowledged_by: string
  readonly comment: string | null
}

const occurrenceKey = (equipmentId: string, alid: string): string => `${equipmentId} ${alid}`

const newAlarm = (entry: Entry, data: AlarmData): Alarm => ({
  id: String(entry.seq),
  equipment_id: entry.key,
  alid: data.alid,
  text: data.text,
  category: data.category,
  category_text: data.category_text,
  active: true,
  set_at: entry.at,
  cleared_at: null,
  count: 1,
  acknowledged: false,
  acknowledged_by: null,
  acknowledged_at: null,
  comment: null,
})

function changeBy(entry: Entry, data: AlarmData, alarm: Alarm): Partial<Alarm> {
  switch (entry.name) {
    case ALARM_SET.name:
      return { count: alarm.count + 1 }
    case ALARM_CLEARED.name:
      return { active: false, cleared_at: entry.at }
    case ALARM_ACKNOWLEDGED.name:
      // The first acknowledgement stands, also of two that were under way at once.
      if (alarm.acknowledged) return {}
      return {
        acknowledged: true,
        acknowledged_by: data.acknowledged_by,
        acknowledged_at: entry.at,
        comment: data.comment,
      }
    default:
      return {}
  }
}
