import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Server, Session } from '../../src/cli/profile/server.js'
import { writeAddress } from '../../src/daemon/address-file.js'
import { testEnvironment } from '../support/command.js'
import { FakeGateway } from '../support/fake-gateway.js'
import { Secsctl } from '../support/secsctl.js'

const PASSWORD = 'the password that is kept'
const TOKEN = 'the token that is kept'

const secsctl = new Secsctl()
/** The daemon of this machine, and somebody else. */
const daemon = new FakeGateway({
  'GET /readyz': () => ({ body: { status: 'ok' } }),
  'GET /equipment': () => ({ body: { items: [], next_cursor: null } }),
})
const stranger = new FakeGateway({ 'GET /readyz': () => ({ body: { status: 'ok' } }) })
let home: string
let away: string

const address = (url: string, pid: number) =>
  writeAddress(join(secsctl.home, 'state'), {
    ...{ url, pid, data_folder: join(secsctl.home, 'data'), log: null, flags: [] },
    started_at: '2026-03-01T08:00:00.000Z',
  })
const keep = (credentials: object): void =>
  writeFileSync(
    join(secsctl.home, 'config', 'tokens.json'),
    JSON.stringify({ local: JSON.stringify(credentials) }),
    { mode: 0o600 },
  )
const secret = { email: 'admin@localhost', password: PASSWORD }
const session = (env: Record<string, string>, choice: object = {}): Session =>
  new Session(choice, testEnvironment({ variables: { SECSCTL_HOME: secsctl.home, ...env } }))

/** What somebody else was told. */
const heard = (): string => JSON.stringify(stranger.calls)

beforeAll(async () => {
  home = await daemon.listen()
  away = await stranger.listen()
  mkdirSync(join(secsctl.home, 'config'))
  await address(home, process.pid)
})
afterEach(() => {
  expect(heard()).not.toContain(PASSWORD)
  expect(heard()).not.toContain(TOKEN)
  stranger.calls.splice(0)
  daemon.calls.splice(0)
})
afterAll(async () => {
  await daemon.close()
  await stranger.close()
  secsctl.remove()
})

test.each([
  [
    'a token',
    { token: TOKEN, expires_at: '2999-01-01T00:00:00.000Z', secret },
    ['whoami', 'logout', 'doctor'],
  ],
  ['the password alone', { secret }, ['login', 'equipment list', 'api GET /equipment']],
])('with %s kept, no command takes the profile local to another address', async (_, kept, commands) => {
  keep(kept)
  for (const command of commands) {
    const { code, stdout, stderr } = await secsctl.run([
      ...command.split(' '),
      ...['--profile', 'local', '--url', away],
    ])
    expect({ command, code }).toEqual({ command, code: 2 })
    expect(stdout + stderr).toContain(`which is at ${home}`)
  }
  expect(stranger.calls).toEqual([])
})

test('an account that the gateway has refused is not sent again, and each command says how to log in', async () => {
  const refused = new FakeGateway({
    'GET /readyz': () => ({ body: { status: 'ok' } }),
    'POST /auth/login': () => ({
      status: 401,
      body: { type: 'x', title: 'x', status: 401, code: 'invalid_credentials', detail: 'Wrong.' },
    }),
  })
  await address(await refused.listen(), process.pid)
  keep({ secret })
  const env = { SECSCTL_KEYCHAIN: 'file' }
  try {
    for (const command of ['doctor', 'equipment list', 'equipment list', 'whoami', 'doctor']) {
      const { code, stdout, stderr } = await secsctl.run(command.split(' '), { env })
      if (command !== 'doctor') expect({ command, code }).toEqual({ command, code: 4 })
      expect(stdout + stderr).toContain('secsctl login --email EMAIL')
    }
    const login = await secsctl.run(['login'], { env })
    expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining('--email') })
    expect(refused.calls.filter(({ path }) => path === '/auth/login')).toHaveLength(1)
    await session(env).noteRefused(false)
    expect(await session(env).localSecret()).toEqual(secret)
  } finally {
    await refused.close()
    await address(home, process.pid)
  }
})

test('an address from the environment is not that of the profile local', async () => {
  keep({ token: TOKEN, secret })
  const env = { SECSCTL_URL: away, SECSCTL_PROFILE: 'local' }
  expect(await secsctl.run(['equipment', 'list'], { env })).toMatchObject({ code: 4, stdout: '' })
  expect(await secsctl.run(['equipment', 'list', '--profile', 'local'], { env })).toMatchObject({ code: 0 })
  expect(daemon.calls.map(({ path, headers }) => [path, headers['authorization']])).toContainEqual([
    '/equipment',
    `Bearer ${TOKEN}`,
  ])
})

test('a server is called as a shell has to call it that knows nothing of this one', async () => {
  const flags = async (env: Record<string, string>, server: Server) =>
    (await session(env).called(server)).flags
  expect(await flags({}, { profile: 'local', url: home })).toBe('')
  expect(await flags({}, { profile: 'fab2', url: away })).toBe(' --profile fab2')
  expect(await flags({ SECSCTL_PROFILE: 'fab2' }, { profile: 'local', url: home })).toBe(' --profile local')
  expect(await flags({}, { profile: undefined, url: away })).toBe(` --url ${away}`)
})

describe('an address is that of the daemon on this machine', () => {
  test('while that runs there, however it is given', async () => {
    expect(await session({}).server()).toEqual({ profile: 'local', url: home })
    expect(await session({ SECSCTL_URL: home }).server()).toEqual({ profile: 'local', url: home })
    const both = session({}, { url: home, profile: 'local' })
    expect(await both.server()).toEqual({ profile: 'local', url: home })
  })

  test('and not when that has ended and another process listens there', async () => {
    await address(away, 2 ** 30)
    try {
      expect(await session({ SECSCTL_URL: away }).server()).toEqual({ profile: undefined, url: away })
      await expect(session({}, { url: away, profile: 'local' }).server()).rejects.toMatchObject({
        kind: 'unreachable',
      })
    } finally {
      await address(home, process.pid)
    }
  })

  test('for a command that continues while the daemon is away', async () => {
    const following = session({ SECSCTL_URL: home })
    await following.server()
    await address(home, 2 ** 30)
    try {
      await expect(following.server()).rejects.toMatchObject({ kind: 'unreachable' })
    } finally {
      await address(home, process.pid)
    }
    expect(await following.server()).toEqual({ profile: 'local', url: home })
  })
})
