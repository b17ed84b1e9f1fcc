import { expect, onTestFinished, test } from 'vitest'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'
import { BALANCER, GATEWAYS, startHaproxy } from './haproxy.js'
import { PostgresServer } from './postgres-server.js'

// Two daemons over one PostgreSQL, with HAProxy in front as docs/cluster.md has it.

const PATIENCE_MS = 90_000
const TOOLS = Array.from({ length: 6 }, (_, at) => `127.0.0.${31 + at}`)
/** As long as a daemon may get no processor on a busy machine without losing what it owns. */
const LEASE = '8s'

async function startDaemon(host: string, apiPort: number, store: readonly string[]): Promise<DaemonProcess> {
  const home = new Home()
  const address = ['--host', host, '--port', String(apiPort), '--hsms-host', host, '--node-name', host]
  const cluster = [...store, '--lease', LEASE, '--hsms-proxy', '127.0.0.1']
  const daemon = await DaemonProcess.start(home, [...address, ...cluster])
  onTestFinished(async () => {
    await daemon.end('SIGKILL')
    home.dispose()
  })
  return daemon
}

async function clientOf({ url }: DaemonProcess): Promise<PlainClient> {
  const client = new PlainClient(url)
  const { email, password } = ADMIN
  const { body } = await client.call('POST', '/auth/login', { email, password })
  client.token = body.token
  return client
}

/** How many tools answer S1F1 when this gateway is asked. */
async function answering(client: PlainClient): Promise<number> {
  const { body } = await client.call('GET', '/equipment')
  const asked = body.items.map(({ id }: { id: string }) =>
    client.call('POST', `/equipment/${id}/messages`, { stream: 1, function: 1 }),
  )
  const answers = await Promise.all(asked)
  return answers.filter(({ body: { reply } }) => reply?.data?.MDLN === 'MINIMAL').length
}

async function metric({ url }: DaemonProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  )
}

test('equipment that dials a balancer is served by whichever gateway owns it, also after one was killed', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const store = server.flags(await server.database())
  const [port, apiPort] = [await freePort(), await freePort()]
  const first = await startDaemon(GATEWAYS[0], apiPort, store)
  const second = await startDaemon(GATEWAYS[1], apiPort, store)
  const [one, two] = [await clientOf(first), await clientOf(second)]
  for (const ip_address of TOOLS) {
    const timers = { t5: 1, establish: 1 }
    const given = { name: `tool ${ip_address}`, ip_address, port, mode: 'active', timers }
    const { body } = await one.call('POST', '/equipment', given)
    expect(await one.call('POST', `/equipment/${body.id}/connect?wait=0`)).toMatchObject({ status: 202 })
  }
  // A gateway that has not read of a tool yet refuses its connection as that of a stranger.
  await until(async () => (await two.call('GET', '/equipment')).body.items.length === TOOLS.length)
  await startHaproxy(port, apiPort)
  for (const localAddress of TOOLS)
    await startSimulator({ role: 'active', host: BALANCER, port, localAddress, timers: { t5: 200 } })

  for (const client of [one, two])
    await until(async () => (await answering(client)) === TOOLS.length, PATIENCE_MS)
  const forwardedConnections = await Promise.all(
    [first, second].map((daemon) => metric(daemon, 'secsctl_hsms_forwarded_connections')),
  )
  expect(forwardedConnections.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)

  await first.end('SIGKILL')
  await until(async () => (await answering(two)) === TOOLS.length, PATIENCE_MS)
  const refused = (reason: string) =>
    metric(second, `secsctl_hsms_refused_connections_total{reason="${reason}"}`)
  const told = second
    .log()
    .split('\n')
    .filter((line) => line.includes('refused'))
  expect([await refused('proxy_header'), await refused('stranger')], told.join('\n')).toEqual([0, 0])
})
