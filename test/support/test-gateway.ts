import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ApiOptions } from '../../src/api/api-options.js'
import { buildApp } from '../../src/api/app.js'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Equipment, NewEquipment } from '../../src/contract/equipment.js'
import { Problem } from '../../src/contract/errors.js'
import type { Role } from '../../src/contract/roles.js'
import type { Alarm } from '../../src/contract/topics/alarms.js'
import type { CommandResult } from '../../src/contract/topics/commands.js'
import type { Event, StreamQuery } from '../../src/contract/topics/events.js'
import type { Message, Sent } from '../../src/contract/topics/messages.js'
import type { Traffic } from '../../src/contract/topics/traffic.js'
import { Accounts } from '../../src/gateway/accounts/accounts.js'
import type { KeyRecord } from '../../src/gateway/accounts/key-record.js'
import type { Revocation } from '../../src/gateway/accounts/revocations.js'
import type { UserRecord } from '../../src/gateway/accounts/user-record.js'
import { Audit } from '../../src/gateway/audit/audit.js'
import { EquipmentIdentities } from '../../src/gateway/equipment/equipment-identities.js'
import { EquipmentLabels } from '../../src/gateway/equipment/equipment-labels.js'
import { LockState } from '../../src/gateway/equipment/lock-state.js'
import { JournaledEvents } from '../../src/gateway/events/event-log.js'
import { KeptEntries } from '../../src/gateway/events/journal-export.js'
import { Idempotency, type KeyedRequest } from '../../src/gateway/idempotency/idempotency.js'
import { IdempotencyKeys } from '../../src/gateway/idempotency/idempotency-keys.js'
import { SiteNodes } from '../../src/gateway/nodes/site-nodes.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { memberFaults, newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { plainReading } from '../../src/gateway/records/reading.js'
import { Sinks } from '../../src/gateway/sinks/sinks.js'
import { EquipmentWires } from '../../src/gateway/wire/wire-log.js'
import { WireWatch } from '../../src/gateway/wire/wire-watch.js'
import type { Endpoints, WireRecord } from '../../src/hsms/capture/wire.js'
import { Signal } from '../../src/kit/signal.js'
import type { Ownership } from '../../src/store/ownership.js'
import { SoleOwnership } from '../../src/store/sole-ownership.js'
import { requireDocumented } from './api-document.js'
import { exampleHandlers } from './example-handlers.js'
import { ManualClock } from './manual-clock.js'
import { MemoryCollection } from './memory-collection.js'
import { MemoryJournal } from './memory-journal.js'
import { sinkParts } from './sink-parts.js'

const AT = '2026-01-01T00:00:00.000Z'

const equipmentOf = (id: string, given: NewEquipment): Equipment => ({
  ...newEquipmentRecord(id, given, AT),
  lock: null,
  node: null,
  gateway_role: 'active',
  connection_state: 'NOT_CONNECTED',
  communication_state: 'DISABLED',
  control_state: 'UNKNOWN',
  health: 'ok',
  health_reason: null,
  responsiveness: {
    last_message_at: null,
    last_reply_at: null,
    p99_ms: null,
    t3_timeouts: 0,
    t6_timeouts: 0,
  },
  connected_since: null,
  retry_at: null,
  last_error: null,
  model: null,
})

const messageOf = (id: string, equipmentId: string): Message => ({
  id,
  equipment_id: equipmentId,
  equipment_name: 'etcher',
  direction: 'sent',
  stream: 1,
  function: 1,
  name: 'S1F1 Are You There Request',
  w_bit: true,
  session_id: 0,
  system_bytes: 1,
  sent_by: null,
  data: {},
  body: null,
  sml: 'S1F1 W.',
  at: AT,
  collection_event: null,
  reply_to: null,
  outcome: 'replied',
})

const ALARM: Alarm = {
  id: '7',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  alid: '42',
  text: 'Door open',
  category: 1,
  category_text: 'Personal safety',
  active: true,
  set_at: AT,
  cleared_at: null,
  count: 1,
  acknowledged: false,
  acknowledged_by: null,
  acknowledged_at: null,
  comment: null,
}

const COMMAND_RESULT: CommandResult = {
  command: 'START',
  accepted: true,
  hcack: 0,
  hcack_text: 'Acknowledge, command has been performed',
  cmda: null,
  cmda_text: null,
  parameters: [],
  sent_by: null,
  message_id: '1',
  reply_id: '2',
  event: null,
}

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

/** Everything below the API: real accounts and idempotency, and equipment that is only a record. */
export class TestGateway {
  readonly clock = new ManualClock()
  get nodes(): Pick<Gateway['nodes'], 'list' | 'drain'> {
    return new SiteNodes({ name: 'gateway-1', version: '1.2.3' }, this.ownership, () => 1, this.clock)
  }
  ownership: Ownership = new SoleOwnership(async () => [...this.records.keys()])
  readonly journal = new MemoryJournal()
  readonly journalExport = new KeptEntries(this.journal)
  readonly users = new MemoryCollection<UserRecord>()
  readonly revocations = new MemoryCollection<Revocation>()
  readonly apiKeys = new MemoryCollection<KeyRecord>()
  readonly accounts = new Accounts({
    users: this.users,
    revocations: this.revocations,
    apiKeys: this.apiKeys,
    key: new Uint8Array(32).fill(7),
    clock: this.clock,
    passwordCost: 2,
  })
  readonly keys = new IdempotencyKeys(this.clock)
  readonly idempotency = new Idempotency(this.journal, this.keys, this.clock, () =>
    plainReading(STANDARD_CATALOGUE),
  )
  readonly attached = this.journal.attach([this.keys])
  readonly auditJournal = new MemoryJournal()
  readonly audit = new Audit({
    journal: this.auditJournal,
    clock: this.clock,
    nameOf: (id) => this.records.get(id)?.name,
    equipmentOf: async (entryId) =>
      entryId === ALARM.id ? ALARM.equipment_id : entryId === '1' ? 'eq_1' : undefined,
  })
  readonly events = new MemoryEvents()
  readonly sinks = new Sinks({
    ...sinkParts(),
    journal: this.journal,
    clock: this.clock,
    events: new JournaledEvents(this.journal, () => plainReading(STANDARD_CATALOGUE)),
    readingOf: () => plainReading(STANDARD_CATALOGUE),
    registry: { ids: [], known: () => undefined, identityOf: () => undefined },
    identities: new EquipmentIdentities(() => 1),
    ownsSite: () => true,
  })
  readonly records = new Map([
    ['eq_1', equipmentOf('eq_1', { name: 'etcher', ip_address: '127.0.0.1', port: 5000 })],
  ])
  /** Of all equipment. */
  readonly lock = new LockState(this.clock, undefined)
  /** What was sent, and what to answer. */
  readonly sent: unknown[] = []
  answer: (request?: KeyedRequest) => Promise<Sent> = async () => ({
    message: messageOf('1', 'eq_1'),
    reply: messageOf('2', 'eq_1'),
  })
  ready = true
  standby = false
  catchUp: Gateway['catchUp']

  readonly equipment: Pick<
    Gateway['equipment'],
    | 'labels'
    | 'idOf'
    | 'isRegistered'
    | 'memberFaults'
    | 'list'
    | 'get'
    | 'create'
    | 'apply'
    | 'update'
    | 'delete'
    | 'connect'
    | 'disconnect'
    | 'refuseLocked'
    | 'lock'
    | 'unlock'
  > = {
    labels: new EquipmentLabels(),
    memberFaults: (given) => memberFaults(given, { catalogue: STANDARD_CATALOGUE }),
    isRegistered: (id) => this.records.has(id),
    idOf: (name) => [...this.records.values()].find((one) => one.name === name)?.id,
    list: async () => ({ items: [...this.records.values()], next_cursor: null }),
    get: async (id) => this.#record(id),
    create: async (given) => {
      const record = equipmentOf(`eq_${this.records.size + 1}`, given)
      this.records.set(record.id, record)
      return record
    },
    apply: async (entries, { dryRun }) => ({
      dry_run: dryRun,
      changes: entries.map(({ name }) => ({
        change: 'add',
        equipment: name,
        equipment_id: null,
        members: [],
      })),
    }),
    update: async (id, change, revisions) => {
      const record = this.#record(id)
      if (revisions && !revisions.includes(String(record.revision))) {
        throw new Problem('revision_mismatch', `The record has revision ${record.revision}.`)
      }
      const updated = { ...record, name: change.name ?? record.name, revision: record.revision + 1 }
      this.records.set(id, updated)
      return updated
    },
    delete: async (id) => {
      this.#record(id)
      this.records.delete(id)
    },
    connect: async (id, seconds) => ({
      ...this.#record(id),
      connection_state: seconds > 0 ? ('SELECTED' as const) : ('CONNECTING' as const),
      communication_state: 'COMMUNICATING' as const,
    }),
    disconnect: async (id) => this.#record(id),
    refuseLocked: (id, caller) => {
      const record = this.records.get(id)
      if (record) this.lock.refuseOthers(caller, record)
    },
    lock: async (id, caller, wanted) => {
      this.lock.refuseOthers(caller, this.#record(id))
      return this.lock.hold(this.lock.wantedBy(caller, wanted))
    },
    unlock: async (id, caller, force) => {
      const record = this.#record(id)
      if (!force) this.lock.refuseOthers(caller, record)
      this.lock.release()
    },
  }

  readonly messages: Pick<Gateway['messages'], 'list' | 'get' | 'send'> = {
    list: async () => ({ items: [messageOf('1', 'eq_1')], next_cursor: null }),
    get: async (id) => {
      if (id !== '1') throw new Problem('message_not_found', `There is no message ${id}.`)
      return messageOf(id, 'eq_1')
    },
    send: async (equipmentId, message, options) => {
      this.#record(equipmentId)
      this.sent.push(message)
      return { result: await this.answer(options?.request), waited: message.wait_for_reply !== false }
    },
  }

  readonly commands: Pick<Gateway['commands'], 'send'> = {
    send: async (equipmentId, command) => {
      this.#record(equipmentId)
      this.sent.push(command)
      const waited = command.wait_for_reply !== false
      const known = waited ? COMMAND_RESULT : { ...COMMAND_RESULT, ...NOT_KNOWN_YET }
      return { result: { ...known, command: command.command }, waited }
    },
  }

  handlers = exampleHandlers((id) => this.#record(id))

  readonly alarms: Pick<Gateway['alarms'], 'list' | 'acknowledge' | 'acknowledgeAll' | 'counts'> = {
    counts: () => new Map([['eq_1', { active: 1, unacknowledged: 2 }]]),
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
    }),
    endpoints: undefined as Endpoints | undefined,
  }
  watched = false
  readonly watch = new WireWatch(this.wire, this.clock)
  readonly wires = new EquipmentWires({
    observed: (id) => ({ record: { ...this.#record(id), lock: undefined }, watch: this.watch }),
    readingOf: () => plainReading(STANDARD_CATALOGUE),
  })

  /** What was counted of every equipment. */
  counted: Traffic = NO_TRAFFIC
  readonly traffic: Pick<Gateway['traffic'], 'of' | 'all' | 'ports'> = {
    of: async (id) => {
      this.#record(id)
      return this.counted
    },
    all: () => [...this.records.values()].map(({ name }) => ({ name, traffic: this.counted })),
    ports: { refused: { strangers: 3, surplus: 1, headers: 2, unowned: 4 }, forwardedConnections: 5 },
  }

  readonly activity: Pick<Gateway['activity'], 'journal' | 'equipment'> = {
    journal: { lag: 1500, waiting: 2, last: 40 },
    equipment: () =>
      [...this.records.values()].map(({ name }) => ({
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

  /** The server; every answer that a test is given by its `inject` is one that the OpenAPI document has. */
  async app(options: Partial<ApiOptions> = {}): Promise<FastifyInstance> {
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

  #record(id: string): Equipment {
    const record = this.records.get(id)
    if (!record) throw new Problem('equipment_not_found', `There is no equipment ${id}.`)
    return record
  }
}
