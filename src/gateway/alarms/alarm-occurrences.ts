import { createHash } from 'node:crypto'
import { bySeverity } from '../../contract/alarm-severity.js'
import { MAX_ACTIVE_ALARMS } from '../../contract/topics/alarms.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import { ALARM_ACKNOWLEDGED, ALARM_CLEARED, ALARM_SET } from '../records/journal-kinds.js'
import { OccurrencesByEquipment } from './occurrences-by-equipment.js'

/**
 * One occurrence of an alarm, from its set to its clear: numbers only, a fixed 170 bytes of memory.
 * Its text is read from the journal.
 */
export interface Occurrence {
  /** Sequence number of the entry that set it. */
  readonly id: number
  readonly equipmentId: string
  /** The ALID (or its digest, see `alidMark`) while the alarm is open; null once it is cleared and acknowledged. */
  alid: string | null
  /** Sequence number of the entry that its text is read from. */
  readonly textEntry: number
  /** ALCD, bits 1 to 7. */
  readonly category: number
  /** When it was set and cleared, in milliseconds since 1970. */
  readonly setAt: number
  clearedAt: number | null
  count: number
  /** Sequence numbers of the last set, of the clear and of the acknowledgement; 0 where there is none. */
  lastSet: number
  cleared: number
  acknowledged: number
  /** Retention may delete its entries, although it is not acknowledged. */
  released: boolean
}

export interface AlarmCounts {
  readonly active: number
  readonly unacknowledged: number
  /** Open ones that are shelved: they are in no other count. */
  readonly shelved: number
  /** Of the active ones the newest of the most urgent. */
  readonly worst: Occurrence | undefined
}

/**
 * Most active occurrences of one equipment whose entries retention must keep: an equipment may make up any number of
 * ALIDs. Above it its oldest are released, and none of another equipment.
 */
export const MAX_ACTIVE = MAX_ACTIVE_ALARMS
/** The same of cleared ones that nobody has acknowledged, of all equipment: the equipment that has most gives way. */
const MAX_OVER = 10_000
/** Most occurrences in memory. Above it the oldest finished ones are removed; their entries stay in the journal. */
const MAX_KEPT = 100_000
/** The limit may be exceeded by this many before the oldest are removed. */
const ROOM = 1000
/** Occurrences in one line of a snapshot. */
const IN_A_LINE = 500
/** Longer ALIDs are represented by their digest. */
const MAX_ALID_LENGTH = 64

/** The ALID itself, or its digest where it is long: at most 64 characters. */
export const alidMark = (alid: string): string =>
  alid.length <= MAX_ALID_LENGTH ? alid : createHash('sha256').update(alid).digest('base64url')

/** The alarm occurrences of a journal, in memory, oldest first: a view of its alarm entries. */
export class AlarmOccurrences implements View {
  readonly name = 'alarms'
  /** 2: with the category. */
  readonly version = 2
  readonly kinds = [ALARM_SET, ALARM_CLEARED, ALARM_ACKNOWLEDGED]
  /** By rising id. */
  readonly #all: Occurrence[] = []
  /** Occurrences whose entries retention must keep: active ones, and cleared ones that are not acknowledged. */
  readonly #active = new OccurrencesByEquipment<Occurrence>()
  readonly #over = new OccurrencesByEquipment<Occurrence>()
  /**
   * The ALIDs of active occurrences of an equipment that were released, until they are cleared or set again. Null: others
   * too, more than are remembered.
   */
  readonly #leftOut = new Map<string, Set<string | null>>()
  #trimmed = 0

  /** `first`: the oldest sequence number that the journal keeps. */
  constructor(readonly first: () => number) {}

  load(line: JsonObject): void {
    for (const row of line['alarms'] as readonly Row[]) {
      this.#add(Object.fromEntries(MEMBERS.map((name, at) => [name, row[at]])) as object as Occurrence)
    }
    const leftOut = (line['left_out_alids'] ?? []) as readonly (readonly [
      string,
      readonly (string | null)[],
    ])[]
    for (const [equipmentId, marks] of leftOut) this.#leftOut.set(equipmentId, new Set(marks))
    // A line of an earlier version has only how many.
    const counted = (line['left_out'] ?? []) as readonly (readonly [string, number])[]
    for (const [equipmentId] of counted) this.#leftOut.set(equipmentId, new Set([null]))
  }

  apply({ seq, key, name, at, data }: Entry): void {
    const id = data['alarm_id'] === null ? undefined : Number(data['alarm_id'])
    const known = id === undefined ? undefined : this.get(id)
    const isSetAnew = name === ALARM_SET.name && !known
    if (isSetAnew || name === ALARM_CLEARED.name) this.#notLeftOut(key, alidMark(String(data['alid'])))
    if (isSetAnew) {
      const alid = alidMark(String(data['alid']))
      const setAt = Date.parse(at)
      const none = { clearedAt: null, cleared: 0, acknowledged: 0, released: false }
      const category = Number(data['category'] ?? 0)
      const set = { alid, textEntry: seq, category, setAt, count: 1, lastSet: seq }
      // An occurrence whose first entry was lost keeps its id.
      this.#add({ id: id ?? seq, equipmentId: key, ...set, ...none })
    } else if (known) this.#change(known, name, seq, at, data['count'])
    if (data['cause'] === 'equipment_deleted') this.#leftOut.delete(key)
  }

  #leaveOut({ equipmentId, alid }: Occurrence): void {
    const marks = this.#leftOut.get(equipmentId) ?? new Set()
    marks.add(marks.size < MAX_ACTIVE ? alid : null)
    this.#leftOut.set(equipmentId, marks)
  }

  #notLeftOut(equipmentId: string, mark: string): void {
    const marks = this.#leftOut.get(equipmentId)
    if (marks?.delete(mark) && marks.size === 0) this.#leftOut.delete(equipmentId)
  }

  *lines(): Generator<JsonObject> {
    this.#trim()
    for (let at = 0; at < this.#all.length; at += IN_A_LINE) {
      yield { alarms: this.#all.slice(at, at + IN_A_LINE).map(rowOf) }
    }
    if (this.#leftOut.size > 0)
      yield { alarms: [], left_out_alids: [...this.#leftOut].map(([id, marks]) => [id, [...marks]]) }
  }

  *pinned(): Generator<number> {
    for (const pinned of [this.#over, this.#active]) {
      for (const { textEntry, lastSet, cleared, acknowledged } of pinned.values()) {
        yield textEntry
        if (lastSet !== textEntry) yield lastSet
        if (cleared !== 0) yield cleared
        if (acknowledged !== 0) yield acknowledged
      }
    }
  }

  get(id: number): Occurrence | undefined {
    const occurrence = this.#all[this.#placeOf(id)]
    return occurrence?.id === id ? occurrence : undefined
  }

  active(): Occurrence[] {
    return [...this.#active.values()]
  }

  /** Equipment that has had more active alarms than are kept: of its active alarms some are not among the pinned ones. */
  get overflowed(): Iterable<string> {
    return this.#leftOut.keys()
  }

  /** The newest open occurrence of an alarm. */
  openOf(equipmentId: string, mark: string): Occurrence | undefined {
    const open = [...this.#active.of(equipmentId), ...this.#over.of(equipmentId)]
    return open.filter(({ alid }) => alid === mark).sort((a, b) => b.id - a.id)[0]
  }

  /** The open alarms by equipment; equipment without any is left out. */
  counts(isShelved: (occurrence: Occurrence) => boolean = () => false): ReadonlyMap<string, AlarmCounts> {
    const counts = new Map<string, { -readonly [Member in keyof AlarmCounts]: AlarmCounts[Member] }>()
    for (const open of [this.#active, this.#over]) {
      for (const occurrence of open.values()) {
        const { equipmentId, acknowledged } = occurrence
        const of = counts.get(equipmentId) ?? { active: 0, unacknowledged: 0, shelved: 0, worst: undefined }
        counts.set(equipmentId, of)
        if (isShelved(occurrence)) {
          of.shelved++
          continue
        }
        if (acknowledged === 0) of.unacknowledged++
        if (!isActive(occurrence)) continue
        of.active++
        if (!of.worst || bySeverity(occurrence, of.worst) < 0) of.worst = occurrence
      }
    }
    return counts
  }

  /** Occurrences in rising or falling order, from the id `begin` on, or from the start. */
  *inOrder(ascending: boolean, begin: number | undefined): Generator<Occurrence> {
    this.#trim()
    const all = this.#all
    const end = ascending ? 0 : all.length - 1
    const step = ascending ? 1 : -1
    for (let at = begin === undefined ? end : this.#placeOf(begin); all[at] !== undefined; at += step) {
      yield all[at] as Occurrence
    }
  }

  #add(occurrence: Occurrence): void {
    const { id } = occurrence
    const last = this.#all.at(-1)
    if (last && last.id > id) this.#all.splice(this.#placeOf(id), 0, occurrence)
    else this.#all.push(occurrence)
    if (isPinned(occurrence)) {
      if (isActive(occurrence)) this.#addActive(occurrence)
      else this.#addOver(occurrence)
    }
    if (this.#all.length >= MAX_KEPT + ROOM) this.#letGo(this.#all.length - MAX_KEPT)
  }

  #change(occurrence: Occurrence, name: string, seq: number, at: string, count: unknown): void {
    if (name === ALARM_SET.name) {
      occurrence.count = typeof count === 'number' ? count : occurrence.count + 1
      occurrence.lastSet = seq
    }
    if (name === ALARM_CLEARED.name && isActive(occurrence)) {
      Object.assign(occurrence, { clearedAt: Date.parse(at), cleared: seq })
    }
    // The first acknowledgement counts, also when two were sent at the same time.
    if (name === ALARM_ACKNOWLEDGED.name && occurrence.acknowledged === 0) occurrence.acknowledged = seq
    if (!isActive(occurrence) && this.#active.delete(occurrence)) this.#addOver(occurrence)
    if (!isSettled(occurrence)) return
    occurrence.alid = null
    this.#over.delete(occurrence)
  }

  #addActive(occurrence: Occurrence): void {
    const { equipmentId } = occurrence
    this.#active.add(occurrence)
    const oldest = this.#active.firstOf(equipmentId)
    if (!oldest || this.#active.countOf(equipmentId) <= MAX_ACTIVE) return
    this.#leaveOut(oldest)
    oldest.released = true
    this.#active.delete(oldest)
  }

  #addOver(occurrence: Occurrence): void {
    this.#over.add(occurrence)
    const oldest = this.#over.size > MAX_OVER ? this.#over.firstOfMost() : undefined
    if (!oldest) return
    oldest.released = true
    this.#over.delete(oldest)
  }

  /** Removes occurrences whose entries retention has deleted. */
  #trim(): void {
    const first = this.first()
    if (first === this.#trimmed) return
    this.#trimmed = first
    this.#letGo(this.#placeOf(first))
  }

  /** Removes occurrences before the index `end`, except those whose entries must be kept. */
  #letGo(end: number): void {
    const kept = this.#all.slice(0, end).filter((one) => this.#active.has(one) || this.#over.has(one))
    this.#all.splice(0, end, ...kept)
  }

  /** The index of the first occurrence whose id is not less. */
  #placeOf(id: number): number {
    let low = 0
    let high = this.#all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#all[middle]?.id ?? id) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

export const isActive = ({ cleared }: Occurrence): boolean => cleared === 0
const isSettled = ({ cleared, acknowledged }: Occurrence): boolean => cleared !== 0 && acknowledged !== 0
/** Active or not acknowledged, and not released: retention must keep its entries. */
const isPinned = (occurrence: Occurrence): boolean => !occurrence.released && !isSettled(occurrence)

/** The order of the values in a row of a snapshot. */
const MEMBERS = [
  ...(['id', 'equipmentId', 'alid', 'textEntry', 'category'] as const),
  ...(['setAt', 'clearedAt', 'count', 'lastSet', 'cleared', 'acknowledged', 'released'] as const),
]
type Row = readonly Json[]
const rowOf = (one: Occurrence): Row => MEMBERS.map((name) => one[name])
