import { computed, signal } from '@preact/signals'
import { SiteReading } from '../../client/site/site-reading.js'
import type { ListedAlarms } from '../../contract/read-open-alarms.js'
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
const STALE_SECONDS = 10
/** Seconds of silence after which the gateway is asked whether it is there. */
const PROBE_SECONDS = 5
/** Seconds after which a stream without even a comment is given up: the gateway writes one every 15 s. */
const SILENT_STREAM_SECONDS = 22
const PROBE_TIMEOUT_MS = 4000
/** Milliseconds from an event to the rendering of it. */
const FLUSH_MS = 500
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
  /** When the gateway was last heard, by its own clock, in milliseconds since 1970. */
  readonly heardAt = signal(0)

  readonly #feed: EventFeed
  readonly #reading: SiteReading
  readonly #followers = new Set<(event: Event) => void>()
  #heard: number
  #streamHeard: number
  #probing = false
  /** Ends the calls of `run`. */
  #signal: AbortSignal | undefined
  #cancelFlush: Cancel | undefined
  #second: number

  constructor(
    readonly calls: GatewayCalls,
    readonly clock: Clock,
    /** Only equipment whose labels match; all when left out. */
    readonly selector?: string,
  ) {
    this.#heard = this.#streamHeard = this.#second = clock.now()
    const query = this.scope
    this.#reading = new SiteReading(this.site.records, clock, {
      equipment: async () =>
        (await calls.call(equipmentEndpoints.listEquipment, { query }, this.#signal)).items,
      one: (id) => calls.call(equipmentEndpoints.getEquipment, { params: { id } }, this.#signal),
      counts: (which) =>
        calls.call(alarmEndpoints.getAlarmSummary, { query: { ...query, ...which } }, this.#signal),
      alarms: (which) =>
        calls.call(alarmEndpoints.listAlarms, { query: { ...query, ...which } }, this.#signal),
    })
    this.#feed = new EventFeed({
      calls,
      clock,
      query,
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
    this.#signal = signal
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

  /** From now on the site has a list of these open alarms, too; undefined for none. */
  list(listed: ListedAlarms | undefined): void {
    this.#reading.list(listed)
    this.site.flush()
    if (this.phase.peek() === 'live' && this.#reading.isDue) void this.#refresh()
  }

  /** Takes an alarm as a call has answered it; its event comes later. */
  putAlarm(alarm: Alarm): void {
    this.site.records.putAlarm(alarm)
    this.site.flush()
  }

  /** Reads one equipment again, which a call has changed; events about it come later, or not at all. */
  async readAgain(id: string): Promise<void> {
    try {
      this.site.records.put(
        await this.calls.call(equipmentEndpoints.getEquipment, { params: { id } }, this.#signal),
      )
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error
      this.site.records.remove(id)
    }
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
    if (this.#reading.isDue) void this.#refresh()
  }

  /** What the queries of a wall screen for some equipment contain. */
  get scope(): { readonly label_selector?: string } {
    return this.selector === undefined ? {} : { label_selector: this.selector }
  }

  #hear(): void {
    this.#heard = this.#streamHeard = this.clock.now()
    this.calls.heard()
    this.heardAt.value = this.calls.date().getTime()
    if (this.silence.peek() !== 0) this.silence.value = 0
  }

  #opened(resumed: boolean): void {
    this.phase.value = 'live'
    if (!resumed && this.isLoaded.peek()) this.gaps.value++
    this.#reading.expire({ eventsAreMissing: !resumed })
    if (this.#reading.isDue) void this.#refresh()
  }

  #receive(event: Event): void {
    this.site.count(event, this.clock.date().getTime())
    this.#reading.apply(event)
    for (const follower of this.#followers) follower(event)
    if (!this.site.isDirty || this.#cancelFlush) return
    this.#cancelFlush = this.clock.at(this.clock.now() + FLUSH_MS, () => {
      this.#cancelFlush = undefined
      this.site.flush()
      if (this.#reading.isDue) void this.#refresh()
    })
  }

  /** Asks the gateway for a sign of life. The response counts only for as long as the stream may be silent. */
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
      this.heardAt.value = this.calls.date().getTime()
    } catch {
      // It stays silent.
    } finally {
      this.#probing = false
    }
  }

  async #refresh(): Promise<void> {
    try {
      await this.#reading.refresh()
    } catch {
      // It is tried again soon; the stream says why the gateway is away.
      return
    } finally {
      this.site.flush()
    }
    // Another list may be wanted by now.
    if (this.#reading.isDue) await this.#refresh()
    if (this.isLoaded.peek()) return
    this.isLoaded.value = true
    await this.#readJobs().catch(() => undefined)
  }

  /** What equipment works on, from its reports before now. */
  async #readJobs(): Promise<void> {
    const query = { ...this.scope, stream: 6, function: 11, limit: SEARCHED_REPORTS }
    const { items } = await this.calls.call(messageEndpoints.listMessages, { query }, this.#signal)
    const jobs = new Map<string, Job>()
    for (const { equipment_id, collection_event } of items.reverse()) {
      if (collection_event) jobs.set(equipment_id, jobAfter(jobs.get(equipment_id) ?? {}, collection_event))
    }
    for (const [id, job] of jobs) this.site.setJob(id, job)
    this.site.flush()
  }
}
