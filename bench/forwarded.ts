// A call that another daemon carries out, beside one at the daemon that drives the equipment:
// `npm run bench:forwarded -- [--rounds 7] [--seconds 2]`. Two daemons over one PostgreSQL, one piece of equipment;
// S1F1 with its reply, with 1 and 32 callers, at both daemons in turns.
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { endpoints } from '../src/contract/endpoints.js'
import { systemClock as clock } from '../src/kit/clock.js'
import { shippedModel } from '../src/simulator/shipped-models.js'
import { Simulator } from '../src/simulator/simulator.js'
import { ClusterDaemon } from '../stress/cluster/cluster-daemon.js'
import { freePort } from '../test/support/free-port.js'
import { until } from '../test/support/until.js'
import { PostgresServer } from '../test/system/postgres-server.js'
import { type Answered, ask } from './api-load.js'
import { benchFolder } from './open-bench.js'
import { median } from './rate.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '2' } },
})
const CLIENTS = [1, 32]
const LEASE_SECONDS = 15
const MESSAGE = '{"stream":1,"function":1,"data":{}}'

/** The daemon that drives the equipment, and the other one. */
async function placed(
  daemons: readonly ClusterDaemon[],
  port: number,
): Promise<readonly [string, ClusterDaemon, ClusterDaemon]> {
  const [one, other] = daemons as [ClusterDaemon, ClusterDaemon]
  for (const daemon of daemons) await daemon.start()
  const client = await one.client()
  await other.client()
  const body = { name: 'etcher', ip_address: '127.0.0.1', port }
  const { id } = await client.call(endpoints.createEquipment, { body })
  await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } })
  const read = () => client.call(endpoints.getEquipment, { params: { id } })
  await until(async () => (await read()).communication_state === 'COMMUNICATING', 60_000)
  return (await read()).node === one.name ? [id, one, other] : [id, other, one]
}

const folder = benchFolder()
const server = await PostgresServer.start()
const model = shippedModel('minimal')
if (!model) throw new Error('there is no such model')
const tool = new Simulator(model, { role: 'passive', host: '127.0.0.1', port: 0 }, { clock })
const database = await server.database()
const shared = { folder, databasePort: server.port, database, leaseSeconds: LEASE_SECONDS }
const daemons = await Promise.all(
  ['n1', 'n2'].map(async (name) => ClusterDaemon.make(name, await freePort(), shared)),
)
try {
  await tool.start()
  const [id, driver, other] = await placed(daemons, tool.port)
  const look = (daemon: ClusterDaemon, clients: number, milliseconds: number): Promise<Answered> => {
    const head = `POST /api/v1/equipment/${id}/messages HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nAuthorization: Bearer ${daemon.token}\r\n`
    const request = `${head}Content-Type: application/json\r\nContent-Length: ${MESSAGE.length}\r\n\r\n${MESSAGE}`
    return ask({ port: daemon.port, request, clients, milliseconds })
  }
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`,
  )
  console.log('clients   direct/s  median ms  forwarded/s  median ms   time of one, forwarded × direct')
  for (const clients of CLIENTS) {
    const seen: [Answered, Answered][] = []
    for (let round = 0; round <= Number(values.rounds); round++) {
      const milliseconds = Number(values.seconds) * 1000
      const pair: [Answered, Answered] = [
        await look(driver, clients, milliseconds),
        await look(other, clients, milliseconds),
      ]
      if (round > 0) seen.push(pair)
    }
    const of = (at: 0 | 1, part: 'perSecond' | 'median'): string =>
      median(seen.map((pair) => pair[at][part])).toFixed(1)
    const times = median(seen.map(([direct, forwarded]) => forwarded.median / direct.median))
    console.log(
      `${String(clients).padEnd(7)}${of(0, 'perSecond').padStart(11)}${of(0, 'median').padStart(11)}${of(1, 'perSecond').padStart(13)}${of(1, 'median').padStart(11)}   ${times.toFixed(2)}`,
    )
  }
} finally {
  await tool.stop()
  for (const daemon of daemons) {
    await daemon.end('SIGKILL')
    await daemon.proxy.close()
  }
  await server.remove()
}
process.exit()
