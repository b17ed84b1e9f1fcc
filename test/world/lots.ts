import { parse } from 'yaml'
import type { Equipment } from '../../src/contract/equipment.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { Gem300, KnownObject } from '../../src/contract/topics/gem300/mapping.js'
import type { AppliedReports } from '../../src/contract/topics/reports.js'
import type { SlotState } from '../../src/gem300/slot-map.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { differences, trueStates } from '../gateway/gem300/true-states.js'
import { Client, idAt, once, type Site } from './site.js'
import { Host } from './world.js'

const PORT = 5000
const LOAD_PORT = 1
/** Few substrates of a carrier: each has some ten events. */
const SUBSTRATES = 2
const SLOTS = Array.from(
  { length: 25 },
  (_, at): SlotState => (at < SUBSTRATES ? 'CORRECTLY_OCCUPIED' : 'EMPTY'),
)

const ONCE = 'A call with an Idempotency-Key takes effect once.'
const CHAIN = 'Each change of a state of a 300 mm object is an event, once.'
const CREATED = 'A job that the gateway has created is there.'
const SHOWN = 'What is known of the objects of equipment is what it has told.'

/** A 300 mm tool, an operator, and a host that runs one lot after the other by process and control jobs. */
export class Lots {
  readonly #host: Host
  readonly #simulator: Simulator
  /** By the equipment, the object and its state: what the last event has said. */
  readonly #told = new Map<string, string>()
  /** How often the tool was asked to create each job. */
  readonly #created = new Map<string, number>()
  #id: string | undefined
  #number = 0

  constructor(readonly site: Site) {
    const { world } = site
    this.#host = new Host('lot tool', '10.5.0.1', world)
    world.current = this.#host
    const model = shippedModel('etch300')
    if (!model) throw new Error('no model')
    const options = { role: 'passive', host: this.#host.ip, port: PORT } as const
    this.#simulator = new Simulator(model, options, { clock: this.#host.clock })
    this.#simulator.log.on(({ direction, stream, function: number, sml }) => {
      const [job] = /PJ-\d+/.exec(sml) ?? []
      if (direction === 'received' && stream === 16 && number === 15 && job)
        this.#created.set(job, (this.#created.get(job) ?? 0) + 1)
    })
  }

  get #tool(): NonNullable<Simulator['tool']> {
    return this.#simulator.tool as NonNullable<Simulator['tool']>
  }

  async run(): Promise<void> {
    const { site } = this
    const client = new Client(site, 'lot host')
    site.world.after(this.#host, 0, () => void this.#simulator.start())
    for (;;) {
      await client.rest(10_000, 120_000)
      if (site.calm) continue
      const { epoch } = site
      this.#id = await this.#prepared(client)
      if (this.#id !== undefined && site.epoch === epoch) await this.#goOn(client, `/equipment/${this.#id}`)
    }
  }

  /** The id of the tool, once it is registered with its mapping and its reports. */
  async #prepared(client: Client): Promise<string | undefined> {
    const { ip } = this.#host
    const record = { name: 'lot-tool', ip_address: ip, port: PORT, gem_startup: true }
    let id = await idAt(client, ip)
    if (id === undefined) {
      const { status, body } = await client.insist('POST', '/equipment', record)
      if (status !== 201) return undefined
      id = (body as Equipment).id
    }
    const path = `/equipment/${id}`
    await client.insist('POST', `${path}/connect`)
    const { mapping } = (await client.insist('GET', `${path}/gem300`)).body as Gem300
    if (!mapping) {
      const proposal = await once(client, 'GET', `${path}/gem300/proposal`)
      if (proposal?.status !== 200) return undefined
      await once(client, 'PUT', `${path}/gem300`, parse((proposal.body as { readonly file: string }).file))
    }
    const { definition } = (await client.insist('GET', `${path}/reports`)).body as AppliedReports
    if (!definition) {
      const wanted = await client.insist('GET', `${path}/gem300/reports`)
      await once(client, 'PUT', `${path}/reports`, wanted.body as object)
    }
    return mapping && definition ? id : undefined
  }

  /** The next step of a lot. */
  async #goOn(client: Client, path: string): Promise<void> {
    const { ports } = this.#tool
    const [carrier] = ports.carriers.values()
    const transfer = ports.port(LOAD_PORT)?.transfer.state
    const waits = [carrier?.idStatus.state, carrier?.slotMapStatus.state].includes('WAITING_FOR_HOST')
    if (transfer === 'READY_TO_LOAD')
      this.#operate(() => this.#tool.load(LOAD_PORT, `FOUP${++this.#number}`, SLOTS))
    else if (transfer === 'READY_TO_UNLOAD') this.#operate(() => this.#tool.unload(LOAD_PORT))
    else if (carrier && waits) {
      const proceed = { command: 'proceed', carrier_id: carrier.id, port: LOAD_PORT }
      await once(client, 'POST', `${path}/carriers`, proceed)
    } else if (carrier) await this.#createNext(client, path, carrier.id)
  }

  /** What an operator does at the tool. */
  #operate(act: () => unknown): void {
    this.site.world.after(this.#host, 0, act)
  }

  /** A process job for the carrier, and then a control job for that. */
  async #createNext(client: Client, path: string, carrier: string): Promise<void> {
    const { jobs } = this.#tool
    const { observer } = this.site
    const known = [...jobs.process.values()].find(({ carriers }) => carriers.includes(carrier))
    const number = client.chance.below(2 ** 31)
    const create = async (which: string, body: object): Promise<boolean> => {
      const key = { 'idempotency-key': `${which} ${number}` }
      const response = await client.insist('POST', `${path}/${which}`, body, key)
      observer.count(`${which} created: ${response.status}`)
      return response.status === 200 && (response.body as { readonly accepted: boolean }).accepted
    }
    if (known?.isQueued && !known.controlJob) {
      const control = { job_id: `CJ-${number}`, process_jobs: [known.id], carriers: [carrier] }
      await create('control-jobs', control)
    }
    if (known) return
    const job_id = `PJ-${number}`
    const carriers = [{ carrier_id: carrier, slots: [] }]
    const isAccepted = await create('jobs', { job_id, recipe: 'OXIDE-ETCH-01', carriers })
    const times = this.#created.get(job_id) ?? 0
    observer.require(times <= 1, ONCE, () => `${job_id} was created ${times} times`)
    observer.require(!isAccepted || jobs.process.has(job_id), CREATED, () => `${job_id} is not at the tool`)
  }

  /** A reader was shown a change of a state of an object. */
  take({ id, equipment_id, name, data }: Event): void {
    const { object_id, state, from, to } = data as Readonly<Record<string, string | null>>
    if (object_id === undefined) return
    const object = `${equipment_id} ${name} ${object_id} `
    const key = object + state
    const known = this.#told.get(key)
    this.site.observer.count('changes of 300 mm objects shown')
    this.site.observer.require(
      known === undefined || known === from,
      CHAIN,
      () => `${id}: ${key} goes from ${from} to ${to}, and was ${known}`,
    )
    this.#told.set(key, String(to))
    if (to !== 'NO_STATE') return
    for (const one of this.#told.keys()) if (one.startsWith(object)) this.#told.delete(one)
  }

  /** What was said meanwhile is not known. */
  forget(): void {
    this.#told.clear()
  }

  /** In a calm hour the gateway shows what the tool has. */
  async check(client: Client): Promise<void> {
    if (this.#id === undefined) return
    const { status, body } = await client.insist('GET', `/equipment/${this.#id}/gem300/objects`)
    if (status !== 200) return
    const { items } = body as { readonly items: readonly KnownObject[] }
    const known = items.flatMap(({ kind, object_id, states }) =>
      Object.entries(states).map(([name, { state }]) => [`${kind} ${object_id} ${name}`, state] as const),
    )
    const wrong = differences(new Map(known), trueStates(this.#tool))
    this.site.observer.count('300 mm objects that were compared', items.length)
    this.site.observer.require(wrong.length === 0, SHOWN, () => wrong.join('\n  '))
  }
}
