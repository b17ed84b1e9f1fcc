import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/api/app.js'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { BASE_PATH } from '../../src/contract/endpoints.js'
import type { Role } from '../../src/contract/roles.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { RecordedMessage } from '../../src/gateway/records/recorded-message.js'
import { firstState } from '../../src/gem300/object-states.js'
import { systemClock } from '../../src/kit/clock.js'
import { EntryNumber } from '../../src/store/entry.js'
import { ADA, TIMERS } from '../support/live-gateway.js'
import { MemoryStore } from '../support/memory-store.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { PARAMS } from './example-path.js'

export const PASSWORD = 'correct horse battery'

const HEADER = { sessionId: 0, stream: 1, function: 1, wait: false, systemBytes: 1, body: new Uint8Array() }

/** A gateway and its server, with equipment in two areas: `inside` is in etch, `outside` in litho. */
export class RestrictedSite {
  inside = ''
  outside = ''
  /** Ids of a message and an alarm of the equipment outside; those of the equipment inside are two less. */
  message = ''
  alarm = ''

  private constructor(
    readonly store: MemoryStore,
    readonly gateway: Gateway,
    readonly app: FastifyInstance,
  ) {}

  static async open(): Promise<RestrictedSite> {
    const store = new MemoryStore()
    const gateway = await openTestGateway({ store })
    const app = await buildApp(gateway, { clock: systemClock, version: '1.2.3' })
    const site = new RestrictedSite(store, gateway, app)
    await site.renew()
    return site
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.gateway.close()
  }

  get journal(): MemoryStore['journal'] {
    return this.store.journal
  }

  /** Other equipment in the place of all that there is. */
  async renew(): Promise<void> {
    const { equipment, alarms } = this.gateway
    for (const { id } of (await equipment.list({})).items) await equipment.delete(id)
    const add = async (number: number, area: string): Promise<string> => {
      const given = { name: `tool ${number}`, ip_address: LOOPBACK, port: number, gem_startup: false }
      return (await equipment.create({ ...given, labels: { area }, timers: TIMERS })).id
    }
    this.inside = await add(1, 'etch')
    this.outside = await add(2, 'litho')
    for (const id of [this.inside, this.outside]) {
      const at = new Date().toISOString()
      const received = new RecordedMessage({ direction: 'received', equipmentId: id }, HEADER)
      const report = { alcd: 0x84, alid: '7', text: 'Hot' }
      const sent = await this.journal.append(received.entry(at))
      const set = await this.journal.append(alarms.entryFor(id, report, new EntryNumber(0), at))
      this.message = String(sent.seq)
      this.alarm = String(set.seq)
    }
    const shelf = { for_seconds: 600, reason: 'test' }
    for (const id of [this.inside, this.outside]) await this.gateway.shelving.shelve(id, '9', ADA, shelf)
    const told = (['carrier', 'job', 'substrate'] as const).map((kind) => ({
      ...{ kind, id: 'x' },
      states: { [firstState(kind)]: 'unknown (9)' },
    }))
    const telling = { messageId: '1', at: new Date().toISOString() }
    for (const id of [this.inside, this.outside]) await this.gateway.objects.tell(id, told, telling)
  }

  /** A token of a user with this role and selector, who is added the first time. */
  async tokenOf(role: Role, label_selector: string | null): Promise<string> {
    const { accounts } = this.gateway
    const email = `${role}-${label_selector?.replace('=', '-') ?? 'all'}@example.com`
    const known = (await accounts.list({ limit: 1000 })).items.some((user) => user.email === email)
    if (!known) await accounts.create({ email, name: role, role, label_selector, password: PASSWORD })
    return (await accounts.login({ email, password: PASSWORD }, '192.0.2.1')).token
  }

  call(endpoint: AnyEndpoint, token: string, id: string, body = endpoint.examples.body) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'id' ? id : (PARAMS[name] ?? 'x'),
    )
    return this.app.inject({
      method: endpoint.method,
      // Nothing is waited for.
      url: `${BASE_PATH}${path}${endpoint.path.endsWith('/connect') ? '?wait=0' : ''}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && endpoint.method !== 'GET' && { payload: body as object }),
    })
  }
}
