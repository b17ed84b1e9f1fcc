import { GatewayClient, type Given } from '../../client/client.js'
import { followEvents } from '../../client/events.js'
import { isPassing } from '../../client/persistent.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Problem } from '../../contract/errors.js'
import { readOpenAlarms } from '../../contract/open-alarms.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { EventType } from '../../contract/topics/events.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { News } from './top-state.js'

/** Milliseconds from an event to the reading of the state that it changed: several events come together. */
const SETTLING_MS = 200
/** From one reading of everything to the next: no event says that equipment was added. */
const RELOAD_INTERVAL_MS = 30_000
/** More changed equipment than this is read as a list. */
const MAX_SINGLE_READS = 20
/** Equipment not on the screen whose traffic is read at each interval. */
const BACKGROUND_READS = 20
const MAX_CALLS_AT_ONCE = 4
const CALL_TIMEOUT_MS = 10_000

/** Events that change what the screen shows. */
const SHOWN_EVENTS: { readonly type: EventType[] } = { type: ['connection', 'state', 'alarm'] }

const withTimeout = ({ options }: GatewayClient): GatewayClient =>
  new GatewayClient({ ...options, timeout: CALL_TIMEOUT_MS })

/** The equipment that is watched, where that is not all of it. */
export interface Watched {
  readonly label_selector?: string
  /** Of all equipment, or what a selector leaves of it. */
  readonly among: (all: readonly Equipment[]) => readonly Equipment[]
}

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
  /** The equipment on the screen, and the one that is open. */
  readonly shown: () => { readonly onScreen: readonly string[]; readonly opened: string | undefined }
}

/** Reads from the gateway what the screen shows: everything at first, then what events say has changed. */
export class Feed {
  #client: GatewayClient
  #ids: readonly string[] = []
  #next = 0
  readonly #changed = new Set<string>()
  #alarmsChanged = false
  #loadedAt = Number.NEGATIVE_INFINITY
  #settling = false

  constructor(readonly options: FeedOptions) {
    this.#client = withTimeout(options.client)
  }

  /** Reads all of it once; throws what the gateway answers, or `Unreachable`. */
  async load(): Promise<void> {
    const { report, watched } = this.options
    const limit = watched ? MAX_SEARCHED : 50
    const [{ items }, events, sinks] = await Promise.all([
      this.#call(endpoints.listEquipment, { query: this.#selected }),
      this.#call(endpoints.listEvents, { query: { ...SHOWN_EVENTS, ...this.#selected, limit } }),
      // Callers who are restricted to some equipment may not see sinks, and earlier gateways have none.
      this.#call(endpoints.listSinks, { query: {} }).catch(() => ({ items: [] })),
    ])
    const equipment = watched ? watched.among(items) : items
    this.#ids = equipment.map(({ id }) => id)
    report({ kind: 'all_equipment', equipment })
    report({ kind: 'sinks', sinks: sinks.items })
    report({ kind: 'past_events', events: this.#ofWatched(events.items) })
    this.#changed.clear()
    this.#loadedAt = this.options.clock.now()
    await this.#readAlarms()
  }

  get #selected(): { readonly label_selector?: string } {
    const { label_selector } = this.options.watched ?? {}
    return label_selector === undefined ? {} : { label_selector }
  }

  #ofWatched<T extends { readonly equipment_id: string }>(records: readonly T[]): readonly T[] {
    return this.options.watched
      ? records.filter(({ equipment_id }) => this.#ids.includes(equipment_id))
      : records
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
    const { onScreen, opened } = this.options.shown()
    const background = [...this.#ids, ...this.#ids].slice(this.#next, this.#next + BACKGROUND_READS)
    this.#next = (this.#next + BACKGROUND_READS) % Math.max(1, this.#ids.length)
    await inLanes([...new Set([...onScreen, ...background])], (id) => this.#readTraffic(id))
    if (opened !== undefined) await this.readOpened(opened)
  }

  /** The last messages of an equipment. */
  async readOpened(id: string): Promise<void> {
    const { items } = await this.#call(endpoints.listMessages, { query: { equipment_id: id, limit: 50 } })
    this.options.report({ kind: 'messages', id, messages: items })
  }

  async acknowledge({ id }: Alarm): Promise<void> {
    await this.#call(endpoints.acknowledgeAlarm, { params: { id }, body: {} })
    await this.#readAlarms()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, report } = this.options
    const onLoss = (error: Error, retryIn: number): void => this.#reportLoss(error, retryIn)
    const renew = async () => (await this.#renewed()).options
    let opened = false
    const onOpen = (): void => {
      // Events since the loss follow; what has no event is read again.
      if (opened) this.#loadedAt = Number.NEGATIVE_INFINITY
      opened = true
      report({ kind: 'live', url: this.#client.options.url })
    }
    const follow = { ...this.#client.options, clock, onLoss, onOpen, renew }
    for await (const event of followEvents(follow, { ...SHOWN_EVENTS, ...this.#selected }, signal)) {
      if (this.#ofWatched([event]).length === 0) continue
      report({ kind: 'event', event })
      if (event.type === 'alarm') this.#alarmsChanged = true
      else this.#changed.add(event.equipment_id)
      this.#settle(signal)
    }
  }

  /** Reads the traffic at every interval. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, interval } = this.options
    for (let lost = false; !signal.aborted; await delay(clock, interval, signal)) {
      try {
        if (clock.now() - this.#loadedAt >= RELOAD_INTERVAL_MS) await this.load()
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

  /** Reads what events said has changed, once no more come at once. */
  #settle(signal: AbortSignal): void {
    if (this.#settling) return
    this.#settling = true
    const { clock } = this.options
    clock.at(clock.now() + SETTLING_MS, async () => {
      this.#settling = false
      // A call that fails here is made again with the next reload; the two loops report why.
      if (signal.aborted) return
      await this.#readChanges().catch(() => {
        this.#loadedAt = Number.NEGATIVE_INFINITY
      })
    })
  }

  async #readChanges(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed.clear()
    if (this.#alarmsChanged) await this.#readAlarms()
    if (changed.length > MAX_SINGLE_READS) return this.load()
    await inLanes(changed, (id) => this.#readEquipment(id))
  }

  async #readAlarms(): Promise<void> {
    this.#alarmsChanged = false
    const read = await readOpenAlarms((query) =>
      this.#call(endpoints.listAlarms, { query: { ...this.#selected, ...query } }),
    )
    const open = new Map(read.items.map((alarm) => [alarm.id, alarm]))
    this.options.report({ kind: 'open_alarms', alarms: this.#ofWatched([...open.values()]) })
  }

  async #readEquipment(id: string): Promise<void> {
    const equipment = await this.#known(endpoints.getEquipment, id)
    if (equipment) this.options.report({ kind: 'equipment', equipment })
  }

  async #readTraffic(id: string): Promise<void> {
    const traffic = await this.#known(endpoints.getTraffic, id)
    if (traffic) this.options.report({ kind: 'traffic', id, traffic, at: this.options.clock.now() })
  }

  /** Reads something of an equipment; one that no longer exists goes from the screen. */
  async #known<E extends typeof endpoints.getEquipment | typeof endpoints.getTraffic>(
    endpoint: E,
    id: string,
  ) {
    try {
      return await this.#call(endpoint, { params: { id } } as Given<E>)
    } catch (error) {
      const { code } = error as Partial<Problem>
      // Another daemon is taking it over, or the gateway is in standby, where nothing is counted.
      if (code === 'equipment_unowned' || code === 'standby') return undefined
      if (code !== 'equipment_not_found') throw error
      this.#ids = this.#ids.filter((known) => known !== id)
      this.options.report({ kind: 'removed', id })
      return undefined
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
