import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ApiOptions } from '../../src/api/api-options.js'
import { buildApp } from '../../src/api/app.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../src/contract/errors.js'
import type { Role } from '../../src/contract/roles.js'
import type { Event, StreamQuery } from '../../src/contract/topics/events.js'
import type { Message, Sent } from '../../src/contract/topics/messages.js'
import type { Traffic } from '../../src/contract/topics/traffic.js'
import type { Accounts } from '../../src/gateway/accounts/accounts.js'
import type { KeyRecord } from '../../src/gateway/accounts/key-record.js'
import type { UserRecord } from '../../src/gateway/accounts/user-record.js'
import type { JournaledEvents } from '../../src/gateway/events/event-log.js'
import { ObjectsOfEquipment } from '../../src/gateway/gem300/view/known-objects.js'
import type { KeyedRequest } from '../../src/gateway/idempotency/idempotency.js'
import { SiteNodes } from '../../src/gateway/nodes/site-nodes.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { type EquipmentRecord, newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { plainReading } from '../../src/gateway/records/reading.js'
import { EquipmentWires } from '../../src/gateway/wire/wire-log.js'
import { WireWatch } from '../../src/gateway/wire/wire-watch.js'
import type { Endpoints, WireRecord } from '../../src/hsms/capture/wire.js'
import { Signal } from '../../src/kit/signal.js'
import type { Ownership } from '../../src/store/ownership.js'
import { requireDocumented } from './api-document.js'
import { exampleHandlers, REPLIES } from './example-gateway.js'
import { ManualClock } from './manual-clock.js'
import { type MemoryCollection, type MemoryJournal, MemoryStore } from './memory-store.js'
import { openTestGateway } from './test-gateway.js'

const AT = '2026-01-01T00:00:00.000Z'

const messageOf = (id: string): Message => ({
  ...REPLIES.getMessage,
  id,
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  at: AT,
})

const SHELVED = REPLIES.shelveAlarm
const ALARM = { ...REPLIES.acknowledgeAlarm, id: '7', equipment_id: 'eq_1', equipment_name: 'etcher' }
const COMMANDED = { ...REPLIES.sendCommand, message_id: '1', reply_id: '2' }
const NOT_KNOWN_YET = { accepted: null, hcack: null, hcack_text: null, reply_id: null }

const NO_WAY = {
  frames: 0,
  bytes: 0,
  messages: [],
  other_messages: { frames: 0, bytes: 0 },
  control: [],
  unknown: 0,
  rejects: [],
}

export const NO_LINE: Traffic['line'] = {
  blocks_in: 0,
  blocks_out: 0,
  naks_in: 0,
  naks_out: 0,
  retries: 0,
  duplicates: 0,
  unexpected: 0,
  strays: 0,
}

export const NO_TRAFFIC: Traffic = {
  since: AT,
  in: NO_WAY,
  out: NO_WAY,
  timeouts: [],
  line: NO_LINE,
  connects: 0,
  losses: [],
  attempts_failed: 0,
  unrecorded: 0,
  refused: { stranger: 0, in_use: 0 },
  round_trip: { count: 0, sum: 0, buckets: [] },
  open: 0,
}

export const eventOf = (id: number, data: Event['data'] = {}): Event => ({
  id: String(id),
  type: 'state',
  name: 'control_state',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  at: AT,
  data,
})

/** Events in memory, followed as the journal's are. */
class MemoryEvents implements Pick<JournaledEvents, 'last' | 'list' | 'isKnown' | 'follow'> {
  readonly events: Event[] = []
  #last = 0
  readonly added = new Signal<void>()
  /** How many a follower has been given. */
  read = 0

  get last(): number {
    return this.#last
  }

  /** Removes all events, as retention does. */
  removeAll(): void {
    this.events.length = 0
  }

  add(...events: Event[]): void {
    this.events.push(...events)
    this.#last = Number(this.events.at(-1)?.id ?? this.#last)
    this.added.emit()
  }

  async isKnown(): Promise<boolean> {
    return true
  }

  async list(): ReturnType<JournaledEvents['list']> {
    return { items: [...this.events].reverse().slice(0, 1), next_cursor: null }
  }

  follow(query: StreamQuery, signal: AbortSignal): AsyncIterable<readonly Event[]> {
    const after = Number(query.after ?? 0)
    const oldest = Number(this.events[0]?.id ?? this.#last + 1)
    if (after < oldest - 1) throw new Problem('cursor_expired', 'Retention has passed this event.')
    return this.#follow(after, signal)
  }

  async *#follow(start: number, signal: AbortSignal): AsyncGenerator<readonly Event[]> {
    let after = start
    while (!signal.aborted) {
      const next = this.events.find(({ id }) => Number(id) > after)
      if (next) {
        after = Number(next.id)
        this.read++
        yield [next]
        continue
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          stop()
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const stop = this.added.on(wake)
        signal.addEventListener('abort', wake)
      })
    }
  }
}

export const PASSWORD = 'correct horse battery'

/**
 * The real gateway behind the real HTTP server, with one equipment to which it never connects. What needs equipment is made up:
 * messages, commands, alarms, events, wires and counts.
 */
export class ServedGateway {
  readonly clock = new ManualClock()
  readonly store: MemoryStore
  readonly journal: MemoryJournal
  readonly auditJournal: MemoryJournal
  readonly users: MemoryCollection<UserRecord>
  readonly apiKeys: MemoryCollection<KeyRecord>
  readonly records: MemoryCollection<EquipmentRecord>
  ownership: Ownership

  constructor(ownership?: Ownership) {
    this.store = new MemoryStore({ clock: this.clock, ...(ownership && { ownership }) })
    this.ownership = this.store.ownership
    this.journal = this.store.journal
    this.auditJournal = this.store.audit
    this.users = this.store.records('users')
    this.apiKeys = this.store.records('keys')
    this.records = this.store.records('equipment')
  }

  get nodes(): Gateway['nodes'] {
    return new SiteNodes({ name: 'gateway-1', version: '1.2.3' }, this.ownership, () => 1, this.clock)
  }
  /** Of the real gateway, once it is served. */
  declare readonly accounts: Accounts
  declare readonly audit: Gateway['audit']
  declare readonly equipment: Gateway['equipment']
  declare readonly identities: Gateway['identities']
  declare readonly idempotency: Gateway['idempotency']
  declare readonly sinks: Gateway['sinks']
  readonly events = new MemoryEvents()
  /** What was sent, and what to answer. */
  readonly sent: unknown[] = []
  answer: (request?: KeyedRequest) => Promise<Sent> = async () => ({
    message: messageOf('1'),
    reply: messageOf('2'),
  })
  /** Of 300 mm equipment nothing is known. */
  readonly objects: Pick<Gateway['objects'], 'of'> = { of: () => new ObjectsOfEquipment() }
  ready = true
  damagedFiles = 0
  standby = false
  catchUp: Gateway['catchUp']
  position: Gateway['position']

  readonly messages: Pick<Gateway['messages'], 'list' | 'get' | 'send'> = {
    list: async () => ({ items: [messageOf('1')], next_cursor: null }),
    get: async (id) => {
      if (id !== '1') throw new Problem('message_not_found', `There is no message ${id}.`)
      return messageOf(id)
    },
    send: async (equipmentId, message, options) => {
      await this.equipment.get(equipmentId)
      this.sent.push(message)
      return { result: await this.answer(options?.request), waited: message.wait_for_reply !== false }
    },
  }

  readonly commands: Pick<Gateway['commands'], 'send'> = {
    send: async (equipmentId, command) => {
      await this.equipment.get(equipmentId)
      this.sent.push(command)
      const waited = command.wait_for_reply !== false
      const result = { ...COMMANDED, ...(!waited && NOT_KNOWN_YET), command: command.command }
      return { result, waited }
    },
  }

  handlers = exampleHandlers((id) => this.equipment.get(id))

  readonly shelving: Pick<Gateway['shelving'], 'shelve' | 'unshelve' | 'list'> = {
    shelve: async () => SHELVED,
    unshelve: async () => {},
    list: () => [SHELVED],
  }

  readonly alarms: Pick<Gateway['alarms'], 'list' | 'summary' | 'acknowledge' | 'acknowledgeAll' | 'counts'> =
    {
      counts: () => new Map([['eq_1', { active: 1, unacknowledged: 2, shelved: 0, worst: undefined }]]),
      summary: async () => ({ as_of: '9', items: [], incomplete: [] }),
      list: async () => ({ items: [ALARM], next_cursor: null, incomplete: [] }),
      acknowledge: async (id, { email }, { comment = null }) => {
        if (id !== ALARM.id) throw new Problem('alarm_not_found', `There is no alarm ${id}.`)
        return { ...ALARM, acknowledged: true, acknowledged_by: email, acknowledged_at: AT, comment }
      },
      acknowledgeAll: async (ids, { email }) =>
        ids.map((id) =>
          id === ALARM.id
            ? { id, result: 'acknowledged', alarm: { ...ALARM, acknowledged: true, acknowledged_by: email } }
            : { id, result: 'not_found', alarm: null },
        ),
    }

  /** What is emitted here passes on the wire of every equipment. */
  readonly wire = {
    wire: new Signal<WireRecord>((heard) => {
      this.watched = heard
      if (heard) this.watches++
    }),
    endpoints: undefined as Endpoints | undefined,
  }
  watched = false
  /** How often somebody has begun to watch while nobody did. */
  watches = 0
  readonly watch = new WireWatch(this.wire, this.clock)
  readonly wires = new EquipmentWires({
    observed: (id) => ({ ...this.equipment.observed(id), watch: this.watch }),
    readingOf: () => plainReading(STANDARD_CATALOGUE),
  })

  /** What was counted of every equipment. */
  counted: Traffic = NO_TRAFFIC
  readonly traffic: Pick<Gateway['traffic'], 'of' | 'all' | 'ports'> = {
    of: async (id) => {
      await this.equipment.get(id)
      return this.counted
    },
    all: async () => this.#records().map(({ name }) => ({ name, traffic: this.counted })),
    ports: { refused: { strangers: 3, surplus: 1, headers: 2, unowned: 4 }, forwardedConnections: 5 },
  }

  readonly activity: Pick<Gateway['activity'], 'journal' | 'equipment'> = {
    journal: { lag: 1500, waiting: 2, last: 40 },
    equipment: () =>
      this.#records().map(({ name }) => ({
        name,
        sent: 3,
        received: 4,
        lastReceivedAt: AT,
        outcomes: [['replied', 2] as const, ['timed_out', 1] as const],
      })),
  }

  /** A token of a user with this role, who is added the first time. */
  async tokenOf(role: Role): Promise<string> {
    const email = `${role}@example.com`
    const known = (await this.users.all()).some((user) => user.email === email)
    if (!known) await this.accounts.create({ email, name: role, role, password: PASSWORD })
    return (await this.accounts.login({ email, password: PASSWORD }, '192.0.2.1')).token
  }

  #opened: Promise<void> | undefined

  async #open(): Promise<void> {
    const { clock, store } = this
    await this.records.put(
      newEquipmentRecord('eq_1', { name: 'etcher', ip_address: '127.0.0.1', port: 5000 }, AT),
    )
    const { accounts, audit, equipment, idempotency, sinks, ...others } = await openTestGateway({
      clock,
      store,
    })
    const { journalExport, history, alarms, identities } = others
    alarms.equipmentOf = (id) => (id === ALARM.id ? ALARM.equipment_id : undefined)
    Object.assign(this, {
      accounts,
      audit,
      equipment,
      identities,
      idempotency,
      sinks,
      journalExport,
      history,
    })
    // Nothing is dialled.
    equipment.connect = async (id, seconds) => ({
      ...(await equipment.get(id)),
      connection_state: seconds > 0 ? 'SELECTED' : 'CONNECTING',
      communication_state: 'COMMUNICATING',
    })
    equipment.disconnect = (id) => equipment.get(id)
  }

  /** The server; every answer that a test is given by its `inject` is one that the OpenAPI document has. */
  async app(options: Partial<ApiOptions> = {}): Promise<FastifyInstance> {
    this.#opened ??= this.#open()
    await this.#opened
    const app = await buildApp(
      this as unknown as Gateway,
      { clock: this.clock, version: '1.2.3', ...options },
      this.handlers,
    )
    const inject = app.inject.bind(app)
    const unpacked = ({ headers, rawPayload, body }: LightMyRequestResponse): string => {
      if (headers['content-encoding'] === 'br') return brotliDecompressSync(rawPayload).toString()
      return headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload).toString() : body
    }
    const checked = async (given: InjectOptions | string): Promise<LightMyRequestResponse> => {
      const answer = await inject(given)
      const { method = 'GET', url = '' } = typeof given === 'string' ? { url: given } : given
      requireDocumented({
        method,
        url: String(url),
        status: answer.statusCode,
        header: (name) => answer.headers[name.toLowerCase()]?.toString(),
        body: unpacked(answer),
      })
      return answer
    }
    app.inject = checked as typeof app.inject
    return app
  }

  #records() {
    return this.equipment.allObserved().map(({ record }) => record)
  }
}
