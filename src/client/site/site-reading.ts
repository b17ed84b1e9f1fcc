import type { Equipment } from '../../contract/equipment.js'
import { type ListedAlarms, readOpenAlarms } from '../../contract/read-open-alarms.js'
import type { AlarmPage, AlarmQuery, AlarmSummary } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Clock } from '../../kit/clock.js'
import type { SiteRecords } from './site-records.js'

/** Between two readings of all equipment: health changes by time alone, and no event says that equipment was added. */
const REFRESH_MS = 30_000
/** The same where the last reading failed, or many have changed. */
const SOON_MS = 5000
/** Between two readings of all open alarms, which events describe completely. */
const LIST_REFRESH_MS = 600_000
/** Between two readings of the counts of alarms that events do not say. */
const COUNTS_MS = 1000
/** From an event to the reading of what it changed in the record (health, last error): several events come together. */
const SETTLING_MS = 2000
/** More changed equipment than this is read as a list. */
const MAX_SINGLE_READS = 10
/** The same of counts of alarms. */
const MAX_COUNTED = 100

/** The calls that read a site. */
export interface SiteCalls {
  readonly equipment: () => Promise<readonly Equipment[]>
  readonly one: (id: string) => Promise<Equipment>
  readonly counts: (query: { readonly equipment_id?: readonly string[] }) => Promise<AlarmSummary>
  readonly alarms: (query: AlarmQuery) => Promise<AlarmPage>
}

/** Keeps the records of a site up to date: takes events, and reads again what they do not say. */
export class SiteReading {
  #refreshAt = 0
  #countsAt = 0
  /** The counts of all equipment have to be read. */
  #isUncounted = true
  #listed: ListedAlarms | undefined
  #listAt = 0
  #touchedAt = Number.POSITIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  readonly #touched = new Set<string>()
  /** Events since the read that is under way began: it may be older than they are. */
  #sinceRead: Event[] | undefined

  constructor(
    readonly records: SiteRecords,
    readonly clock: Clock,
    readonly calls: SiteCalls,
  ) {}

  /** Takes an event, in the order of the stream. */
  apply(event: Event): void {
    if (event.type === 'message' || event.type === 'gateway') return
    this.#sinceRead?.push(event)
    if (event.type !== 'alarm') this.#touch(event.equipment_id)
    this.records.apply(event)
  }

  /** From now on these open alarms are listed, too; undefined for none. They are read when they are due. */
  list(listed: ListedAlarms | undefined): void {
    this.#listed = listed
    this.#listAt = 0
    this.records.alarms.want(listed)
  }

  /** Everything is read again: what has no event may have changed while no events came. */
  expire({ eventsAreMissing }: { readonly eventsAreMissing: boolean }): void {
    this.#refreshAt = 0
    if (!eventsAreMissing) return
    this.#listAt = 0
    this.#isUncounted = true
    this.records.counts.expire()
  }

  get isDue(): boolean {
    if (this.#sinceRead) return false
    const now = this.clock.now()
    return now >= this.#refreshAt || now >= this.#touchedAt || this.#areCountsDue(now) || this.#isListDue(now)
  }

  #areCountsDue(now: number): boolean {
    return now >= this.#countsAt && (this.#isUncounted || this.records.counts.doubted.size > 0)
  }

  #isListDue(now: number): boolean {
    return this.#listed !== undefined && now >= this.#listAt
  }

  /** Reads what events do not say: all of it when it is due, else what has changed. */
  async refresh(): Promise<void> {
    const now = this.clock.now()
    const touched = [...this.#touched]
    const isFull = now >= this.#refreshAt || (now >= this.#touchedAt && touched.length > MAX_SINGLE_READS)
    const isTouched = isFull || now >= this.#touchedAt
    if (isTouched) this.#touched.clear()
    if (isTouched) this.#touchedAt = Number.POSITIVE_INFINITY
    this.#sinceRead = []
    try {
      const parts = await Promise.allSettled([
        ...(isFull ? [this.#readAll(now)] : isTouched ? touched.map((id) => this.#readOne(id)) : []),
        isFull || this.#areCountsDue(now) ? this.#count(isFull) : undefined,
        this.#isListDue(now) ? this.#readList(now) : undefined,
      ])
      const failed = parts.find((part) => part.status === 'rejected')
      if (failed) throw failed.reason
    } catch (error) {
      this.#refreshAt = this.clock.now() + SOON_MS
      throw error
    } finally {
      for (const event of this.#sinceRead) this.records.apply(event)
      this.#sinceRead = undefined
    }
  }

  #touch(id: string): void {
    this.#touched.add(id)
    const soon = this.#touched.size > MAX_SINGLE_READS ? this.#readAt + SOON_MS : 0
    this.#touchedAt = Math.max(soon, Math.min(this.#touchedAt, this.clock.now() + SETTLING_MS))
  }

  async #readAll(now: number): Promise<void> {
    this.#readAt = now
    this.#refreshAt = now + REFRESH_MS
    // The newest of many are kept no longer than they are the newest.
    if (this.#listed?.newest !== undefined) this.#listAt = 0
    this.records.set(await this.calls.equipment())
  }

  /** Reads how many alarms are open, of the equipment that is doubted or of all. */
  async #count(all: boolean): Promise<void> {
    const { counts } = this.records
    const { seen, doubted } = counts
    const isWhole = all || this.#isUncounted || doubted.size > MAX_COUNTED
    const ids = isWhole ? undefined : [...doubted]
    if (isWhole) this.#isUncounted = false
    this.#countsAt = this.clock.now() + COUNTS_MS
    try {
      const summary = await this.calls.counts(ids ? { equipment_id: ids } : {})
      // One of several gateways may know less than the one whose stream is read.
      if (Number(summary.as_of) >= seen) this.records.setCounts(summary, ids)
      else if (isWhole) this.#isUncounted = true
    } catch (error) {
      this.#isUncounted ||= isWhole
      this.#countsAt = this.clock.now() + SOON_MS
      throw error
    }
  }

  async #readList(now: number): Promise<void> {
    const listed = this.#listed
    // Set before the reading: a gap in the events that comes meanwhile makes it due again.
    this.#listAt = now + LIST_REFRESH_MS
    try {
      const alarms = await readOpenAlarms(this.calls.alarms, listed)
      // Others may be wanted by now.
      if (this.#listed === listed) this.records.setAlarms(alarms)
    } catch (error) {
      this.#listAt = this.clock.now() + SOON_MS
      throw error
    }
  }

  async #readOne(id: string): Promise<void> {
    try {
      this.records.put(await this.calls.one(id))
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'equipment_not_found') throw error
      this.records.remove(id)
    }
  }
}
