import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { BALANCER, GATEWAYS, startHaproxy } from './haproxy.js'

// The configuration of docs/cluster.md in front of a real daemon.
const [GATEWAY] = GATEWAYS
const EQUIPMENT = '127.0.0.7'
const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(args)
let port: number
let apiPort: number

beforeAll(async () => {
  port = await freePort()
  apiPort = await freePort()
  const api = ['--host', GATEWAY, '--port', String(apiPort)]
  const flags = [...api, '--hsms-host', GATEWAY, '--hsms-proxy', '127.0.0.1']
  expect(await run('daemon', 'start', ...flags)).toMatchObject({ code: 0 })
  return async () => {
    await run('daemon', 'stop')
    secsctl.remove()
  }
})

/** Equipment that dials the balancer. */
const dialIn = () => startSimulator({ role: 'active', host: BALANCER, port, localAddress: EQUIPMENT })

async function refusedHeaders(): Promise<number> {
  const { url } = JSON.parse((await run('daemon', 'status', '--json')).stdout)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/reason="proxy_header"\} (\d+)/.exec(metrics)?.[1])
}

test('equipment behind HAProxy is known by its own address', async () => {
  await run('equipment', 'add', 'etcher', '--address', `${EQUIPMENT}:${port}`, '--mode', 'active')
  await run('equipment', 'connect', 'etcher', '--wait', '0s')
  const log = await startHaproxy(port, apiPort)
  // There is no second gateway here.
  await until(() => log().includes('gateway-2 is DOWN'))
  await dialIn()
  expect(await run('equipment', 'wait', 'etcher', '--for', 'communicating')).toMatchObject({ code: 0 })
  expect((await run('send', 'etcher', 'S1F1')).stdout).toContain('MINIMAL')
  expect(log()).not.toContain('gateway-1 is DOWN')
  expect(await refusedHeaders()).toBe(0)
})

test('without send-proxy-v2 nothing gets through, and the log says why', async () => {
  await startHaproxy(port, apiPort, (text) => text.replace('send-proxy-v2 ', ''))
  await dialIn()
  await until(async () => (await refusedHeaders()) > 0)
  const { stdout } = await run('equipment', 'show', 'etcher', '--json')
  expect(JSON.parse(stdout).connection_state).toBe('LISTENING')
  expect((await run('daemon', 'logs')).stdout).toContain(
    'does not begin with a PROXY protocol header of version 2',
  )
})

test('a check of the HSMS port with the header is no connection of equipment', async () => {
  const log = await startHaproxy(port, apiPort, (text) =>
    text.replace(/^ *option httpchk.*$/m, '').replace(`port ${apiPort}`, `port ${port} check-send-proxy`),
  )
  await until(() => log().includes('gateway-2 is DOWN'))
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(log()).not.toContain('gateway-1 is DOWN')
  const refused = await refusedHeaders()
  await dialIn()
  expect(await run('equipment', 'wait', 'etcher', '--for', 'communicating')).toMatchObject({ code: 0 })
  expect(await refusedHeaders()).toBe(refused)
})
