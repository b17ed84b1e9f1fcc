import { expect, onTestFinished, test } from 'vitest'
import { delay, systemClock } from '../../src/kit/clock.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'
import { DatabaseProxy } from '../../stress/cluster/cluster-proxy.js'
import type { PlainBody, PlainClient } from '../support/plain-client.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer } from './postgres-server.js'

const PATIENCE_MS = 90_000
const ALARM_EVERY_MS = 20

/** Sets one alarm after the other, and knows which were acknowledged to it. */
class AlarmTool {
  readonly #sent = new Map<number, number>()
  #alid = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(
    readonly equipment: ScriptedEquipment,
    readonly id: string,
  ) {}

  static async start(client: PlainClient, name: string): Promise<AlarmTool> {
    const equipment = await ScriptedEquipment.listen()
    const timers = { t5: 1, t6: 2, establish: 1 }
    const address = { ip_address: '127.0.0.1', port: equipment.port }
    const { body } = await client.post('/equipment', { name, ...address, gem_startup: false, timers })
    expect((await client.post(`/equipment/${body.id}/connect?wait=60`)).status).toBe(200)
    const tool = new AlarmTool(equipment, body.id)
    tool.#timer = setInterval(() => tool.#report(), ALARM_EVERY_MS)
    onTestFinished(() => tool.stop())
    return tool
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #report(): void {
    this.#alid += 1
    const systemBytes = this.equipment.send(5, 1, L(B(0x84), U4(this.#alid), A(`alarm ${this.#alid}`)))
    this.#sent.set(systemBytes, this.#alid)
  }

  /** Those that were acknowledged, as their equipment and ALID. */
  get acknowledged(): readonly string[] {
    return this.equipment.received
      .filter(({ stream, function: fn }) => stream === 5 && fn === 2)
      .map(({ systemBytes }) => `${this.id} ${this.#sent.get(systemBytes)}`)
  }
}

async function alarmsOf(client: PlainClient): Promise<readonly string[]> {
  const alarms: PlainBody[] = []
  let cursor: string | null = null
  do {
    const paging: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await client.get(`/alarms?limit=1000${paging}`)
    alarms.push(...body.items)
    cursor = body.next_cursor
  } while (cursor !== null)
  return alarms.map(({ equipment_id, alid }) => `${equipment_id} ${alid}`).sort()
}

/** The alarms that the journal has, as its export shows them. */
async function journalOf({ url, token }: PlainClient): Promise<readonly string[]> {
  const response = await fetch(`${url}/api/v1/journal/export?type=alarm`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines
    .map((line): PlainBody => JSON.parse(line))
    .filter(({ name }) => name === 'alarm_set')
    .map(({ key, data }) => `${key} ${data.alid}`)
    .sort()
}

test.each([1, 2])(
  'a failover to a standby that is behind ends daemons at work (%i), and they go on with what it has',
  async (count) => {
    const primary = await PostgresServer.start()
    onTestFinished(() => primary.remove())
    const url = new URL(await primary.database())
    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    // The address that moves with the primary.
    const address = await DatabaseProxy.start(primary.port)
    onTestFinished(() => address.close())
    url.port = String(address.port)
    const nodes: NodeProcess[] = []
    for (let n = 1; n <= count; n++)
      nodes.push(await NodeProcess.start(`gateway-${n}`, primary.flags(String(url))))
    const [first] = nodes as [NodeProcess]
    const tools: AlarmTool[] = []
    for (const name of ['a', 'b', 'c', 'd']) tools.push(await AlarmTool.start(first.client, name))
    const acknowledged = (): string[] => tools.flatMap((tool) => tool.acknowledged)
    const more = async (than: number): Promise<string[]> => {
      await until(() => acknowledged().length > than + 200, PATIENCE_MS)
      return acknowledged()
    }
    const safe = await more(0)
    await primary.caughtUp()
    await standby.holdBack()
    await more(acknowledged().length)
    const newest = async ({ client }: NodeProcess): Promise<number> =>
      Number((await client.get('/events?limit=1')).body.items[0].id)
    const seen = await newest(first)
    await primary.kill()
    // What it had committed is acknowledged by then, and nothing else is.
    for (const { client } of nodes)
      await until(async () => (await fetch(`${client.url}/readyz`)).status === 503, PATIENCE_MS)
    const before = await until(async () => {
      const [some, later] = [acknowledged(), delay(systemClock, 1000).then(acknowledged)]
      return (await later).length === some.length && some
    }, PATIENCE_MS)
    await standby.promote()
    address.databasePort = standby.port

    for (const node of nodes) {
      expect(await node.ended()).toBe(1)
      expect(node.daemon.log()).toMatch(/was read before|of the (journal|audit) (is|are) gone/)
    }
    expect(acknowledged()).toEqual(before)
    await Promise.all(nodes.map((node) => node.start()))
    await more(before.length)
    for (const tool of tools) tool.stop()
    // Also once more has been recorded than they had seen, nobody goes on after what is lost.
    await until(async () => (await newest(first)) > seen, PATIENCE_MS)
    for (const { client } of nodes) {
      const { status, body } = await client.get(`/events/stream?after=${seen}`)
      expect([status, body.code]).toEqual([400, 'invalid_cursor'])
      const shown = await until(async () => {
        const [alarms, recorded] = [await alarmsOf(client), await journalOf(client)]
        return String(alarms) === String(recorded) && new Set(alarms)
      }, PATIENCE_MS)
      const known = new Set(before)
      const after = acknowledged().filter((alarm) => !known.has(alarm))
      expect(after.filter((alarm) => !shown.has(alarm))).toEqual([])
      // Or there was nothing to notice.
      expect(before.some((alarm) => !shown.has(alarm))).toBe(true)
      expect(safe.filter((alarm) => !shown.has(alarm))).toEqual([])
    }
  },
)
