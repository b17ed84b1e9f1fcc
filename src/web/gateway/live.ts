import { computed, signal } from '@preact/signals'
import { type OpenAlarms, readOpenAlarms } from '../../contract/open-alarms.js'
import { type Alarm, alarmEndpoints } from '../../contract/topics/alarms.js'
import { equipmentEndpoints } from '../../contract/topics/equipment/equipment-endpoints.js'
import type { Event } from '../../contract/topics/events.js'
import { messageEndpoints } from '../../contract/topics/messages.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { type GatewayCalls, Refused } from './call.js'
import { EventFeed } from './event-feed.js'
import { type Job, jobAfter } from './job.js'
import { Site } from './site.js'

/** Seconds without a sign of the gateway after which what is shown counts as stale. */
export const STALE_SECONDS = 10
/** Seconds of silence after which the gateway is asked whether it is there. */
const PROBE_SECONDS = 5
/** Seconds after which a stream without even a comment is given up: the gateway writes one every 15 s. */
const SILENT_STREAM_SECONDS = 22
const PROBE_TIMEOUT_MS = 4000
/** Milliseconds from an event to the rendering of it. */
const FLUSH_MS = 250
/** Between two readings of all equipment: health changes by time alone, and no event says that equipment was added. */
const REFRESH_MS = 30_000
/** The same where the last reading failed, or many have changed. */
const SOON_MS = 5000
/** Between two readings of all alarms, which events describe completely. */
const ALARMS_REFRESH_MS = 600_000
/** Seconds from an event to the reading of what it changed in the record (health, last error). */
const SETTLING_MS = 2000
/** More changed equipment than this is read as a list. */
const MAX_SINGLE_READS = 10
/** Reports that are searched for the present PPID and lot of equipment, when the page is opened. */
const SEARCHED_REPORTS = 500

/** Where the data of the page stand. */
export type Phase = 'connecting' | 'live' | 'lost'

/** Follows the gateway for as long as somebody is logged in, and keeps `site` up to date. */
export class Live {
  readonly site = new Site()
  readonly phase = signal<Phase>('connecting')
  /** Everything was read at least once. */
  readonly isLoaded = signal(false)
  /** Rises when the stream could not be resumed: lists of events have a gap there. */
  readonly gaps = signal(0)
  /** Whole seconds since the gateway was last heard. */
  readonly silence = signal(0)
  /** What is shown may be wrong by now. */
  readonly isStale = computed(() => this.silence.value >= STALE_SECONDS)
  /** Why the connection was lost, for people. */
  readonly lossReason = signal('')
  /** The wall-clock time of the last sign of the gateway, in milliseconds. */
  readonly heardAt = signal(0)

  readonly #feed: EventFeed
  readonly #followers = new Set<(event: Event) => void>()
  #heard: number
  #streamHeard: number
  #probing = false
  #refreshAt = 0
  #alarmsAt = 0
  #touchedAt = Number.POSITIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  readonly #touched = new Set<string>()
  /** Events since the read that is under way began: it may be older than they are. */
  #sinceRead: Event[] | undefined
  #cancelFlush: Cancel | undefined
  #second: number

  constructor(
    readonly calls: GatewayCalls,
    readonly clock: Clock,
    /** Only equipment whose labels match; all when left out. */
    readonly selector?: string,
  ) {
    this.#heard = this.#streamHeard = this.#second = clock.now()
    this.#feed = new EventFeed({
      calls,
      clock,
      query: this.scope,
      onOpen: (resumed) => this.#opened(resumed),
      onHeard: () => this.#hear(),
      onEvents: (events) => {
        for (const event of events) this.#receive(event)
      },
      onLost: (error) => {
        this.phase.value = 'lost'
        this.lossReason.value = error instanceof Refused ? error.message : ''
      },
    })
  }

  /** Runs until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let cancel: Cancel = () => undefined
    const tick = (): void => {
      this.tick(signal)
      cancel = this.clock.at(this.clock.now() + 1000, tick)
    }
    cancel = this.clock.at(this.clock.now() + 1000, tick)
    try {
      await this.#feed.run(signal)
    } finally {
      cancel()
      this.#cancelFlush?.()
    }
  }

  /** Every event from now on, in order and without a gap. Returns what ends it. */
  follow(take: (event: Event) => void): () => void {
    this.#followers.add(take)
    return () => this.#followers.delete(take)
  }

  /** Takes an alarm as a call has answered it; its event comes later. */
  putAlarm(alarm: Alarm): void {
    this.site.putAlarm(alarm)
    this.site.flush()
  }

  /** Looks after everything that depends on time; called every second, and when the page becomes visible again. */
  tick(signal: AbortSignal): void {
    const now = this.clock.now()
    for (let seconds = Math.floor((now - this.#second) / 1000); seconds > 0; seconds--) {
      this.#second += 1000
      if (seconds <= 240) this.site.tick()
    }
    this.silence.value = Math.floor((now - this.#heard) / 1000)
    if (this.phase.peek() !== 'live') return
    if (now - this.#streamHeard >= SILENT_STREAM_SECONDS * 1000) {
      this.#streamHeard = now
      this.#feed.reconnect()
    } else if (now - this.#heard >= PROBE_SECONDS * 1000 && !this.#probing) void this.#probe(signal)
    const isDue = now >= this.#refreshAt || now >= this.#touchedAt
    if (isDue && !this.#sinceRead) void this.#refresh(signal)
  }

  /** What the queries of a wall screen for some equipment contain. */
  get scope(): { readonly label_selector?: string } {
    return this.selector === undefined ? {} : { label_selector: this.selector }
  }

  #hear(): void {
    this.#heard = this.#streamHeard = this.clock.now()
    this.heardAt.value = this.clock.date().getTime()
    if (this.silence.peek() !== 0) this.silence.value = 0
  }

  #opened(resumed: boolean): void {
    this.phase.value = 'live'
    if (!resumed) {
      if (this.isLoaded.peek()) this.gaps.value++
      this.#alarmsAt = 0
    }
    // What has no event may have changed meanwhile.
    this.#refreshAt = 0
    if (!this.#sinceRead) void this.#refresh()
  }

  #receive(event: Event): void {
    if (event.type !== 'message') {
      this.#sinceRead?.push(event)
      if (event.type !== 'alarm') this.#touch(event.equipment_id)
    }
    this.site.apply(event, this.clock.date().getTime())
    for (const follower of this.#followers) follower(event)
    if (!this.site.isDirty || this.#cancelFlush) return
    this.#cancelFlush = this.clock.at(this.clock.now() + FLUSH_MS, () => {
      this.#cancelFlush = undefined
      this.site.flush()
    })
  }

  #touch(id: string): void {
    this.#touched.add(id)
    const soon = this.#touched.size > MAX_SINGLE_READS ? this.#readAt + SOON_MS : 0
    this.#touchedAt = Math.max(soon, Math.min(this.#touchedAt, this.clock.now() + SETTLING_MS))
  }

  /** Asks the gateway for a sign of life. The answer counts only for as long as the stream may be silent. */
  async #probe(signal: AbortSignal): Promise<void> {
    this.#probing = true
    try {
      await this.calls.request(
        'GET',
        '/healthz',
        {},
        AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]),
      )
      this.#heard = this.clock.now()
      this.heardAt.value = this.clock.date().getTime()
    } catch {
      // It stays silent.
    } finally {
      this.#probing = false
    }
  }

  /** Reads what events do not say: all of it when it is due, else the few records that have changed. */
  async #refresh(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now()
    const touched = [...this.#touched]
    const isPartial = now < this.#refreshAt && touched.length <= MAX_SINGLE_READS
    this.#touched.clear()
    this.#touchedAt = Number.POSITIVE_INFINITY
    this.#sinceRead = []
    try {
      if (isPartial) await Promise.all(touched.map((id) => this.#readOne(id, signal)))
      else await this.#readAll(now, signal)
    } catch {
      this.#refreshAt = this.clock.now() + SOON_MS
    } finally {
      for (const event of this.#sinceRead) this.site.apply(event, this.clock.date().getTime())
      this.#sinceRead = undefined
      this.site.flush()
    }
  }

  async #readAll(now: number, signal?: AbortSignal): Promise<void> {
    const isFirst = !this.isLoaded.peek()
    const withAlarms = now >= this.#alarmsAt
    // Set before the reading: a gap in the events that comes meanwhile makes it due again.
    if (withAlarms) this.#alarmsAt = now + ALARMS_REFRESH_MS
    this.#readAt = now
    this.#refreshAt = now + REFRESH_MS
    const query = this.scope
    const [equipment, alarms] = await Promise.all([
      this.calls.call(equipmentEndpoints.listEquipment, { query }, signal),
      withAlarms ? this.#openAlarms(signal) : undefined,
    ]).catch((error: unknown) => {
      if (withAlarms) this.#alarmsAt = 0
      throw error
    })
    this.site.setEquipment(equipment.items)
    if (alarms) this.site.setAlarms(alarms.items, alarms.incomplete)
    this.isLoaded.value = true
    if (isFirst) void this.#readJobs(signal).catch(() => undefined)
  }

  #openAlarms(signal?: AbortSignal): Promise<OpenAlarms> {
    return readOpenAlarms((query) =>
      this.calls.call(alarmEndpoints.listAlarms, { query: { ...this.scope, ...query } }, signal),
    )
  }

  async #readOne(id: string, signal?: AbortSignal): Promise<void> {
    try {
      this.site.setOne(await this.calls.call(equipmentEndpoints.getEquipment, { params: { id } }, signal))
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'equipment_not_found') throw error
      this.site.remove(id)
    }
  }

  /** What equipment works on, from its reports before now. */
  async #readJobs(signal?: AbortSignal): Promise<void> {
    const query = { ...this.scope, stream: 6, function: 11, limit: SEARCHED_REPORTS }
    const { items } = await this.calls.call(messageEndpoints.listMessages, { query }, signal)
    const jobs = new Map<string, Job>()
    for (const { equipment_id, collection_event } of items.reverse()) {
      if (collection_event) jobs.set(equipment_id, jobAfter(jobs.get(equipment_id) ?? {}, collection_event))
    }
    for (const [id, job] of jobs) this.site.setJob(id, job)
    this.site.flush()
  }
}
