import { onTestFinished } from 'vitest'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Equipment, NewEquipment, Timers } from '../../src/contract/equipment.js'
import type { Identity } from '../../src/contract/topics/accounts/users.js'
import type { Event, EventQuery } from '../../src/contract/topics/events.js'
import { Accounts } from '../../src/gateway/accounts/accounts.js'
import { type Gateway, type GatewayParts, openGateway } from '../../src/gateway/open-gateway.js'
import type { EquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import type { ReportsRecord } from '../../src/gateway/services/reports/reports-record.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator, type SimulatorOptions } from '../../src/simulator/simulator.js'
import type { Ownership } from '../../src/store/ownership.js'
import { requireDocumentedEvent } from './api-document.js'
import { HeldJournal } from './held-journal.js'
import { MemoryCollection, owningAll } from './memory-collection.js'
import { MemoryJournal } from './memory-journal.js'
import { ScriptedEquipment } from './scripted-equipment.js'
import { sinkParts } from './sink-parts.js'
import { LOOPBACK } from './tcp.js'

/**
 * Timers of a patient test on the loopback, in seconds: only T5 and the establish delay are waited for, and they
 * are shorter than the API takes.
 */
export const TIMERS: Timers = {
  t1: 0.5,
  t2: 1,
  t3: 5,
  t4: 5,
  t5: 0.02,
  t6: 5,
  t7: 5,
  t8: 5,
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

/** The accounts of a gateway that nobody logs in to. */
export const testAccounts = (clock: Clock): Accounts =>
  new Accounts({
    users: new MemoryCollection(),
    revocations: new MemoryCollection(),
    apiKeys: new MemoryCollection(),
    key: new Uint8Array(32),
    clock,
    passwordCost: 2,
  })

/** A gateway on real sockets, over a store in memory that outlives it. Closed when the test is over. */
export class LiveGateway {
  /** Outlives the gateway, as the equipment's records do. */
  readonly reports = new MemoryCollection<ReportsRecord>()
  readonly audit = new MemoryJournal()
  readonly sinks = sinkParts()
  #gateway: Gateway | undefined
  #named = 0

  private constructor(
    readonly clock: Clock,
    readonly journal: HeldJournal,
    readonly collection: MemoryCollection<EquipmentRecord>,
    readonly catalogue: Catalogue,
    readonly ownership: Ownership,
  ) {}

  static async open({
    clock = systemClock,
    journal = new HeldJournal(),
    collection = new MemoryCollection<EquipmentRecord>(),
    catalogue = STANDARD_CATALOGUE,
    ownership = owningAll(collection) as Ownership,
    /** True where the test writes entries of its own, whose data is made up. */
    hasMadeUpEvents = false,
  } = {}): Promise<LiveGateway> {
    const live = new LiveGateway(clock, journal, collection, catalogue, ownership)
    await live.reopen()
    onTestFinished(async () => {
      live.journal.release()
      const events = live.#gateway && !hasMadeUpEvents ? await live.events() : []
      await live.#gateway?.close()
      for (const event of events) requireDocumentedEvent(event)
    })
    return live
  }

  /** Closes the gateway, if it is open, and opens one over the same store. */
  async reopen(): Promise<Gateway> {
    await this.#gateway?.close()
    this.#gateway = await openGateway(this.parts())
    return this.#gateway
  }

  /** What a gateway over the same store is made of. */
  parts(): GatewayParts {
    const { journal, collection: equipment, reports, clock, catalogue, ownership } = this
    const accounts = testAccounts(clock)
    const { audit } = this
    const { sinks } = this
    return {
      journal,
      ownership,
      audit,
      equipment,
      reports,
      sinks,
      accounts,
      clock,
      catalogue,
      hsmsHost: LOOPBACK,
    }
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
    const equipment = await this.gateway.equipment.connect(id, 5)
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
export async function startSimulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(
    model,
    { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100, timers: { t5: 100 }, ...options },
    { clock: systemClock },
  )
  onTestFinished(() => simulator.stop())
  await simulator.start()
  return simulator
}
