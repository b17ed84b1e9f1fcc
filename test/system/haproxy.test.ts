import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

// The configuration of docs/cluster.md in front of a real daemon. Only its addresses and ports are others.
const [, PAGE_CONFIGURATION = ''] =
  /^```haproxy\n([\s\S]*?)^```$/m.exec(readFileSync('docs/cluster.md', 'utf8')) ?? []
const BALANCER = '127.0.0.100'
const GATEWAY = '127.0.0.11'
const EQUIPMENT = '127.0.0.7'
const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(args)
let port: number

beforeAll(async () => {
  port = await freePort()
  const flags = ['--port', '0', '--hsms-host', GATEWAY, '--hsms-proxy', '127.0.0.1']
  expect(await run('daemon', 'start', ...flags)).toMatchObject({ code: 0 })
  return async () => {
    await run('daemon', 'stop')
    secsctl.remove()
  }
})

/** HAProxy with the configuration of the page; `change` makes mistakes in it. */
async function startHaproxy(
  change: (configuration: string) => string = (text) => text,
): Promise<() => string> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const configuration = PAGE_CONFIGURATION.replaceAll('10.1.0.100:5000-5019', `${BALANCER}:${port}`)
    .replaceAll('port 5000', `port ${port}`)
    .replaceAll('10.1.0.', '127.0.0.')
  writeFileSync(file, change(configuration))
  let log = ''
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'pipe' })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  // There is no second gateway here, and the first one is up.
  await until(() => log.includes('gateway-2 is DOWN'))
  return () => log
}

/** Equipment that dials the balancer. */
const dialIn = () => startSimulator({ role: 'active', host: BALANCER, port, localAddress: EQUIPMENT })

async function refusedHeaders(): Promise<number> {
  const { url } = JSON.parse((await run('daemon', 'status', '--json')).stdout)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/reason="proxy_header"\} (\d+)/.exec(metrics)?.[1])
}

test('equipment behind HAProxy is known by its own address, and its checks are no connections', async () => {
  await run('equipment', 'add', 'etcher', '--address', `${EQUIPMENT}:${port}`, '--mode', 'active')
  await run('equipment', 'connect', 'etcher', '--wait', '0s')
  const log = await startHaproxy()
  await dialIn()
  expect(await run('equipment', 'wait', 'etcher', '--for', 'communicating')).toMatchObject({ code: 0 })
  expect((await run('send', 'etcher', 'S1F1')).stdout).toContain('MINIMAL')
  expect(log()).not.toContain('gateway-1 is DOWN')
  expect(await refusedHeaders()).toBe(0)
})

test('without send-proxy-v2 nothing gets through, and the log says why', async () => {
  await startHaproxy((text) => text.replace('send-proxy-v2 check', 'check').replace('check-send-proxy ', ''))
  await dialIn()
  await until(async () => (await refusedHeaders()) > 0)
  const { stdout } = await run('equipment', 'show', 'etcher', '--json')
  expect(JSON.parse(stdout).connection_state).toBe('LISTENING')
  expect((await run('daemon', 'logs')).stdout).toContain(
    'does not begin with a PROXY protocol header of version 2',
  )
})
