import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { Secsctl } from '../support/secsctl.js'
import { PostgresServer, withoutPassword } from './postgres-server.js'

let server: PostgresServer
let store: string
let homes: readonly [Secsctl, Secsctl]
/** Calls the first or the second daemon as the administrator of the first. */
let env: Record<string, string>[] = []

beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

async function run(at: number, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await (homes[at] as Secsctl).runProcess(args, { env: env[at] ?? {} })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`)
  return stdout
}

async function start(at: number): Promise<void> {
  const flags = ['--port', String(await freePort()), '--hsms-host', '127.0.0.1', '--lease', '10s']
  await run(at, ['daemon', 'start', ...server.flags(store), '--node-name', `gateway-${at + 1}`, ...flags])
}

beforeEach(async () => {
  store = await server.database()
  homes = [new Secsctl(), new Secsctl()]
  const admin = { SECSCTL_ADMIN_EMAIL: 'ada@fab.example', SECSCTL_ADMIN_PASSWORD: 'correct horse battery' }
  env = homes.map(() => ({ SECSCTL_KEYCHAIN: 'file', ...admin }))
  for (const at of [0, 1]) await start(at)
})
afterEach(async () => {
  for (const at of [0, 1]) await run(at, ['daemon', 'stop']).catch(() => {})
  for (const home of homes) home.remove()
})

test('two daemons are one gateway, and one of them alone is the same', async () => {
  const simulator = await startSimulator()
  await run(0, ['equipment', 'add', 'etcher', '--address', `127.0.0.1:${simulator.port}`])
  await expect
    .poll(() => run(1, ['daemon', 'nodes', '-o', 'tsv']))
    .toMatch(/gateway-1\talive[\s\S]*gateway-2\there/)
  await expect.poll(() => run(1, ['equipment', 'connect', 'etcher']).catch(String)).toContain('COMMUNICATING')
  const send = (at: number) => () => run(at, ['send', 'etcher', 'S1F1']).catch(String)
  for (const at of [0, 1]) await expect.poll(send(at)).toContain('<L [2]')
  const owner = JSON.parse(await run(0, ['equipment', 'show', 'etcher', '--json'])).node as string
  expect(owner).toMatch(/^gateway-[12]$/)

  const status = JSON.parse(await run(0, ['daemon', 'status', '--json'])) as { readonly store: string }
  expect(status.store).toBe(withoutPassword(store))
  expect(readdirSync(join(homes[0].home, 'data'))).toEqual(['lock'])
  expect(await run(1, ['journal', 'export', '--type', 'message'])).toContain('"topic":"S1F1"')

  const at = owner === 'gateway-1' ? 0 : 1
  await run(at, ['daemon', 'stop'])
  await expect.poll(send(1 - at)).toContain('<L [2]')
})

test('daemons are upgraded one by one: one of the old version goes on with a newer database, and cannot start on it', async () => {
  const simulator = await startSimulator()
  await run(0, ['equipment', 'add', 'etcher', '--address', `127.0.0.1:${simulator.port}`])
  const nodes = () => run(0, ['daemon', 'nodes', '-o', 'tsv'])
  await expect.poll(nodes).toMatch(/gateway-1\there[\s\S]*gateway-2\talive/)
  await expect.poll(() => run(0, ['equipment', 'connect', 'etcher']).catch(String)).toContain('COMMUNICATING')
  const send = () => run(0, ['send', 'etcher', 'S1F1']).catch(String)
  await expect.poll(send).toContain('<L [2]')

  await run(1, ['daemon', 'stop'])
  await start(1)
  await expect.poll(nodes).toMatch(/gateway-2\talive/)
  // What a newer version does to the database when it starts.
  await server.sql(store, 'UPDATE secsctl_version SET version = version + 1')
  await expect.poll(send).toContain('<L [2]')
  await run(1, ['daemon', 'stop'])
  await expect(start(1)).rejects.toThrow(/the database: version \d+ is of a newer secsctl than this \(\d+\)/)
  await expect.poll(send).toContain('<L [2]')
})
