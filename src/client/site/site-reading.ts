import type { Equipment } from '../../contract/equipment.js'
import { readOpenAlarms } from '../../contract/read-open-alarms.js'
import type { AlarmPage, AlarmQuery } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Clock } from '../../kit/clock.js'
import type { SiteRecords } from './site-records.js'

/** Between two readings of all equipment: health changes by time alone, and no event says that equipment was added. */
const REFRESH_MS = 30_000
/** The same where the last reading failed, or many have changed. */
const SOON_MS = 5000
/** Between two readings of all alarms, which events describe completely. */
const ALARMS_REFRESH_MS = 600_000
/** From an event to the reading of what it changed in the record (health, last error): several events come together. */
const SETTLING_MS = 2000
/** More changed equipment than this is read as a list. */
const MAX_SINGLE_READS = 10

/** The calls that read a site. */
export interface SiteCalls {
  readonly equipment: () => Promise<readonly Equipment[]>
  readonly one: (id: string) => Promise<Equipment>
  readonly alarms: (query: AlarmQuery) => Promise<AlarmPage>
}

/** Keeps the records of a site up to date: takes events, and reads again what they do not say. */
export class SiteReading {
  #refreshAt = 0
  #alarmsAt = 0
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
    if (event.type === 'message') return
    this.#sinceRead?.push(event)
    if (event.type !== 'alarm') this.#touch(event.equipment_id)
    this.records.apply(event)
  }

  /** Everything is read again: what has no event may have changed while no events came. */
  expire({ eventsAreMissing }: { readonly eventsAreMissing: boolean }): void {
    this.#refreshAt = 0
    if (eventsAreMissing) this.#alarmsAt = 0
  }

  get isDue(): boolean {
    const now = this.clock.now()
    return !this.#sinceRead && (now >= this.#refreshAt || now >= this.#touchedAt)
  }

  /** Reads what events do not say: all of it when it is due, else the few records that have changed. */
  async refresh(): Promise<void> {
    const now = this.clock.now()
    const touched = [...this.#touched]
    const isPartial = now < this.#refreshAt && touched.length <= MAX_SINGLE_READS
    this.#touched.clear()
    this.#touchedAt = Number.POSITIVE_INFINITY
    this.#sinceRead = []
    try {
      if (isPartial) await Promise.all(touched.map((id) => this.#readOne(id)))
      else await this.#readAll(now)
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
    const withAlarms = now >= this.#alarmsAt
    // Set before the reading: a gap in the events that comes meanwhile makes it due again.
    if (withAlarms) this.#alarmsAt = now + ALARMS_REFRESH_MS
    this.#readAt = now
    this.#refreshAt = now + REFRESH_MS
    try {
      const [equipment, alarms] = await Promise.all([
        this.calls.equipment(),
        withAlarms ? readOpenAlarms(this.calls.alarms) : undefined,
      ])
      this.records.set(equipment)
      if (alarms) this.records.setAlarms(alarms.items, alarms.incomplete)
    } catch (error) {
      if (withAlarms) this.#alarmsAt = 0
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
