// Event reports to daemons over one PostgreSQL, beside one daemon on files:
// `npm run bench:cluster-daemons -- [--rate 2000] [--tools 300] [--seconds 20] [--daemons 1,2,3]`.
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { connectFleet, fleetLine } from '../src/cli/simulator/fleet.js'
import { GatewayClient } from '../src/client/client.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import type { FleetOptions } from '../src/simulator/fleet-member.js'
import { ClusterDaemon } from '../stress/cluster/cluster-daemon.js'
import { FleetProcess, serveFleet } from '../stress/soak-fleet.js'
import { freePort } from '../test/support/free-port.js'
import { PostgresServer } from '../test/system/postgres-server.js'
import { benchFolder } from './open-bench.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '2000' },
    tools: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '20' },
    daemons: { type: 'string', default: '1,2,3' },
  },
})
const LEASE_SECONDS = 5
/** Until a new daemon has its share of the equipment, and latencies count. */
const SETTLE_MS = 15_000

async function measure(count: number, server: PostgresServer | undefined): Promise<void> {
  const folder = benchFolder()
  const database = server && (await server.database())
  const shared = { folder, databasePort: server?.port ?? 0, database, leaseSeconds: LEASE_SECONDS }
  const daemons = await Promise.all(
    Array.from({ length: count }, async (_, at) => ClusterDaemon.make(`n${at}`, await freePort(), shared)),
  )
  const options: FleetOptions = {
    count: Number(values.tools),
    name: 'etcher',
    role: 'passive',
    host: '127.0.0.1',
    port: 0,
    rate: Number(values.rate),
    seed: 1,
    deviceId: 0,
  }
  const fleet = new FleetProcess(process.argv[1] ?? '', options)
  try {
    for (const daemon of daemons) await daemon.start()
    await fleet.tell('start')
    // Without a timeout: equipment that moves to a daemon that has just come is asked for again.
    const { url, token } = (await (daemons[0] as ClusterDaemon).client()).options
    await connectFleet(new GatewayClient({ url, token }), await fleet.tell('members'))
    await delay(clock, SETTLE_MS)
    await fleet.tell('report')
    await delay(clock, SETTLE_MS)
    await fleet.tell('warm')
    const busy = daemons.map(({ processor }) => processor)
    await delay(clock, Number(values.seconds) * 1000)
    const figures = await fleet.tell('figures')
    const cost = daemons.map(({ processor }, at) =>
      Math.round(((processor - (busy[at] ?? 0)) / Number(values.seconds)) * 100),
    )
    const title =
      database === undefined
        ? 'files, 1 daemon'
        : `PostgreSQL, ${count} ${count === 1 ? 'daemon' : 'daemons'}`
    console.log(`${title.padEnd(24)} ${fleetLine(figures)}`)
    console.log(
      `${''.padEnd(24)} processor ${cost.join(' + ')} %, memory ${daemons.map(({ memory }) => memory.toFixed(0)).join(' + ')} MiB, load ${loadavg()[0]?.toFixed(1)}`,
    )
    await fleet.tell('quiet')
  } catch (error) {
    for (const { name, told } of daemons) console.error(`${name} said last:\n${told}`)
    throw error
  } finally {
    fleet.end()
    for (const daemon of daemons) {
      await daemon.end('SIGKILL')
      await daemon.proxy.close()
    }
  }
}

const [role, given] = positionals
if (role === 'fleet') await serveFleet(JSON.parse(given ?? '') as FleetOptions)
else {
  const server = await PostgresServer.start({ max_connections: '300' })
  try {
    console.log(
      `${values.rate} S6F11/s from ${values.tools} tools; ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
    )
    await measure(1, undefined)
    for (const count of values.daemons.split(',')) await measure(Number(count), server)
  } finally {
    await server.remove()
  }
  process.exit()
}
