import { categoryOf } from '../../catalogue/codes.js'
import { bySeverity, severityOf } from '../../contract/alarm-severity.js'
import { Problem } from '../../contract/errors.js'
import { DEFAULT_LIMIT } from '../../contract/schema.js'
import type { Identity } from '../../contract/topics/accounts/users.js'
import type {
  Alarm,
  AlarmAcknowledged,
  AlarmPage,
  AlarmQuery,
  AlarmSummary,
  WorstAlarm,
} from '../../contract/topics/alarms.js'
import type { ReportedAlarm } from '../../gem/reported-alarm.js'
import type { Clock } from '../../kit/clock.js'
import { keepNewest } from '../../kit/keep-newest.js'
import { Signal } from '../../kit/signal.js'
import type { JsonObject } from '../../kit/text/json.js'
import { tracedBy } from '../../kit/text/traceparent.js'
import { type Entry, EntryNumber, type NewEntry } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { Decisions } from '../decisions.js'
import { decodeEntryCursor, encodeCursor } from '../records/cursor.js'
import { ALARM_ACKNOWLEDGED, ALARM_CLEARED, ALARM_SET } from '../records/journal-kinds.js'
import { cursorExpired, type Keys, keysOf, reaching } from '../records/journal-page.js'
import { dataFilterOf, filterOf, matching } from './alarm-filters.js'
import { type AlarmOccurrences, alidMark, MAX_ACTIVE, type Occurrence } from './alarm-occurrences.js'
import { AlarmShelves } from './alarm-shelves.js'
import { type AlarmData, viewAlarm } from './alarm-view.js'
import { turnOf, unshelved } from './shelving.js'

const SET_BIT = 0x80

/** The active occurrence of an alarm: its id, and how often it was reported. */
interface Open {
  readonly id: EntryNumber
  readonly count: number
}

/** An acknowledgement, with the trace context of its call. */
interface TracedAcknowledgement {
  readonly comment?: string | null
  readonly traceparent?: string
}

export const alarmNotFound = (id: string): Problem =>
  new Problem('alarm_not_found', `There is no alarm ${id}.`, { next: [{ operation: 'listAlarms' }] })

/** One record per occurrence of an alarm: a view of the journal's alarm entries. */
export class JournaledAlarms {
  /** Each alarm that equipment reports by itself, when its entry is handed to the journal. */
  readonly reported = new Signal<{ readonly equipmentId: string; readonly alid: string }>()
  /** By equipment and mark of the ALID, as of the last entry that was handed to the journal. */
  readonly #open = new Map<string, Map<string, Open>>()
  /** Equipment with an entry that was handed over and, as far as is known, not recorded. */
  readonly #doubted = new Set<string>()
  /** The newest number that `occurrences` know. */
  #shown: number

  /** `occurrences` are attached to the journal; `nameOf` an equipment, the last one once it is deleted. */
  constructor(
    readonly journal: Journal,
    readonly occurrences: AlarmOccurrences,
    readonly clock: Clock,
    /** Acknowledgements and clears by the gateway are decided one after the other for each equipment. */
    private readonly decisions: Decisions,
    private readonly nameOf: (equipmentId: string) => string | null = () => null,
    readonly shelves = new AlarmShelves(clock),
  ) {
    this.#shown = journal.last
    // Views have an entry before listeners; the journal's own number is ahead of them for a moment.
    journal.appended.on(({ seq }) => {
      this.#shown = seq
    })
    this.restore(() => true)
  }

  /** From now on this process records alarms of this equipment: what others have recorded is known. */
  restore(isTaken: (equipmentId: string) => boolean): void {
    for (const equipmentId of this.#open.keys()) if (isTaken(equipmentId)) this.#open.delete(equipmentId)
    for (const { id, equipmentId, alid, count } of this.occurrences.active()) {
      if (!isTaken(equipmentId)) continue
      this.#openOf(equipmentId).set(alid ?? '', { id: new EntryNumber(id), count })
    }
  }

  #openOf(equipmentId: string): Map<string, Open> {
    const own = this.#open.get(equipmentId) ?? new Map<string, Open>()
    this.#open.set(equipmentId, own)
    return own
  }

  /**
   * The entry for a report in the message with this number. Called in the order in which entries are handed to
   * the journal, so that a set that follows a set is counted, however close together they come.
   */
  entryFor(...report: Parameters<JournaledAlarms['alignmentFor']>): NewEntry {
    const [equipmentId, { alid }] = report
    this.reported.emit({ equipmentId, alid })
    return this.#entry(...report)
  }

  /** The same for an alarm in a list of the equipment's; undefined when the board says the same already. */
  alignmentFor(
    equipmentId: string,
    report: ReportedAlarm,
    messageId: EntryNumber,
    at: string,
  ): NewEntry | undefined {
    const isSet = (report.alcd & SET_BIT) !== 0
    this.#restoreDoubted(equipmentId)
    if (isSet === this.#openOf(equipmentId).has(alidMark(report.alid))) return undefined
    const entry = this.#entry(equipmentId, report, messageId, at)
    return { ...entry, data: { ...entry.data, cause: 'alignment' } }
  }

  /** An entry for this equipment was refused. Once it is certain that it is not recorded, the next entry is made from what is recorded. */
  notRecorded(equipmentId: string, failure: unknown): void {
    if (!(failure instanceof Unsettled)) this.#doubted.add(equipmentId)
    else void failure.settled.then((entries) => entries ?? this.#doubted.add(equipmentId))
  }

  #entry(equipmentId: string, report: ReportedAlarm, message_id: EntryNumber, at: string): NewEntry {
    this.#restoreDoubted(equipmentId)
    const mark = alidMark(report.alid)
    const own = this.#openOf(equipmentId)
    const before = own.get(mark)
    const isSet = (report.alcd & SET_BIT) !== 0
    const category = report.alcd & ~SET_BIT
    const number = new EntryNumber()
    const open = isSet ? { id: before?.id ?? number, count: (before?.count ?? 0) + 1 } : undefined
    if (open) own.set(mark, open)
    else own.delete(mark)
    // Equipment can use any number of ALIDs: of a forgotten one the next set opens a new occurrence.
    keepNewest(own, MAX_ACTIVE)
    const data = {
      alarm_id: null,
      alid: report.alid,
      text: report.text,
      category,
      category_text: categoryOf(category),
    }
    const alarm_id = (open ?? before)?.id
    const entry = { key: equipmentId, at, number, numbers: { message_id, ...(alarm_id && { alarm_id }) } }
    return open
      ? {
          ...ALARM_SET,
          ...entry,
          data: { ...data, count: open.count, ...this.#shelvedOf(equipmentId, report) },
        }
      : { ...ALARM_CLEARED, ...entry, data }
  }

  /** What an event says of the shelf of its alarm. */
  #shelvedOf(equipmentId: string, { alid, alcd }: ReportedAlarm): { readonly shelved?: JsonObject } {
    const shelf = this.shelves.of(equipmentId, alidMark(alid), alcd & ~SET_BIT)
    return shelf ? { shelved: { ...shelf.shown } } : {}
  }

  #restoreDoubted(equipmentId: string): void {
    if (this.#doubted.delete(equipmentId)) this.restore((id) => id === equipmentId)
  }

  /** Clears the active alarms of deleted equipment. Every alarm that it reported is on disk. */
  async clearAll(isGone: (equipmentId: string) => boolean): Promise<void> {
    const known = [...this.occurrences.active(), ...this.shelves.current()]
    const gone = new Set(known.map(({ equipmentId }) => equipmentId).filter(isGone))
    for (const equipmentId of gone)
      await this.decisions.decide([turnOf(equipmentId)], async (last) => {
        const active = this.occurrences.active().filter((one) => one.equipmentId === equipmentId)
        const cleared = await Promise.all(active.map((one) => this.#cleared(one, last)))
        await this.journal.appendAll([...cleared, ...this.#unshelved(equipmentId)])
        this.#open.delete(equipmentId)
      })
  }

  #unshelved(equipmentId: string): NewEntry[] {
    const at = this.clock.date().toISOString()
    const shelves = this.shelves.current(equipmentId)
    return shelves.map((shelf) => ({ ...unshelved(shelf, 'equipment_deleted', at), byAnyone: true }))
  }

  async #cleared({ id, equipmentId, alid, textEntry }: Occurrence, last: number): Promise<NewEntry> {
    const said = (await this.journal.get(textEntry))?.data as AlarmData | undefined
    return {
      ...ALARM_CLEARED,
      key: equipmentId,
      byAnyone: true,
      unlessAfter: last,
      at: this.clock.date().toISOString(),
      data: {
        alarm_id: String(id),
        alid: said?.alid ?? alid ?? '',
        text: said?.text ?? '',
        category: said?.category ?? 0,
        category_text: categoryOf(said?.category ?? 0),
        message_id: null,
        cause: 'equipment_deleted',
      },
    }
  }

  /** One page. `keys`: the equipment, where the query alone does not say it. */
  async list(
    query: AlarmQuery,
    keys: Keys | undefined = query.equipment_id && keysOf(query.equipment_id),
  ): Promise<AlarmPage> {
    const filters = { list: 'alarms', ...query }
    const begin =
      query.cursor === undefined ? undefined : decodeEntryCursor(query.cursor, filters, this.journal.last)
    const limit = query.limit ?? DEFAULT_LIMIT
    const reaches = reaching(keys)
    const isWanted = filterOf(query, keys, this.#isShelved)
    const matches = dataFilterOf(query)
    const wanted: Occurrence[] = []
    for (const occurrence of this.#inOrder(query, isWanted, begin)) {
      if (isWanted(occurrence)) wanted.push(occurrence)
      if (!matches && wanted.length > limit) break
    }
    const { found, next } = matches
      ? await matching(this.journal, wanted, matches, limit)
      : { found: wanted, next: undefined }
    if (begin !== undefined && !this.occurrences.get(begin)) throw cursorExpired()
    const further = found[limit] ?? next
    const items = await Promise.all(found.slice(0, limit).map((occurrence) => this.#read(occurrence)))
    return {
      // Leaves out alarms that retention deleted during the read.
      items: items.filter((alarm) => alarm !== undefined),
      next_cursor: further ? encodeCursor(filters, String(further.id)) : null,
      incomplete: [...this.occurrences.overflowed].filter(reaches),
    }
  }

  readonly #isShelved = (occurrence: Occurrence): boolean =>
    this.shelves.ofOccurrence(occurrence) !== undefined

  /** From `begin` on. By severity all that are wanted are compared, which is as many as are in memory at most. */
  #inOrder(
    { sort, order }: AlarmQuery,
    isWanted: (occurrence: Occurrence) => boolean,
    begin: number | undefined,
  ): Iterable<Occurrence> {
    if (sort !== 'severity') return this.occurrences.inOrder(order === 'asc', begin)
    const sign = order === 'asc' ? -1 : 1
    const sorted = [...this.occurrences.inOrder(false, undefined)]
      .filter(isWanted)
      .sort((a, b) => sign * bySeverity(a, b))
    const first = begin === undefined ? undefined : this.occurrences.get(begin)
    return first ? sorted.filter((one) => sign * bySeverity(one, first) >= 0) : sorted
  }

  /** The open alarms in numbers. `keys`: the equipment; undefined for all. */
  async summary(keys: Keys | undefined): Promise<AlarmSummary> {
    const as_of = String(this.#shown)
    const isWanted = reaching(keys)
    const incomplete = [...this.occurrences.overflowed].filter(isWanted)
    const counts = [...this.occurrences.counts(this.#isShelved)].filter(([id]) => isWanted(id))
    const items = await Promise.all(
      counts.map(async ([equipment_id, { active, unacknowledged, shelved, worst }]) => ({
        equipment_id,
        equipment_name: this.nameOf(equipment_id),
        active,
        unacknowledged,
        shelved,
        worst: (worst && (await this.#worst(worst))) ?? null,
      })),
    )
    return { as_of, items, incomplete }
  }

  async #worst({
    id,
    textEntry,
    category,
    setAt,
    acknowledged,
  }: Occurrence): Promise<WorstAlarm | undefined> {
    const set = await this.journal.get(textEntry)
    if (!set) return undefined
    const { alid, text, category_text } = set.data as unknown as AlarmData
    const set_at = new Date(setAt).toISOString()
    const said = { id: String(id), alid, text, category, category_text, severity: severityOf(category) }
    return { ...said, set_at, acknowledged: acknowledged !== 0 }
  }

  /** What has been acknowledged stays as it is. */
  async acknowledge(id: string, by: Identity, given: TracedAcknowledgement): Promise<Alarm> {
    const [{ alarm } = { alarm: null }] = await this.acknowledgeAll([id], by, given)
    if (!alarm) throw alarmNotFound(id)
    return alarm
  }

  /**
   * Acknowledges several alarms together: on disk are all or none. What has been acknowledged by somebody else stays
   * as it is. One result for each id, in their order; an alarm of equipment that `by` does not reach is not found.
   */
  async acknowledgeAll(
    ids: readonly string[],
    by: Identity,
    given: TracedAcknowledgement,
    reaches: (equipmentId: string) => boolean = () => true,
  ): Promise<AlarmAcknowledged[]> {
    const known = await Promise.all(
      ids.map(async (id) => {
        const occurrence = this.#occurrence(id)
        const set = occurrence && (await this.journal.get(occurrence.textEntry))
        return { id, found: set && reaches(set.key) ? { occurrence, set } : undefined }
      }),
    )
    const found = known.flatMap((one) => one.found ?? [])
    const own = await this.decisions.decide(
      found.map(({ set }) => turnOf(set.key)),
      (last) => this.#acknowledged(found, last, by, given),
    )
    return Promise.all(
      known.map(async ({ id, found }) => {
        if (!found) return { id, result: 'not_found', alarm: null }
        const result = own.has(found.occurrence.acknowledged) ? 'acknowledged' : 'already_acknowledged'
        return { id, result, alarm: await this.#view(found.occurrence, found.set) }
      }),
    )
  }

  /** Acknowledges those of them that nobody has acknowledged: the numbers of the entries. */
  async #acknowledged(
    found: readonly { readonly occurrence: Occurrence; readonly set: Entry }[],
    last: number,
    by: Identity,
    { comment = null, traceparent }: TracedAcknowledgement,
  ): Promise<ReadonlySet<number>> {
    const at = this.clock.date().toISOString()
    const open = new Map(
      found.flatMap(({ occurrence, set }) => (occurrence.acknowledged === 0 ? [[occurrence, set]] : [])),
    )
    const entries = await this.journal.appendAll(
      [...open].map(([{ id }, { key, data }]) => {
        const { alid } = data as unknown as AlarmData
        const by_call = { acknowledged_by: by.email, comment, ...tracedBy(traceparent) }
        const acknowledged = { alarm_id: String(id), alid, ...by_call }
        return { ...ALARM_ACKNOWLEDGED, key, byAnyone: true, unlessAfter: last, at, data: acknowledged }
      }),
    )
    return new Set(entries.map(({ seq }) => seq))
  }

  /** Open alarms by the id of the equipment; those without any are left out. */
  counts(): ReturnType<AlarmOccurrences['counts']> {
    return this.occurrences.counts()
  }

  /** The equipment of an alarm, also of one whose first entry retention has deleted; undefined where there is none. */
  equipmentOf(id: string): string | undefined {
    return this.#occurrence(id)?.equipmentId
  }

  #occurrence(id: string): Occurrence | undefined {
    return /^[0-9]{1,15}$/.test(id) ? this.occurrences.get(Number(id)) : undefined
  }

  async #read(occurrence: Occurrence): Promise<Alarm | undefined> {
    const set = await this.journal.get(occurrence.textEntry)
    return set && this.#view(occurrence, set)
  }

  async #view(occurrence: Occurrence, set: Entry): Promise<Alarm> {
    const { acknowledged } = occurrence
    const acknowledgement = acknowledged === 0 ? undefined : await this.journal.get(acknowledged)
    const shelf = this.shelves.ofOccurrence(occurrence)
    return viewAlarm(occurrence, this.nameOf(set.key), set, acknowledgement, shelf?.shown)
  }
}
