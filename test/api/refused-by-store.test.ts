import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/api/app.js'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../src/contract/endpoints.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Json, JsonObject } from '../../src/kit/text/json.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import type { Ownership } from '../../src/store/ownership.js'
import { Site } from '../gateway/shared-ownership.js'
import { TIMERS } from '../support/live-gateway.js'
import { MemoryCollection, MemoryJournal, MemoryStore } from '../support/memory-store.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'

const PASSWORD = 'correct horse battery'

/** How many more writes the store takes before it fails. */
class Gate {
  left = Number.POSITIVE_INFINITY
  hasFailed = false

  pass(): void {
    if (this.left > 0) this.left -= 1
    else {
      this.hasFailed = true
      throw new StoreUnavailable('made up')
    }
  }
}

class GatedJournal extends MemoryJournal {
  constructor(
    private readonly gate: Gate,
    kept: readonly Entry[] = [],
  ) {
    super()
    this.entries.push(...kept)
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    await Promise.resolve()
    this.gate.pass()
    return super.appendAll(entries)
  }
}

class GatedCollection extends MemoryCollection<{ readonly id: string }> {
  constructor(private readonly gate: Gate) {
    super()
  }

  override async put(record: { readonly id: string }): Promise<void> {
    await Promise.resolve()
    this.gate.pass()
    return super.put(record)
  }

  override async delete(...ids: readonly string[]): Promise<boolean> {
    await Promise.resolve()
    this.gate.pass()
    return super.delete(...ids)
  }
}

/** A store whose writes fail when the test says so. */
class FailingStore extends MemoryStore {
  override readonly audit: GatedJournal

  constructor(
    readonly gate = new Gate(),
    kept?: FailingStore,
    ownership?: Ownership,
  ) {
    super({ journal: new GatedJournal(gate, kept?.journal.entries), ...(ownership && { ownership }) })
    this.audit = new GatedJournal(gate, kept?.audit.entries)
  }

  protected override makeCollection(): GatedCollection {
    return new GatedCollection(this.gate)
  }

  /** What a process finds that opens the store now, while this one owns everything. */
  async copy(): Promise<FailingStore> {
    const copy = new FailingStore(new Gate(), this, new Site().join(LOOPBACK))
    for (const name of this.collections.keys())
      for (const record of await this.records(name).all())
        await copy.records(name).put(structuredClone(record))
    return copy
  }
}

/** What follows from the session, or from time, and is not stored. */
const LIVE = new Set([
  ...['connection_state', 'communication_state', 'control_state', 'health', 'health_reason', 'node', 'lag'],
  ...['responsiveness', 'connected_since', 'retry_at', 'last_error', 'model', 'last_used_at', 'state'],
  ...['checked_at', 'at', 'started_at', 'delivered', 'pending', 'sinks', 'request_id'],
])

function stored(value: Json): Json {
  if (Array.isArray(value)) return value.map(stored)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value as JsonObject).filter(([name]) => !LIVE.has(name))
  return Object.fromEntries(members.map(([name, one]) => [name, stored(one)]))
}

/** Lists of what is stored; the audit records calls that fail, too, and messages are only appended. */
const LISTS = ['/equipment', '/alarms', '/users', '/keys'] as const

/** What the API shows of what is stored. */
async function shown(app: FastifyInstance, token: string, ids: readonly string[]): Promise<JsonObject> {
  const all: Record<string, Json> = {}
  for (const path of [...LISTS, ...ids.map((id) => `/equipment/${id}/reports`)]) {
    const answer = await app.inject({ url: BASE_PATH + path, headers: { authorization: `Bearer ${token}` } })
    all[path] = [answer.statusCode, stored(answer.json() as Json)]
  }
  return all
}

async function world() {
  const store = new FailingStore()
  const gateway = await openTestGateway({ store })
  const app = await buildApp(gateway, { clock: systemClock, version: '1.2.3' })
  const tool = await ScriptedEquipment.listen()
  // Accepts what is acknowledged by a code.
  tool.reply = ({ function: fn }) => ({ function: fn + 1, item: B(0) })
  onTestFinished(async () => {
    store.gate.left = Number.POSITIVE_INFINITY
    await app.close()
    await gateway.close()
  })
  const { accounts, equipment } = gateway
  await accounts.firstAdmin('ada@fab.example', PASSWORD)
  const login = await accounts.login({ email: 'ada@fab.example', password: PASSWORD }, LOOPBACK)
  const admin = await accounts.authenticate(login.token)
  const bob = await accounts.create({
    email: 'bob@fab.example',
    name: 'Bob',
    role: 'viewer',
    password: PASSWORD,
  })
  const key = await accounts.keys.create(
    { name: 'mes', role: 'viewer', label_selector: null, expires_at: null },
    admin,
  )
  const at = { name: 'etcher', ip_address: LOOPBACK, port: tool.port, gem_startup: false, timers: TIMERS }
  const { id } = await equipment.create(at)
  await equipment.connect(id, 30)
  tool.send(5, 1, L(B(0x81), U4(7), A('door')))
  await until(() => gateway.alarms.occurrences.active().length === 1)
  const alarm = String(gateway.alarms.occurrences.active()[0]?.id)
  return {
    store,
    gateway,
    app,
    tool,
    login,
    ids: { equipment: id, users: bob.id, keys: key.id, alarms: alarm },
  }
}

/** Sinks have tests of their own; what answers only by equipment changes nothing that is stored but by its message. */
const rows = Object.entries(endpoints as Readonly<Record<string, AnyEndpoint>>).filter(
  ([, { method, path }]) => method !== 'GET' && !path.startsWith('/sinks'),
)

const BODIES: Readonly<Record<string, JsonObject>> = {
  login: { email: 'bob@fab.example', password: PASSWORD },
  changeOwnPassword: { current_password: PASSWORD, new_password: `${PASSWORD} 2` },
  createEquipment: { name: 'new', ip_address: LOOPBACK, port: 5000 },
  updateEquipment: { name: 'renamed', labels: { bay: '4' } },
}

/** Fails the store at the first write, then at the second, and so on, until the call succeeds or needs no more. */
const MOST_WRITES = 24

describe('a call that the store refuses', () => {
  test.each(rows)('%s leaves what the API shows as it is stored', async (name, row) => {
    const { store, gateway, app, login, ids } = await world()
    const [, topic = ''] = row.path.split('/')
    const path = row.path
      .replace('{id}', (ids as Readonly<Record<string, string>>)[topic] ?? '')
      .replace('{ppid}', 'RECIPE-1')
      .replace('{trid}', '1')
    const given = name === 'acknowledgeAlarms' ? { ids: [ids.alarms] } : (BODIES[name] ?? row.examples.body)
    if (name === 'unlockEquipment')
      await gateway.equipment.lock(ids.equipment, login.user, { for_seconds: 600, reason: 'pump' })
    let isAlive = true
    for (let writes = 0; writes < MOST_WRITES && isAlive; writes++) {
      const isConnected = () => gateway.equipment.known(ids.equipment)?.connection_state === 'SELECTED'
      const wasConnected = isConnected()
      store.gate.hasFailed = false
      store.gate.left = writes
      const answer = await app.inject({
        method: row.method,
        url: `${BASE_PATH}${path}?${row.path.endsWith('/messages') ? '' : 'reason=test'}`,
        headers: { authorization: `Bearer ${login.token}`, 'content-type': 'application/json' },
        ...(given !== undefined && { payload: JSON.stringify(given) }),
      })
      const isRefused = answer.statusCode === 503
      if (store.gate.left > 0 || !isRefused) isAlive = isRefused
      store.gate.left = Number.POSITIVE_INFINITY
      const fresh = await openTestGateway({ store: await store.copy() })
      const again = await buildApp(fresh, { clock: systemClock, version: '1.2.3' })
      const token = (
        await gateway.accounts
          .login({ email: 'ada@fab.example', password: PASSWORD }, LOOPBACK)
          .catch(() =>
            gateway.accounts.login({ email: 'ada@fab.example', password: `${PASSWORD} 2` }, LOOPBACK),
          )
      ).token
      const label = `${answer.statusCode} after ${writes} writes`
      expect([label, await shown(app, token, [ids.equipment])]).toEqual([
        label,
        await shown(again, token, [ids.equipment]),
      ])
      await again.close()
      await fresh.close()
      const known = gateway.equipment.known(ids.equipment)
      if (known?.enabled) expect([label, isConnected()]).toEqual([label, wasConnected])
    }
    expect(isAlive).toBe(false)
  })
})
