import { GatewayClient } from '../../client/client.js'
import { followEvents } from '../../client/events.js'
import { isPassing } from '../../client/persistent.js'
import type { Alarm } from '../../contract/alarms.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Problem } from '../../contract/errors.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { News } from './news.js'

/** Milliseconds after an event before what it changed is read: more come together. */
const SETTLING = 200
/** Milliseconds between two readings of everything: no event tells that equipment was added. */
const WHOLE = 30_000
/** More equipment than this at once is read as a list. */
const ONE_BY_ONE = 20
/** So much equipment that is not on the screen is read at each look at the traffic. */
const BESIDE = 20
/** Calls under way at once. */
const LANES = 4
/** Milliseconds of silence after which a call is given up. */
const CALL_TIMEOUT_MS = 10_000

const patient = ({ options }: GatewayClient): GatewayClient =>
  new GatewayClient({ ...options, timeout: CALL_TIMEOUT_MS })

export interface FeedOptions {
  readonly client: GatewayClient
  /** A client where the gateway is by now, with a token that lasts. */
  readonly renew: () => Promise<GatewayClient>
  readonly clock: Clock
  /** Milliseconds between two looks at the traffic. */
  readonly interval: number
  readonly tell: (news: News) => void
  /** The equipment that the person looks at, and which of it is open. */
  readonly looking: () => { readonly onScreen: readonly string[]; readonly opened: string | undefined }
}

/** Reads from the gateway what the screen shows: all of it at first, then what events say has changed. */
export class Feed {
  #client: GatewayClient
  #ids: readonly string[] = []
  #next = 0
  readonly #changed = new Set<string>()
  #alarmsChanged = false
  #lookedAll = Number.NEGATIVE_INFINITY
  #settling = false

  constructor(readonly options: FeedOptions) {
    this.#client = patient(options.client)
  }

  /** Reads all of it once; throws what the gateway answers, or `Unreachable`. */
  async load(): Promise<void> {
    const { tell } = this.options
    const [equipment, events] = await Promise.all([
      this.#call((client) => client.call(endpoints.listEquipment, { query: {} })),
      this.#call((client) =>
        client.call(endpoints.listEvents, { query: { type: ['connection', 'state', 'alarm'], limit: 50 } }),
      ),
    ])
    this.#ids = equipment.items.map(({ id }) => id)
    tell({ kind: 'all_equipment', equipment: equipment.items })
    tell({ kind: 'past_events', events: events.items })
    this.#changed.clear()
    this.#lookedAll = this.options.clock.now()
    await this.#readAlarms()
  }

  /** Follows the gateway until `signal` aborts. Throws when it refuses: the login has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const end = (): void => over.abort()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      await Promise.all([this.#follow(over.signal), this.#watch(over.signal)].map((one) => one.finally(end)))
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  /** One look at the traffic of what is on the screen, of some that is not, and at what is open. */
  async look(): Promise<void> {
    const { onScreen, opened } = this.options.looking()
    const beside = Array.from(
      { length: Math.min(BESIDE, this.#ids.length) },
      (_, at) => this.#ids[(this.#next + at) % this.#ids.length] ?? '',
    )
    this.#next = this.#ids.length === 0 ? 0 : (this.#next + BESIDE) % this.#ids.length
    const wanted = [...new Set([...onScreen, ...beside])]
    await inLanes(wanted, (id) => this.#readTraffic(id))
    if (opened !== undefined) await this.lookAt(opened)
  }

  /** The last messages of an equipment. */
  async lookAt(id: string): Promise<void> {
    const { items } = await this.#call((client) =>
      client.call(endpoints.listMessages, { query: { equipment_id: id, limit: 50 } }),
    )
    this.options.tell({ kind: 'messages', id, messages: items })
  }

  async acknowledge({ id }: Alarm): Promise<void> {
    await this.#call((client) => client.call(endpoints.acknowledgeAlarm, { params: { id }, body: {} }))
    await this.#readAlarms()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, tell } = this.options
    const onLoss = (error: Error, retryIn: number): void => this.#lost(error, retryIn)
    const renew = async () => (await this.#renewed()).options
    let opened = false
    const onOpen = (): void => {
      // What passed meanwhile comes as events; what has no event is read again.
      if (opened) this.#lookedAll = Number.NEGATIVE_INFINITY
      opened = true
      tell({ kind: 'live', url: this.#client.options.url })
    }
    const query = { type: ['connection' as const, 'state' as const, 'alarm' as const] }
    const follow = { ...this.#client.options, clock, onLoss, onOpen, renew }
    for await (const event of followEvents(follow, query, signal)) {
      tell({ kind: 'event', event })
      if (event.type === 'alarm') this.#alarmsChanged = true
      else this.#changed.add(event.equipment_id)
      this.#settle(signal)
    }
  }

  /** Looks at the traffic again and again. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, interval } = this.options
    for (let lost = false; !signal.aborted; await delay(clock, interval, signal)) {
      try {
        if (clock.now() - this.#lookedAll >= WHOLE) await this.load()
        await this.look()
        if (lost && !signal.aborted) this.options.tell({ kind: 'live', url: this.#client.options.url })
        lost = false
      } catch (error) {
        if (signal.aborted) return
        if (!isPassing(error)) throw error
        lost = true
        this.#lost(error, interval)
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
    clock.at(clock.now() + SETTLING, async () => {
      this.#settling = false
      // What fails here is read again with everything; the other two loops tell why.
      if (signal.aborted) return
      await this.#readChanges().catch(() => {
        this.#lookedAll = Number.NEGATIVE_INFINITY
      })
    })
  }

  async #readChanges(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed.clear()
    if (this.#alarmsChanged) await this.#readAlarms()
    if (changed.length > ONE_BY_ONE) return this.load()
    await inLanes(changed, (id) => this.#readEquipment(id))
  }

  async #readAlarms(): Promise<void> {
    this.#alarmsChanged = false
    const [active, unseen] = await Promise.all(
      [{ active: true }, { acknowledged: false }].map((query) =>
        this.#call((client) => client.call(endpoints.listAlarms, { query })),
      ),
    )
    const open = new Map(
      [...(active?.items ?? []), ...(unseen?.items ?? [])].map((alarm) => [alarm.id, alarm]),
    )
    this.options.tell({ kind: 'open_alarms', alarms: [...open.values()] })
  }

  async #readEquipment(id: string): Promise<void> {
    const equipment = await this.#known(id, (client) =>
      client.call(endpoints.getEquipment, { params: { id } }),
    )
    if (equipment) this.options.tell({ kind: 'equipment', equipment })
  }

  async #readTraffic(id: string): Promise<void> {
    const traffic = await this.#known(id, (client) => client.call(endpoints.getTraffic, { params: { id } }))
    if (traffic) this.options.tell({ kind: 'traffic', id, traffic, at: this.options.clock.now() })
  }

  /** What is read of an equipment; one that is there no more goes from the screen. */
  async #known<T>(id: string, read: (client: GatewayClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#call(read)
    } catch (error) {
      if ((error as Partial<Problem>).code !== 'equipment_not_found') throw error
      this.#ids = this.#ids.filter((known) => known !== id)
      this.options.tell({ kind: 'removed', id })
      return undefined
    }
  }

  /** A call; once more where the token has ended in between. */
  async #call<T>(work: (client: GatewayClient) => Promise<T>): Promise<T> {
    try {
      return await work(this.#client)
    } catch (error) {
      if ((error as Partial<Problem>).code !== 'token_expired') throw error
      return work(await this.#renewed())
    }
  }

  async #renewed(): Promise<GatewayClient> {
    this.#client = patient(await this.options.renew())
    return this.#client
  }

  #lost(error: Error, retryIn: number): void {
    const again = new Date(this.options.clock.date().getTime() + retryIn)
    this.options.tell({ kind: 'lost', reason: error.message.replace(/[^.]$/, '$&.'), again })
  }
}

/** Does `work` for all of them, a few at once. */
async function inLanes<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const lane = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
