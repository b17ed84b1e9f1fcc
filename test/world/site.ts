import type { Equipment } from '../../src/contract/equipment.js'
import type { Chance } from './chance.js'
import { ALARM_EVENTS, FilteredStream } from './filtered-stream.js'
import { ADMIN, type GatewayMachine, NoResponse, TooLate } from './gateway-process.js'
import { Lots } from './lots.js'
import type { Observer } from './observer.js'
import { PropertyHistory } from './property-history.js'
import { Reader } from './reader.js'
import { RecordedUntil } from './retention.js'
import { addSink, resumeSink } from './sinks.js'
import type { Tool } from './tool.js'
import type { WebhookTarget } from './webhook-target.js'
import { Host, type World } from './world.js'

/** What lasts for hours lasts at most so many times as long where less happens: half a day instead of an hour. */
const MAX_STRETCH = 12
/** At night people and programs rest so many times as long. */
const NIGHTLY_PACE = 60

export const stretchOf = (pace: number): number => Math.min(pace, MAX_STRETCH)

export interface Response {
  readonly status: number
  readonly body: unknown
}

/** A site and what its people and programs know of it. */
export class Site {
  /** The id of each tool's record, once it is registered. */
  readonly ids = new Map<Tool, string>()
  /** The followers of the events: a stream, and pages. */
  readonly streamed: Reader
  readonly alarms = new FilteredStream(this, ALARM_EVENTS)
  readonly paged: Reader
  readonly lots: Lots
  /** True while nothing is done to the site, and it has to recover. */
  calm = true
  /** Nobody is at work. */
  isNight = false
  /** How long that was, in milliseconds. */
  rested = 0
  /** How many faults there were. */
  faults = 0
  /** A file of the gateway is not what was written. */
  isSpoilt = false
  /** The newest version of the product that has served with the records of now. */
  served = 0
  /** How often a backup was restored: what a caller knew before may not have happened. */
  epoch = 0
  /** Whether tools were in the area of the restricted caller: by time, and at events. */
  readonly areas = new PropertyHistory(undefined)
  readonly areasAtEvents = new PropertyHistory(undefined)
  readonly recordedUntil = new RecordedUntil()
  /** By the id of equipment: the event reports that were applied last, null for none, where that is known. */
  readonly applied = new Map<string, object | null>()
  /** The number of the oldest entry that is kept; undefined where that is not known now. */
  firstEntry = (): number | undefined => undefined
  /** Whether a gateway runs, and its records can be read there now. */
  reaches = (_machine: GatewayMachine): boolean => true
  /** By the id of equipment: the gateway that drives it now, another object each time that begins. */
  readonly drives = new Map<string, { readonly machine: GatewayMachine; readonly host: Host }>()
  /** Called before each call that changes something. */
  beforeChange = (): void => {}

  constructor(
    readonly world: World,
    readonly machines: readonly GatewayMachine[],
    /** The number of the newest entry that is recorded; undefined where that is not known now. */
    readonly lastEntry: () => number | undefined,
    readonly tools: readonly Tool[],
    readonly observer: Observer,
    /** Of sinks that deliver the events of type alarm. */
    readonly targets: readonly WebhookTarget[],
    /** Whether the names of tools are those that they began with. */
    readonly names: PropertyHistory,
    /** How many times as long as usual people and programs rest. */
    readonly pace = 1,
  ) {
    this.streamed = new Reader(this, 'the stream', true)
    this.paged = new Reader(this, 'the pages', false)
    this.streamed.other = this.paged
    this.paged.other = this.streamed
    this.lots = new Lots(this)
  }

  /** What stays the same as long as one process drives equipment without a break; undefined where none is known to. */
  drivenBy(id: string): object | undefined {
    const [{ gateway, host }] = this.machines as [GatewayMachine]
    if (gateway?.ownership.self === null) return host
    const driving = this.drives.get(id)
    return driving?.machine.gateway?.ownership.owns(id) ? driving : undefined
  }

  /** The last entry that the stream has shown and every gateway that runs has read: another one may be the first to show it. */
  get shownEverywhere(): number {
    const read = this.machines.flatMap(({ journal }) => (journal ? [journal.last] : []))
    return Math.min(this.streamed.last, ...read)
  }

  /** All gateways run the code of now. */
  get isOfNow(): boolean {
    return this.machines.every(({ version, versions }) => version > 0 || versions.products.length === 1)
  }

  /** How many times as long as usual things last that last for a time. */
  get stretch(): number {
    return stretchOf(this.pace)
  }

  /** How often a clock of a gateway was set. */
  get clockChanges(): number {
    return this.machines.reduce((sum, machine) => sum + machine.clockChanges, 0)
  }

  /** Two gateways have clocks that show different times. */
  get clocksDiffer(): boolean {
    return this.machines.some(({ host }) => host.skew !== this.machines[0]?.host.skew)
  }

  /** Records are those of another time, or will be once a gateway starts. */
  forgetRecords(): void {
    for (const history of [this.names, this.areas, this.areasAtEvents]) history.forget()
  }

  /** What had higher numbers than this is gone: everybody begins anew, with what is recorded now. */
  async restored(last: number): Promise<void> {
    this.epoch += 1
    this.served = 0
    for (const one of [this.observer, this.recordedUntil, this.streamed, this.paged, ...this.targets])
      one.restored(last)
    for (const tool of this.tools) {
      tool.forget()
      tool.forgetAlarms()
    }
    this.ids.clear()
    this.applied.clear()
    this.forgetRecords()
    this.lots.forget()
    const registrar = new Client(this, 'registrar')
    for (const target of this.targets) {
      await addSink(registrar, target)
      await resumeSink(registrar, target)
    }
    await this.register(registrar)
  }

  /** Registers and connects the tools that are not registered, and learns the ids of all. */
  async register(client: Client): Promise<void> {
    const known = await idsByAddress(client)
    for (const tool of this.tools) await this.registerTool(client, tool, known)
  }

  /** `listed`: the ids that are known already. */
  async registerTool(client: Client, tool: Tool, listed?: ReadonlyMap<string, string>): Promise<void> {
    for (let found = listed; ; found = undefined) {
      // It may be registered under the name that an administrator gave it.
      const known = (found ?? (await idsByAddress(client))).get(tool.host.ip)
      if (known !== undefined) this.ids.set(tool, known)
      else {
        const { status, body } = await client.insist('POST', '/equipment', tool.record)
        if (status === 201) this.ids.set(tool, (body as Equipment).id)
      }
      const id = this.ids.get(tool)
      if (id === undefined) continue
      const connected = await client.insist('POST', `/equipment/${id}/connect`)
      if (connected.status !== 404) return
    }
  }
}

/** A program with a token: it logs in, and repeats what got no response. */
export class Client {
  readonly host: Host
  readonly chance: Chance
  #token = ''
  #machine: number

  constructor(
    readonly site: Site,
    name: string,
    readonly credentials: { readonly email: string; readonly password: string } = ADMIN,
    ip = '10.2.0.1',
  ) {
    this.host = new Host(name, ip, site.world)
    this.chance = site.world.chance.fork(name)
    this.#machine = this.chance.below(site.machines.length)
  }

  /** The gateway that it calls: one for all its life, unless that does not respond. */
  get machine(): GatewayMachine {
    return this.site.machines[this.#machine] as GatewayMachine
  }

  callAnother(): void {
    this.#machine = (this.#machine + 1) % this.site.machines.length
  }

  sleep(ms: number): Promise<void> {
    return this.site.world.sleep(this.host, ms)
  }

  /** Until it does something again, on average: longer where the site is calmer than others. */
  rest(low: number, high: number): Promise<void> {
    const { pace, isNight } = this.site
    return this.sleep(this.chance.between(low, high) * pace * (isNight ? NIGHTLY_PACE : 1))
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    if (this.#token === '') await this.#login()
    const response = await this.#send(method, path, body, headers)
    if (response.status !== 401) return response
    await this.#login()
    return this.#send(method, path, body, headers)
  }

  /** The same again until there is a response that is not one of absence. */
  async insist(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response> {
    for (;;) {
      try {
        const response = await this.call(method, path, body, headers)
        const isAbsent = [401, 429, 500, 503].includes(response.status) || codeOf(response) === 'owner_lost'
        if (!isAbsent) return response
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
      }
      this.callAnother()
      await this.sleep(this.chance.between(500, 3000))
    }
  }

  /** Until the response ends, or the caller leaves. */
  async follow(path: string, take: (text: string) => void, leaves?: Promise<unknown>): Promise<number> {
    if (this.#token === '') await this.#login()
    const url = `/api/v1${path}`
    const headers = { authorization: `Bearer ${this.#token}`, host: 'gateway.fab.example' }
    const status = await this.machine.stream(this.host, { method: 'GET', url, headers }, take, leaves)
    if (status === 401) this.#token = ''
    return status
  }

  /** A call with another token, or an API key; or one that needs none. */
  send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    token: string | undefined,
    body?: object,
  ): Promise<Response> {
    return this.#send(method, path, body, token === undefined ? {} : { authorization: `Bearer ${token}` })
  }

  async #login(): Promise<void> {
    for (;;) {
      const { status, body } = await this.#send('POST', '/auth/login', this.credentials, {})
      if (status === 200) {
        this.#token = (body as { readonly token: string }).token
        return
      }
      this.callAnother()
      await this.sleep(1000)
    }
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { machine } = this
    const { observer, world } = this.site
    const { host } = machine
    // A process that is stopped says nothing meanwhile.
    const began = Math.max(world.now, host.frozenUntil)
    const frozenBefore = host.frozenFor
    if (method !== 'GET') this.site.beforeChange()
    const call = machine.call(this.host, {
      method,
      url: `/api/v1${path}`,
      headers: {
        host: 'gateway.fab.example',
        ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
      ...(body && { payload: body }),
    })
    const { statusCode, payload } = await call.catch((error: unknown) => {
      const what = (): string => `${method} ${path} at gateway ${machine.number} got no response`
      observer.require(!(error instanceof TooLate), IN_TIME, what)
      throw error
    })
    observer.count(`HTTP ${statusCode}`)
    observer.require(
      statusCode !== 500 || (this.site.isSpoilt && payload.includes('history_damaged')),
      'No call is answered with 500.',
      () => `${method} ${path}: ${payload}`,
    )
    const took = world.now - began - (host.frozenFor - frozenBefore)
    observer.require(
      took < 70_000,
      IN_TIME,
      () =>
        `${method} ${path} at gateway ${machine.number} took ${Math.round(took)} ms: ${statusCode} ${payload.slice(0, 300)}`,
    )
    return { status: statusCode, body: payload === '' ? undefined : JSON.parse(payload) }
  }
}

/** The id of the equipment at an address; undefined where there is none. */
export const idAt = async (client: Client, address: string): Promise<string | undefined> =>
  (await idsByAddress(client)).get(address)

async function idsByAddress(client: Client): Promise<ReadonlyMap<string, string>> {
  const { body } = await client.insist('GET', '/equipment?limit=1000')
  const { items } = body as { readonly items: readonly Equipment[] }
  // Of several at one address the first.
  return new Map(items.toReversed().map(({ ip_address, id }) => [ip_address ?? '', id]))
}

/** A call that is not repeated; undefined where there is no response. */
export const once = (client: Client, ...call: Parameters<Client['call']>): Promise<Response | undefined> =>
  client.call(...call).catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined
    throw error
  })

/** Milliseconds between two looks at gateways. */
const LOOK_MS = 200

/** Looks whether gateways reach what they share, and their processes go on, all the time. */
export class Watched {
  #seen: readonly (readonly [Host, number])[]

  constructor(
    readonly site: Site,
    readonly machines: readonly GatewayMachine[],
  ) {
    this.#seen = this.#now()
  }

  #now(): readonly (readonly [Host, number])[] {
    return this.machines.map(({ host }) => [host, host.frozenFor] as const)
  }

  /** False where one of them does not, or has not since the last look. */
  look(): boolean {
    const before = this.#seen
    this.#seen = this.#now()
    return this.machines.every((machine, at) => {
      const [host, frozenFor] = before[at] as readonly [Host, number]
      const isSame = machine.host === host && host.frozenFor === frozenFor
      return isSame && this.site.reaches(machine)
    })
  }

  /** The same for so many milliseconds. */
  async lookFor(client: Client, ms: number): Promise<boolean> {
    const { world } = this.site
    let isFine = true
    for (const until = world.now + ms; world.now < until; await client.sleep(LOOK_MS))
      isFine = this.look() && isFine
    return isFine
  }
}

const IN_TIME = 'Every call ends within its documented time.'

const codeOf = ({ body }: Response): unknown => (body as { readonly code?: string } | undefined)?.code

/** People who change records at the same time, and one who is restricted to some equipment. */
export const CALLERS = ['caller-1', 'caller-2', 'caller-3', 'caller-4', 'caller-5']
export const RESTRICTED = 'restricted'
/** Who locks equipment. */
export const KEEPER = 'keeper'

export const credentialsOf = (name: string) => ({
  email: `${name}@fab.example`,
  password: `password of ${name}`,
})

/** Adds the people and the sinks, registers the tools and connects them. */
export async function setUp(site: Site, admin: Client): Promise<void> {
  for (const name of [...CALLERS, RESTRICTED, KEEPER]) {
    const isRestricted = name === RESTRICTED
    const { status, body } = await admin.insist('POST', '/users', {
      ...credentialsOf(name),
      name,
      role: isRestricted ? 'engineer' : 'admin',
      label_selector: isRestricted ? 'area=a' : null,
    })
    if (status !== 201) throw new Error(`the user was refused: ${JSON.stringify(body)}`)
  }
  for (const target of site.targets) await addSink(admin, target)
  await site.register(admin)
}
