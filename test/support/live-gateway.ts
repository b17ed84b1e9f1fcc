import { onTestFinished } from 'vitest'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { AnyEndpoint, Call, Reply } from '../../src/contract/endpoint.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { Equipment, NewEquipment, Timers } from '../../src/contract/equipment.js'
import type { Identity } from '../../src/contract/topics/accounts/users.js'
import type { Event, EventQuery } from '../../src/contract/topics/events.js'
import { Accepted } from '../../src/gateway/handler.js'
import { handlers } from '../../src/gateway/handlers.js'
import type { KeyedRequest } from '../../src/gateway/idempotency/idempotency.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import type { EquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import type { ReportsRecord } from '../../src/gateway/services/reports/reports-record.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator, type SimulatorOptions } from '../../src/simulator/simulator.js'
import type { Ownership } from '../../src/store/ownership.js'
import { requireDocumentedEvent } from './api-document.js'
import { HeldJournal, MemoryCollection, type MemoryJournal, MemoryStore } from './memory-store.js'
import { ScriptedEquipment } from './scripted-equipment.js'
import { LOOPBACK } from './tcp.js'
import { openTestGateway } from './test-gateway.js'

/**
 * Timers of a patient test on the loopback, in seconds: only T5 and the establish delay are waited for, and they
 * are shorter than the API takes. The others do not expire only because the machine is busy.
 */
export const TIMERS: Timers = {
  t1: 10,
  t2: 25,
  t3: 45,
  t4: 45,
  t5: 0.02,
  t6: 45,
  t7: 45,
  t8: 45,
  linktest: 0,
  establish: 0.02,
  slow_reply: 2,
  presence: 0,
}

export const ADA: Identity = {
  id: 'usr_ada',
  email: 'ada@fab.example',
  name: 'Ada',
  role: 'admin',
}

type Rows = typeof endpoints
type Handle = (call: object, gateway: Gateway) => Promise<unknown>

/** The endpoints of a gateway as functions, without HTTP and without validation. Ada is who calls. */
export type Calls = {
  readonly [Name in keyof Rows]: (
    params: Call<Rows[Name]>['params'],
    given?: Partial<Pick<Call<Rows[Name]>, 'query' | 'body'>> & { readonly request?: KeyedRequest },
  ) => Promise<Reply<Rows[Name]>>
}

export const callsOf = (gateway: Gateway): Calls => {
  const call =
    (name: keyof Rows) =>
    async (
      params: object,
      {
        query = {},
        body = {},
        request,
      }: Partial<Call<AnyEndpoint>> & { readonly request?: KeyedRequest } = {},
    ): Promise<unknown> => {
      const handle = handlers[name] as Handle
      const { timeout } = query as { readonly timeout?: number }
      const send = { timeout, request, sentBy: ADA.email }
      const result = await handle({ params, query, body, send, caller: ADA }, gateway)
      return result instanceof Accepted ? result.body : result
    }
  const names = Object.keys(endpoints) as (keyof Rows)[]
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Calls
}

export interface LiveOptions {
  readonly clock?: Clock
  readonly journal?: HeldJournal
  readonly catalogue?: Catalogue
  readonly ownership?: Ownership
  readonly equipment?: MemoryCollection<EquipmentRecord>
  /** True where the test writes entries of its own, whose data is made up. */
  readonly hasMadeUpEvents?: boolean
}

/** A gateway on real sockets, over a store in memory that outlives it. Closed when the test is over. */
export class LiveGateway {
  readonly store: MemoryStore<HeldJournal>
  readonly journal: HeldJournal
  readonly audit: MemoryJournal
  readonly collection: MemoryCollection<EquipmentRecord>
  readonly reports: MemoryCollection<ReportsRecord>
  #gateway: Gateway | undefined
  #named = 0

  private constructor(readonly options: LiveOptions) {
    const { journal = new HeldJournal(), equipment = new MemoryCollection<EquipmentRecord>() } = options
    this.store = new MemoryStore({ ...options, journal, collections: { equipment } })
    this.journal = journal
    this.audit = this.store.audit
    this.collection = equipment
    this.reports = this.store.records('reports')
  }

  static async open(options: LiveOptions = {}): Promise<LiveGateway> {
    const live = new LiveGateway(options)
    await live.reopen()
    onTestFinished(async () => {
      live.journal.release()
      const events = live.#gateway && !options.hasMadeUpEvents ? await live.events() : []
      await live.#gateway?.close()
      for (const event of events) requireDocumentedEvent(event)
    })
    return live
  }

  /** Closes the gateway, if it is open, and opens one over the same store. */
  async reopen(): Promise<Gateway> {
    await this.#gateway?.close()
    const { clock = systemClock, catalogue = STANDARD_CATALOGUE } = this.options
    this.#gateway = await openTestGateway({ store: this.store, clock, catalogue })
    return this.#gateway
  }

  get gateway(): Gateway {
    if (!this.#gateway) throw new Error('the gateway is not open')
    return this.#gateway
  }

  /** Registers an equipment on the loopback, with timers for tests. */
  add({ timers, ...given }: Partial<NewEquipment> & { readonly port: number }): Promise<Equipment> {
    this.#named += 1
    return this.gateway.equipment.create({
      name: `tool ${this.#named}`,
      ip_address: LOOPBACK,
      // Most tests say every message themselves.
      gem_startup: false,
      ...given,
      timers: { ...TIMERS, ...timers },
    })
  }

  /** Registers an equipment and waits until it communicates. */
  async connect(given: Partial<NewEquipment> & { readonly port: number }): Promise<Equipment> {
    const { id } = await this.add(given)
    const equipment = await this.gateway.equipment.connect(id, 30)
    if (equipment.communication_state !== 'COMMUNICATING') {
      throw new Error(`${equipment.connection_state}: ${equipment.last_error?.detail}`)
    }
    return equipment
  }

  /** A scripted equipment that communicates, and its record. */
  async connectScripted(
    given: Partial<Omit<NewEquipment, 'port'>> = {},
  ): Promise<{ equipment: ScriptedEquipment; id: string }> {
    const equipment = await ScriptedEquipment.listen()
    const { id } = await this.connect({ port: equipment.port, ...given })
    return { equipment, id }
  }

  /** A simulator that communicates, and its record. */
  async connectSimulator(
    given: Partial<Omit<NewEquipment, 'port'>> = {},
  ): Promise<{ simulator: Simulator; id: string }> {
    const simulator = await startSimulator()
    const { id } = await this.connect({ port: simulator.port, ...given })
    return { simulator, id }
  }

  /** The events so far, oldest first. */
  async events(query: EventQuery = {}): Promise<Event[]> {
    return (await this.gateway.events.list({ order: 'asc', limit: 1000, ...query })).items
  }

  /** Resolves with the first event, past or to come, that is wanted. */
  async event(wanted: (event: Event) => boolean): Promise<Event> {
    const over = new AbortController()
    try {
      for await (const events of this.gateway.events.follow({ after: '0' }, over.signal)) {
        const found = events.find(wanted)
        if (found) return found
      }
    } finally {
      over.abort()
    }
    throw new Error('the events ended')
  }
}

/** The minimal model on the loopback, stopped when the test is over. */
export async function startSimulator(
  options: Partial<SimulatorOptions> = {},
  clock: Clock = systemClock,
): Promise<Simulator> {
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(
    model,
    { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100, timers: { t5: 100 }, ...options },
    { clock },
  )
  onTestFinished(() => simulator.stop())
  await simulator.start()
  return simulator
}
