import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeGiven } from '../../../src/cli/daemon/store-flags.js'
import { databaseFailure, databaseFlag, shownDatabase } from '../../../src/cli/daemon/store-url.js'
import { removeAddress, writeAddress } from '../../../src/daemon/address-file.js'
import { localHost, remoteHost } from '../../../src/daemon/node-url.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { storeProblem } from '../../../src/store/postgres/database.js'
import { runCommand } from '../../support/command.js'

const URL = 'postgres://secsctl@db.fab:5432/site'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string, mode = 0o600): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode })
  return path
}

describe('the database', () => {
  test('of the flag has no password, which the list of processes would show', async () => {
    const refused = /list of processes/
    await expect(databaseFlag('postgres://secsctl:x@db.fab/site')).rejects.toThrow(refused)
    await expect(databaseFlag('postgres://secsctl@db.fab/site?password=x')).rejects.toThrow(refused)
    await expect(databaseFlag('mysql://db.fab/site')).rejects.toThrow('URL of a PostgreSQL database')
    expect(await databaseFlag(URL)).toBe(URL)
  })

  test('of the flag names files from where the command was given', async () => {
    const given = await databaseFlag(`${URL}?sslmode=verify-full&sslrootcert=ca.pem`)
    expect(new globalThis.URL(given).searchParams.get('sslrootcert')).toBe(resolve('ca.pem'))
  })

  test('of the environment may have a password, which is shown nowhere', async () => {
    const SECSCTL_STORE = 'postgres://secsctl:secret@db.fab/site?sslmode=disable'
    expect((await storeGiven({}, { SECSCTL_STORE }))?.url).toContain('secsctl:secret@')
    expect(shownDatabase(SECSCTL_STORE)).toBe('postgres://secsctl@db.fab/site')
    expect(await storeGiven({ store: URL }, { SECSCTL_STORE })).toEqual({ url: URL })
    expect(await storeGiven({}, {})).toBeUndefined()
    expect(await storeGiven({ store: 'files' }, { SECSCTL_STORE })).toBeUndefined()
    await expect(storeGiven({}, { SECSCTL_STORE: 'x' })).rejects.toThrow('SECSCTL_STORE takes the URL')
  })

  test('has the sslmode that libpq means', async () => {
    const ca = file('ca.pem', 'authorities')
    const given = await storeGiven({ store: `${URL}?sslmode=verify-ca&sslrootcert=${ca}` }, {})
    expect(given?.url).toContain('uselibpqcompat=true')
    await expect(storeGiven({ store: `${URL}?sslmode=verify-ca` }, {})).rejects.toThrow('needs sslrootcert')
    await expect(storeGiven({ store: `${URL}?sslcert=${ca}.no` }, {})).rejects.toThrow('sslcert of the')
    const open = file('key.pem', 'key', 0o644)
    await expect(storeGiven({ store: `${URL}?sslkey=${open}` }, {})).rejects.toThrow('open to other users')
  })

  test('has its secrets in files that nobody else can read', async () => {
    const key = file('key', `${'ab'.repeat(32)}\n`)
    const password = file('password', 'correct horse\n')
    const ca = file('authorities.pem', 'PEM\n', 0o644)
    const files = { 'store-key-file': key, 'store-password-file': password, 'node-ca-file': ca }
    expect(await storeGiven({ store: URL, ...files, lease: '5s' }, {})).toEqual({
      url: URL,
      sealKey: Buffer.alloc(32, 0xab),
      password: 'correct horse',
      nodeCa: 'PEM\n',
      leaseMs: 5000,
    })
    const short = { store: URL, 'store-key-file': file('short', 'abcd') }
    await expect(storeGiven(short, {})).rejects.toThrow('64 hexadecimal digits')
    const open = { store: URL, 'store-password-file': file('open', 'x', 0o644) }
    await expect(storeGiven(open, {})).rejects.toThrow('open to other users')
  })

  test('that refuses a start says why', () => {
    const refusal = (code: string) => databaseFailure(Object.assign(new Error('why'), { code }))
    expect(refusal('28P01')).toMatchObject({ kind: 'access', message: expect.stringContaining('why') })
    expect(refusal('3D000')?.kind).toBe('missing')
    expect(databaseFailure(new StoreUnavailable('away'))?.kind).toBe('unreachable')
    expect(refusal('EADDRINUSE')).toBeUndefined()
    const ofFile = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/data' })
    expect(storeProblem(ofFile)).toBe(ofFile)
  })
})

test('a daemon that listens on every address is reached by the name of its machine', () => {
  expect([localHost('0.0.0.0'), localHost('::'), localHost('fd00::1')]).toEqual([
    '127.0.0.1',
    '[::1]',
    '[fd00::1]',
  ])
  expect([remoteHost('0.0.0.0'), remoteHost('10.1.0.11')]).toEqual([hostname(), '10.1.0.11'])
})

test.each([['verify'], ['backup', 'copy']])(
  'journal %s leaves a database to its own tools',
  async (...args) => {
    const variables = { SECSCTL_HOME: folder, SECSCTL_STORE: 'postgres://secsctl:secret@db.fab/site' }
    const { exitCode, stderr } = await runCommand(['journal', ...args], { variables })
    expect(exitCode).toBe(5)
    expect(stderr).toContain("PostgreSQL's own tools")
    expect(stderr).not.toContain('secret')
  },
)

test.each(['journal verify', 'daemon reset-admin'])(
  '%s names the database of a daemon that was stopped, and no start of an empty gateway',
  async (line) => {
    const state = join(folder, 'state')
    const address = { url: 'http://127.0.0.1:7400', pid: 4_000_000, data_folder: join(folder, 'data') }
    const last = { ...address, store: URL, log: null, flags: [], started_at: '2026-01-01T00:00:00Z' }
    await writeAddress(state, last)
    await removeAddress(state, last.pid)
    const { stderr } = await runCommand(line.split(' '), { variables: { SECSCTL_HOME: folder } })
    expect(stderr).toContain(URL)
    expect(stderr).not.toContain('secsctl daemon start')
  },
)
