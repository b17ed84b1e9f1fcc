import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { type Ran, Secsctl } from '../support/secsctl.js'
import { PostgresServer } from './postgres-server.js'

// docs/disaster-recovery.md, where the records are in PostgreSQL.

const env = { SECSCTL_KEYCHAIN: 'file' }
/** Of its own, on which it can be started again: no outgoing connection takes it meanwhile. */
const ports = async (): Promise<readonly string[]> => [
  ...['--port', String(await freePort()), '--hsms-host', '127.0.0.1'],
]
let server: PostgresServer
let store: string
let first: Secsctl
let second: Secsctl

beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

async function run(on: Secsctl, words: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await on.runProcess(words, { env, input })
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${stderr}`)
  return stdout
}
const refused = (on: Secsctl, command: string): Promise<Ran> => on.runProcess(command.split(' '), { env })

beforeEach(async () => {
  store = await server.database()
  first = new Secsctl()
  second = new Secsctl()
  await run(first, ['daemon', 'start', ...server.flags(store), ...(await ports())])
})
afterEach(async () => {
  for (const one of [first, second]) {
    await one.runProcess(['daemon', 'stop'], { env })
    one.remove()
  }
})

/** A copy of the database; the daemon on it stops meanwhile. */
async function copied(): Promise<string> {
  const name = (url: string): string => new URL(url).pathname.slice(1)
  await run(first, ['daemon', 'stop'])
  const copy = `copy_of_${name(store)}`
  await server.sql(await server.database(), `CREATE DATABASE ${copy} TEMPLATE ${name(store)}`)
  await run(first, ['daemon', 'start', ...server.flags(store), ...(await ports())])
  return server.url(copy)
}

test('an administrator is made on the database, also beside a daemon that works on it', async () => {
  await run(first, ['equipment', 'add', 'etcher', '--address', '127.0.0.1:9'])
  const flags = server.flags(store)
  await run(second, ['daemon', 'reset-admin', ...flags])
  await run(second, ['daemon', 'start', ...flags, '--node-name', 'second', ...(await ports())])
  expect(await run(second, ['equipment', 'list', '-o', 'tsv'])).toContain('etcher')
  const audit = JSON.parse(await run(second, ['audit', 'list', '--action', 'resetAdmin', '--json']))
  expect(audit).toMatchObject([{ status: 200, details: { email: 'admin@localhost' } }])

  const password = 'a long password of hers\n'
  const email = ['--email', 'ann@fab.example', '--password-stdin']
  await run(second, ['daemon', 'reset-admin', ...flags, ...email], password)
  // On the machine of a daemon as well. Both daemons know her.
  for (const on of [first, second]) {
    await run(on, ['login', ...email], password)
    expect(JSON.parse(await run(on, ['whoami', '--json']))).toMatchObject({ email: email[1], role: 'admin' })
  }
})

test('a copy stands by beside its original, only reads, also after a restart, until it takes over', async () => {
  const tool = await startSimulator()
  await run(first, ['equipment', 'add', 'coater', '--address', `127.0.0.1:${tool.port}`])
  await run(first, ['equipment', 'connect', 'coater', '--wait', '60s'])
  const flags = server.flags(await copied())
  await run(second, ['daemon', 'reset-admin', ...flags])
  await run(second, ['daemon', 'start', '--standby', ...flags, ...(await ports())])
  const ready = async (): Promise<unknown> => {
    const { url } = JSON.parse(await run(second, ['daemon', 'status', '--json']))
    return (await fetch(`${url}/readyz`)).json()
  }
  const look = async (): Promise<void> => {
    expect(await ready()).toMatchObject({ status: 'ok', standby: true })
    const shown = JSON.parse(await run(second, ['equipment', 'show', 'coater', '--json']))
    expect(shown.connection_state).toBe('NOT_CONNECTED')
    expect(await run(second, ['messages', 'list', '-o', 'tsv'])).toContain('S1F13')
    for (const command of ['equipment connect coater', 'send coater S1F1', 'equipment remove coater --yes'])
      expect(await refused(second, command)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('standby'),
      })
    expect(await run(second, ['daemon', 'status'])).toContain('standby')
  }
  await look()
  await run(second, ['daemon', 'restart'])
  await look()
  // The original is at work all the time, with the one connection that the tool takes.
  await run(first, ['equipment', 'connect', 'coater', '--wait', '60s'])
  expect(await run(first, ['send', 'coater', 'S1F1'])).toContain('<L')
  await run(first, ['daemon', 'stop'])
  await run(second, ['daemon', 'restart', '--take-over'])
  expect(await ready()).toMatchObject({ standby: false })
  await run(second, ['equipment', 'connect', 'coater', '--wait', '60s'])
  expect(await run(second, ['send', 'coater', 'S1F1'])).toContain('<L')
})

test('a database on which a daemon works is no copy: standby is refused, and that daemon starts again as before', async () => {
  const flags = server.flags(store)
  const standby = ['daemon', 'start', '--standby', ...flags, '--node-name', 'second', ...(await ports())]
  await run(second, ['daemon', 'reset-admin', ...flags])
  const { code, stderr } = await second.runProcess(standby, { env })
  expect([code, stderr]).toEqual([5, expect.stringContaining('no restored copy')])
  await run(first, ['daemon', 'restart'])
  const { url } = JSON.parse(await run(first, ['daemon', 'status', '--json']))
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ standby: false })
})
