import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import type { PlainBody, PlainClient } from '../support/plain-client.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

const TOOLS = 30
const PATIENCE_MS = 90_000
const LEASE_S = 30

interface Pause {
  readonly from: number
  readonly to: number
}

/** A tool that reports all the time, and knows when no gateway communicated with it. */
class ReportingTool {
  readonly equipment = ScriptedEquipment.listen()
  /** When a connection ended, and when the next one communicated. */
  pauses: Pause[] = []
  #endedAt: number | undefined
  #isUp = false

  get isUp(): boolean {
    return this.#isUp
  }

  /** Registers it; it is connected in the background. */
  async register(client: PlainClient, name: string): Promise<void> {
    const equipment = await this.equipment
    const take = equipment.take.bind(equipment)
    equipment.take = (socket) => {
      socket.on('close', () => this.#ended())
      take(socket)
    }
    equipment.commack = undefined
    equipment.reply = ({ stream, function: fn }) => {
      if (stream !== 1 || fn !== 13) return undefined
      this.#began()
      return { function: 14, item: L(B(0), L(A('TOOL'), A('1'))) }
    }
    const address = { ip_address: '127.0.0.1', port: equipment.port }
    const { body } = await client.post('/equipment', { name, ...address, gem_startup: false })
    expect((await client.post(`/equipment/${body.id}/connect?wait=0`)).status).toBe(202)
    const timer = setInterval(() => this.#isUp && equipment.send(6, 11, L(U4(1), U4(1), L())), 50)
    onTestFinished(() => clearInterval(timer))
  }

  #ended(): void {
    this.#isUp = false
    this.#endedAt = performance.now()
  }

  #began(): void {
    this.#isUp = true
    if (this.#endedAt !== undefined) this.pauses.push({ from: this.#endedAt, to: performance.now() })
    this.#endedAt = undefined
  }
}

/** Notes in the database of daemons at `url`, after each change, how many tools have no owner. */
const noteUnowned = (url: string): Promise<unknown> =>
  server.sql(
    url,
    `CREATE TABLE noted (unowned bigint);
     CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO noted SELECT count(*) FROM lease WHERE owner IS NULL AND key <> 'site'; RETURN NULL; END $$;
     CREATE TRIGGER note AFTER UPDATE ON lease FOR EACH STATEMENT EXECUTE FUNCTION note()`,
  )

const nodesOf = async (client: PlainClient): Promise<readonly PlainBody[]> =>
  (await client.get('/nodes')).body.items

test('a daemon that joins gets its share and one that drains gives all, a few tools at a time, each for a moment', async () => {
  const url = await server.database()
  const store = server.flags(url)
  const first = await NodeProcess.start('gateway-1', store, `${LEASE_S}s`)
  const tools = Array.from({ length: TOOLS }, () => new ReportingTool())
  for (const [n, tool] of tools.entries()) await tool.register(first.client, `tool-${n}`)
  const allUp = (): Promise<unknown> => until(() => tools.every(({ isUp }) => isUp), PATIENCE_MS)
  await allUp()
  await noteUnowned(url)

  /** Waits until the second daemon has so many tools, and looks at what moved meanwhile. */
  const moved = async (count: number): Promise<void> => {
    const has = async (): Promise<boolean> =>
      (await nodesOf(first.client)).some(({ name, equipment }) => name === 'gateway-2' && equipment === count)
    await until(has, PATIENCE_MS)
    await allUp()
    const pauses = tools.flatMap((tool) => tool.pauses.splice(0))
    const longest = Math.max(...pauses.map(({ from, to }) => to - from))
    expect(pauses).toHaveLength(TOOLS / 2)
    // Four are given at a time, the next ones as soon as these have an owner, which then connects: no lease has to end.
    expect(longest).toBeLessThan(LEASE_S * 500)
    expect(await server.sql(url, 'SELECT max(unowned) FROM noted')).toBe('4')
  }
  const second = await NodeProcess.start('gateway-2', store, `${LEASE_S}s`)
  await moved(TOOLS / 2)
  expect((await first.client.post('/nodes/gateway-2/drain')).status).toBe(200)
  await moved(0)
  const drained = (await nodesOf(first.client)).find(({ name }) => name === 'gateway-2')
  expect(drained).toMatchObject({ draining: true, has_site_duties: false, alive: true })

  // It forwards calls, and its end costs no tool anything.
  const [{ id }] = (await second.client.get('/equipment?limit=1')).body.items
  await until(async () => (await second.client.get(`/equipment/${id}/traffic`)).status === 200, PATIENCE_MS)
  expect(await second.daemon.end('SIGTERM')).toBe(0)
  expect(tools.flatMap(({ pauses }) => pauses)).toEqual([])
})
