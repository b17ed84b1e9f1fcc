import { GatewayClient } from '../../client/client.js'
import { followEvents } from '../../client/events.js'
import { isPassing } from '../../client/persistent.js'
import { SiteReading } from '../../client/site/site-reading.js'
import { SiteRecords } from '../../client/site/site-records.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Problem } from '../../contract/errors.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { EventType } from '../../contract/topics/events.js'
import { type Cancel, type Clock, delay } from '../../kit/clock.js'
import type { News } from './top-state.js'

/** Milliseconds from an event to the report of what it changed: several events come together. */
const SETTLING_MS = 50
/** Equipment not on the screen whose traffic is read at each interval, unless told otherwise. */
const BACKGROUND_READS = 20
const MAX_CALLS_AT_ONCE = 4
const CALL_TIMEOUT_MS = 10_000

/** Events that change what the screen shows. */
const SHOWN_EVENTS: { readonly type: EventType[] } = { type: ['connection', 'state', 'alarm', 'gateway'] }

const withTimeout = ({ options }: GatewayClient): GatewayClient =>
  new GatewayClient({ ...options, timeout: CALL_TIMEOUT_MS })

/** The equipment that is watched, where that is not all of it. */
export interface Watched {
  readonly label_selector?: string
  /** Of all equipment, or what a selector leaves of it. */
  readonly among: (all: readonly Equipment[]) => readonly Equipment[]
}

/** Open alarms of all equipment that are listed. */
const NEWEST_ALARMS = 200

/** Records that are read where those of some equipment are sought among them. */
const MAX_SEARCHED = 1000

export interface FeedOptions {
  readonly watched?: Watched | undefined
  readonly client: GatewayClient
  /** A client for the gateway's current address, with a token that is valid. */
  readonly renew: () => Promise<GatewayClient>
  readonly clock: Clock
  /** Milliseconds between two readings of the traffic. */
  readonly interval: number
  readonly report: (news: News) => void
  /** How much of the equipment that is not on the screen has its traffic read at each interval. */
  readonly background?: number
  /** The equipment on the screen, and the one that is open. */
  readonly shown: () => { readonly onScreen: readonly string[]; readonly opened: string | undefined }
}

/** Reads from the gateway what the screen shows: everything at first, then what events say has changed. */
export class Feed {
  #client: GatewayClient
  readonly #records = new SiteRecords(() => this.#settle())
  readonly #reading: SiteReading
  #next = 0
  /** The equipment whose alarms are listed. */
  #listedOf: string | undefined
  #settling: Cancel | undefined

  constructor(readonly options: FeedOptions) {
    this.#client = withTimeout(options.client)
    this.#reading = new SiteReading(this.#records, options.clock, {
      equipment: () => this.#readAll(),
      one: (id) => this.#call(endpoints.getEquipment, { params: { id } }),
      counts: (query) => this.#call(endpoints.getAlarmSummary, { query: { ...this.#selected, ...query } }),
      alarms: (query) => this.#call(endpoints.listAlarms, { query: { ...this.#selected, ...query } }),
    })
    this.#reading.list({ newest: NEWEST_ALARMS })
  }

  /** Lists the open alarms of the equipment that is open; else the newest of all. True where those are others than before. */
  #listAlarms(opened: string | undefined): boolean {
    if (opened === this.#listedOf) return false
    this.#listedOf = opened
    this.#reading.list(opened === undefined ? { newest: NEWEST_ALARMS } : { equipment_id: opened })
    return true
  }

  /** Reads all of it once; throws the gateway's problem, or `Unreachable`. */
  async load(): Promise<void> {
    await this.#reading.refresh()
    this.#reportSite()
  }

  /** The equipment, and what is read together with it: it says which events are shown. */
  async #readAll(): Promise<readonly Equipment[]> {
    const { report, watched } = this.options
    const limit = watched ? MAX_SEARCHED : 50
    const [{ items }, events, sinks] = await Promise.all([
      this.#call(endpoints.listEquipment, { query: this.#selected }),
      this.#call(endpoints.listEvents, { query: { ...SHOWN_EVENTS, ...this.#selected, limit } }),
      // Callers who are restricted to some equipment may not see sinks, and earlier gateways have none.
      this.#call(endpoints.listSinks, { query: {} }).catch(() => ({ items: [] })),
    ])
    const equipment = watched ? watched.among(items) : items
    const ids = new Set(equipment.map(({ id }) => id))
    report({ kind: 'sinks', sinks: sinks.items })
    report({ kind: 'past_events', events: this.#ofWatched(events.items, ids) })
    return equipment
  }

  get #selected(): { readonly label_selector?: string } {
    const { label_selector } = this.options.watched ?? {}
    return label_selector === undefined ? {} : { label_selector }
  }

  #ofWatched<T extends { readonly equipment_id: string }>(
    records: readonly T[],
    ids: { has(id: string): boolean } = this.#records.equipment,
  ): readonly T[] {
    return this.options.watched ? records.filter(({ equipment_id }) => ids.has(equipment_id)) : records
  }

  /** Follows the gateway until `signal` aborts. Throws when it refuses: the login has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    const parts = [this.#follow(either), this.#watch(either)]
    await Promise.all(parts.map((part) => part.finally(() => over.abort())))
  }

  /** Reads the traffic of all equipment on the screen and of some that is not, and the state of the one that is open. */
  async readTraffic(): Promise<void> {
    const { background: count = BACKGROUND_READS, shown } = this.options
    const { onScreen, opened } = shown()
    const ids = [...this.#records.equipment.keys()]
    const background = [...ids, ...ids].slice(this.#next, this.#next + count)
    this.#next = (this.#next + count) % Math.max(1, ids.length)
    await inLanes([...new Set([...onScreen, ...background])], (id) => this.#readTraffic(id))
    if (opened !== undefined) await this.readOpened(opened)
    if (this.#listAlarms(opened) && this.#reading.isDue) await this.load()
  }

  /** The last messages of an equipment. */
  async readOpened(id: string): Promise<void> {
    const { items } = await this.#call(endpoints.listMessages, { query: { equipment_id: id, limit: 50 } })
    this.options.report({ kind: 'messages', id, messages: items })
  }

  async acknowledge({ id }: Alarm): Promise<void> {
    this.#records.putAlarm(await this.#call(endpoints.acknowledgeAlarm, { params: { id }, body: {} }))
    this.#reportSite()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, report } = this.options
    const onLoss = (error: Error, retryIn: number): void => this.#reportLoss(error, retryIn)
    const renew = async () => (await this.#renewed()).options
    let opened = false
    const onOpen = (): void => {
      // Events since a loss follow; those between the first reading and the first opening do not.
      this.#reading.expire({ eventsAreMissing: !opened })
      opened = true
      report({ kind: 'live', url: this.#client.options.url })
    }
    const follow = { ...this.#client.options, clock, onLoss, onOpen, renew }
    for await (const event of followEvents(follow, { ...SHOWN_EVENTS, ...this.#selected }, signal)) {
      if (this.#ofWatched([event]).length === 0) continue
      report({ kind: 'event', event })
      this.#reading.apply(event)
    }
  }

  /** Reads the traffic at every interval. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, interval } = this.options
    for (let lost = false; !signal.aborted; await delay(clock, interval, signal)) {
      try {
        if (this.#reading.isDue) await this.load()
        await this.readTraffic()
        if (lost && !signal.aborted) this.options.report({ kind: 'live', url: this.#client.options.url })
        lost = false
      } catch (error) {
        if (signal.aborted) return
        if (!isPassing(error)) throw error
        lost = true
        this.#reportLoss(error, interval)
        await this.#renewed().catch((why: unknown) => {
          if (!isPassing(why)) throw why
        })
      }
    }
  }

  #settle(): void {
    const { clock } = this.options
    this.#settling ??= clock.at(clock.now() + SETTLING_MS, () => this.#reportSite())
  }

  #reportSite(): void {
    this.#settling?.()
    this.#settling = undefined
    const { equipment, counts, alarms } = this.#records
    this.options.report({
      kind: 'site',
      equipment: new Map(equipment),
      counts: new Map([...equipment.keys()].map((id) => [id, counts.of(id)])),
      alarms: alarms.isKnown ? this.#ofWatched(alarms.list) : undefined,
    })
  }

  /** Reads the traffic of an equipment; one that no longer exists goes from the screen. */
  async #readTraffic(id: string): Promise<void> {
    try {
      const traffic = await this.#call(endpoints.getTraffic, { params: { id } })
      this.options.report({ kind: 'traffic', id, traffic, at: this.options.clock.now() })
    } catch (error) {
      const { code } = error as Partial<Problem>
      if (code === 'equipment_not_found') this.#records.remove(id)
      // Another daemon is taking it over, or the gateway is in standby, where nothing is counted.
      else if (code !== 'equipment_unowned' && code !== 'standby') throw error
    }
  }

  /** A call, made once more with a new token where the token has expired. */
  readonly #call: GatewayClient['call'] = async (endpoint, given) => {
    try {
      return await this.#client.call(endpoint, given)
    } catch (error) {
      if ((error as Partial<Problem>).code !== 'token_expired') throw error
      return (await this.#renewed()).call(endpoint, given)
    }
  }

  async #renewed(): Promise<GatewayClient> {
    this.#client = withTimeout(await this.options.renew())
    return this.#client
  }

  #reportLoss(error: Error, retryIn: number): void {
    const again = new Date(this.options.clock.date().getTime() + retryIn)
    this.options.report({ kind: 'lost', reason: error.message.replace(/[^.]$/, '$&.'), again })
  }
}

/** Does `work` for all of them, a few at once. */
async function inLanes<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const lane = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: MAX_CALLS_AT_ONCE }, lane))
}
