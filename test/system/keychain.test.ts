import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Ran, Secsctl } from '../support/secsctl.js'
import { type Keeping, UserSession } from './secret-service.js'

const secsctl = new Secsctl()
let session: UserSession | undefined

/** The environment of the commands to come. */
let env: Record<string, string> = {}

async function begin(keeping: Keeping | 'no bus'): Promise<UserSession> {
  const begun = keeping === 'no bus' ? UserSession.bare() : await UserSession.open(keeping)
  session = begun
  env = begun.env
  return begun
}

const run = (...args: string[]): Promise<Ran> => secsctl.runProcess(args, { env })
const startDaemon = (): Promise<Ran> => run('daemon', 'start', '--port', '0')
const tokenSource = async (): Promise<unknown> => {
  const { code, stdout, stderr } = await run('whoami', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout).token_source
}

afterEach(async () => {
  await run('daemon', 'stop')
  await session?.close()
  session = undefined
})
afterAll(() => secsctl.remove())

const configFolder = (home: string): string => join(home, '.config', 'secsctl')
const tokenFile = (home: string): string => join(configFolder(home), 'tokens.json')

describe('with a keyring that is open', () => {
  test('the token is in it, and in no file', async () => {
    const { home } = await begin('unlocked')
    const { code, stderr } = await startDaemon()
    // On a busy machine a line before it says what is waited for.
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/(^|\n)The daemon is running\.\n$/),
    })
    expect(await tokenSource()).toBe('keyring')
    expect(() => statSync(tokenFile(home))).toThrow('ENOENT')
    expect(readFileSync(join(configFolder(home), 'config.json'), 'utf8')).not.toContain('eyJ')
  })

  test('logging out takes the token away, and logging in brings one back', async () => {
    await begin('unlocked')
    await startDaemon()
    expect(await run('logout')).toMatchObject({ code: 0 })
    expect(await run('whoami')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Nobody is logged in'),
    })
    expect(await run('login')).toMatchObject({ code: 0, stderr: '' })
    expect(await tokenSource()).toBe('keyring')
  })
})

test('a keyring that was locked meanwhile is an error that says so, and loses nothing', async () => {
  const begun = await begin('unlocked')
  await startDaemon()
  await begun.lock()
  expect(await run('whoami')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('the system keychain cannot be used'),
  })
  // It must not make itself another administrator: the daemon's data know the first.
  expect(await startDaemon()).toMatchObject({ code: 1 })
})

describe.each(['no bus', 'none', 'locked', 'silent'] as const)('without a keyring to use (%s)', (keeping) => {
  test('the token is in a file for its owner alone, and that is said once', async () => {
    const begun = await begin(keeping)
    const { home } = begun
    const started = await startDaemon()
    expect(started.code).toBe(0)
    expect(begun.standInAsked).toBe(keeping === 'none' || keeping === 'silent')
    expect(started.stderr).toContain(`The token is kept in ${tokenFile(home)}, which only you can read.`)
    expect(statSync(tokenFile(home)).mode & 0o777).toBe(0o600)
    expect(statSync(configFolder(home)).mode & 0o777).toBe(0o700)
    expect(await tokenSource()).toBe('file')
    expect(await run('login')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('logout')).toMatchObject({ code: 0 })
    expect(readFileSync(tokenFile(home), 'utf8')).not.toContain('eyJ')
  })
})

test('a backend that is not installed is an error with a way out', async () => {
  await begin('unlocked')
  env = { ...env, SECSCTL_KEYCHAIN: 'keytar' }
  const { code, stderr } = await startDaemon()
  expect(code).toBe(1)
  expect(stderr).toContain('the system keychain cannot be used: the package keytar is not installed')
  expect(stderr).toContain('SECSCTL_KEYCHAIN=file')
})
