import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'
import { NodeProcess } from './node-process.js'
import { PostgresServer, postgresPrograms } from './postgres-server.js'

const PATIENCE_MS = 90_000

test('while the database is away /readyz and the commands say so, and both are as before when it is back', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const node = await NodeProcess.start('gateway-1', server.flags(await server.database()))
  const { client, home } = node
  const { body } = await client.post('/equipment', { name: 'etcher', ip_address: '127.0.0.1', port: 1 })
  const readyz = async () => {
    const reply = await fetch(`${client.url}/readyz`)
    return { status: reply.status, body: (await reply.json()) as { readonly code?: string } }
  }
  /** A command as somebody at the machine of the daemon types it: the daemon is found by its address file. */
  const command = (...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
    new Promise((resolve) => {
      const env = { ...home.env, SECSCTL_TOKEN: client.token ?? '' }
      execFile(process.execPath, ['bin/run.js', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
      )
    })
  expect((await readyz()).status).toBe(200)
  expect((await command('equipment', 'list')).said).toContain('etcher')

  await server.kill()
  await until(async () => (await readyz()).status === 503, PATIENCE_MS)
  expect((await readyz()).body.code).toBe('store_unavailable')
  expect((await fetch(`${client.url}/healthz`)).status).toBe(200)
  const calls = [
    ['equipment', 'lock', 'etcher', '--for', '1m', '--reason', 'test'],
    ['equipment', 'disconnect', 'etcher'],
    ['equipment', 'unlock', 'etcher'],
    ['daemon', 'status'],
  ]
  for (const args of calls) {
    const { code, said } = await command(...args)
    expect(said, args.join(' ')).not.toMatch(/may be busy|does not respond at/)
    if (args[0] === 'daemon') continue
    expect(code, said).not.toBe(0)
    expect(said, args.join(' ')).toMatch(/database/)
  }

  await server.resume()
  await until(async () => (await readyz()).status === 200, PATIENCE_MS)
  await until(async () => {
    const { status } = await client.post(`/equipment/${body.id}/disconnect`)
    return status === 200
  }, PATIENCE_MS)
  expect((await command('equipment', 'disconnect', 'etcher')).code).toBe(0)
})

test('a connection that is lost while the database is away is told once it is back', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const { client } = await NodeProcess.start('gateway-1', server.flags(await server.database()), '60s')
  const tool = await ScriptedEquipment.listen()
  const { body } = await client.post('/equipment', {
    ...{ name: 'etcher', ip_address: '127.0.0.1', port: tool.port, gem_startup: false },
    timers: { t5: 1 },
  })
  const connected = await client.post(`/equipment/${body.id}/connect`)
  expect(connected.body).toMatchObject({ communication_state: 'COMMUNICATING' })
  await server.kill()
  tool.cut()
  const began = performance.now()
  // For longer than an entry waits.
  await until(async () => {
    const { status } = await client.post(`/equipment/${body.id}/connect`)
    expect(status).toBe(503)
    return performance.now() - began > 4000
  }, PATIENCE_MS)
  const back = new Date().toISOString()
  await server.resume()
  const names: string[] = await until(async () => {
    const { status, body: page } = await client.get('/events?type=connection&order=asc')
    const all: { readonly name: string; readonly at: string }[] = status === 200 ? page.items : []
    const isAgain = all.filter(({ name }) => name === 'selected').length > 1
    return isAgain && all.map(({ name, at }) => (at < back ? name : `${name} later`))
  }, PATIENCE_MS)
  // In the order in which it happened.
  expect(
    names.slice(
      0,
      names.findLastIndex((name) => name.startsWith('selected')),
    ),
  ).toContain('disconnected')
})

test('daemons end where their database is dropped and restored as it was before, write nothing over it, and start again', async () => {
  const run = promisify(execFile)
  const program = (name: string): string => join(postgresPrograms(), name)
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const url = await server.database('site')
  const node = await NodeProcess.start('gateway-1', server.flags(url))
  const add = (name: string, port: number) =>
    node.client.post('/equipment', { name, ip_address: '127.0.0.1', port, enabled: false })
  const file = join(server.folder, 'site.dump')
  await add('etcher', 1)
  await run(program('pg_dump'), ['--format=custom', '--file', file, url])
  await add('prober', 2)

  const admin = server.url('postgres')
  await server.sql(admin, 'DROP DATABASE site WITH (FORCE)')
  await server.sql(admin, 'CREATE DATABASE site')
  await run(program('pg_restore'), ['--exit-on-error', '--single-transaction', '--dbname', url, file])
  const restored = await server.sql(url, 'SELECT journal, last FROM head ORDER BY journal')
  expect(await node.ended()).toBe(1)
  expect(node.daemon.log()).toMatch(
    /database "site" does not exist|relation "\w+" does not exist|the (journal|audit) ends with \d+, and \d+ was read before/,
  )
  expect(await server.sql(url, 'SELECT journal, last FROM head ORDER BY journal')).toBe(restored)
  await node.start()
  const { body } = await node.client.get('/equipment')
  expect(body.items.map(({ name }: { readonly name: string }) => name)).toEqual(['etcher'])
})
