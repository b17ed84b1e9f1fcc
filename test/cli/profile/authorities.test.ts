import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { certificateFindings } from '../../../src/cli/doctor/certificate.js'
import { authorityFindings } from '../../../src/cli/doctor/settings.js'
import { Session } from '../../../src/cli/profile/server.js'
import type { RunningDaemon } from '../../../src/daemon/daemon.js'
import { systemClock } from '../../../src/kit/clock.js'
import { AUTHORITY, FIRST_CERTIFICATE, ISSUED_CERTIFICATE } from '../../support/certificates.js'
import { testEnvironment } from '../../support/command.js'
import { DAEMON_ADMIN, startDaemonHere } from '../../support/daemon-here.js'
import { Secsctl } from '../../support/secsctl.js'

const FAB_CA = {
  subject: 'O=Fab 2, CN=Fab CA',
  expires_at: expect.stringMatching(/^2126-/),
  fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
}
const data = mkdtempSync(join(tmpdir(), 'secsctl-ca-'))
const file = join(data, 'fab-ca.pem')
let daemon: RunningDaemon
let secsctl: Secsctl

beforeAll(async () => {
  daemon = await startDaemonHere(join(data, 'data'), { tls: ISSUED_CERTIFICATE })
})
afterAll(async () => {
  await daemon.stop()
  rmSync(data, { recursive: true, force: true })
})
beforeEach(() => {
  writeFileSync(file, AUTHORITY)
  secsctl = new Secsctl()
  return () => secsctl.remove()
})

const add = (url: string, ...more: string[]) =>
  secsctl.run(['profiles', 'add', 'fab2', '--url', url, ...more])
const login = () =>
  secsctl.run(['login', '--profile', 'fab2', '--email', DAEMON_ADMIN.email, '--password-stdin'], {
    input: DAEMON_ADMIN.password,
  })
/** In a process of its own: the trust of a command is that of its process. */
const loginAlone = () =>
  secsctl.runProcess(['login', '--profile', 'fab2', '--email', DAEMON_ADMIN.email, '--password-stdin'], {
    input: DAEMON_ADMIN.password,
  })

test('a gateway whose certificate the authority of a profile has issued is trusted, also by streams', async () => {
  const added = await add(daemon.url, '--ca-file', file, '--json')
  expect(JSON.parse(added.stdout)).toMatchObject({ name: 'fab2', ca: [FAB_CA] })
  rmSync(file)
  expect(await login()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') })
  expect(await secsctl.run(['equipment', 'list', '--profile', 'fab2', '--json'])).toMatchObject({ code: 0 })
  // A URL that is that of the profile is the profile.
  expect(await secsctl.run(['whoami', '--url', daemon.url])).toMatchObject({ code: 0 })
  const tail = ['events', 'tail', '--profile', 'fab2', '--idle-timeout', '300ms']
  expect(await secsctl.run(tail)).toMatchObject({ code: 7 })
  expect(await secsctl.run(['doctor', '--profile', 'fab2'])).toMatchObject({
    stdout: expect.stringMatching(/authority\tO=Fab 2, CN=Fab CA, until 2126/),
  })
})

test('without the authority, or with another, the gateway is not trusted', async () => {
  await add(daemon.url)
  const refused = { code: 6, stderr: expect.stringMatching(/not trusted.*--ca-file/s) }
  expect(await loginAlone()).toMatchObject(refused)
  writeFileSync(file, FIRST_CERTIFICATE.cert)
  expect(await secsctl.run(['profiles', 'update', 'fab2', '--ca-file', file])).toMatchObject({ code: 0 })
  expect(await loginAlone()).toMatchObject(refused)
  writeFileSync(file, AUTHORITY)
  expect(await secsctl.run(['profiles', 'update', 'fab2', '--ca-file', file])).toMatchObject({ code: 0 })
  expect(await loginAlone()).toMatchObject({ code: 0 })
})

test('its names are checked', async () => {
  await daemon.stop()
  daemon = await startDaemonHere(join(data, 'data'), { tls: ISSUED_CERTIFICATE, host: '0.0.0.0' })
  const url = daemon.url.replace('127.0.0.1', '127.0.0.2')
  await add(url, '--ca-file', file)
  expect(await login()).toMatchObject({ code: 6, stderr: expect.stringContaining('another host name') })
})

test('the authorities of a profile are shown and removed, and its login is kept', async () => {
  await add(daemon.url, '--ca-file', file)
  await login()
  const shown = await secsctl.run(['profiles', 'show', 'fab2'])
  expect(shown.stdout).toMatch(/^authorities\tO=Fab 2, CN=Fab CA, until 2126-\S+Z$/m)
  const removed = await secsctl.run(['profiles', 'update', 'fab2', '--no-ca', '--json'])
  expect(JSON.parse(removed.stdout)).toMatchObject({ url: daemon.url, email: DAEMON_ADMIN.email, ca: null })
  expect(readFileSync(join(secsctl.home, 'config', 'config.json'), 'utf8')).not.toContain('CERTIFICATE')
  await secsctl.run(['profiles', 'update', 'fab2', '--ca-file', file])
  expect(await secsctl.run(['whoami', '--profile', 'fab2'])).toMatchObject({ code: 0 })
})

describe('a file', () => {
  test('may have text and several certificates, of which the certificates are kept', async () => {
    writeFileSync(
      file,
      `issued by the fab\r\n${AUTHORITY.replaceAll('\n', '\r\n')}\n# old\n${FIRST_CERTIFICATE.cert}`,
    )
    const { stdout } = await add(daemon.url, '--ca-file', file, '--json')
    expect(JSON.parse(stdout).ca).toMatchObject([FAB_CA, { subject: 'CN=first' }])
    const config = JSON.parse(readFileSync(join(secsctl.home, 'config', 'config.json'), 'utf8'))
    expect(config.profiles.fab2.ca).toBe(AUTHORITY + FIRST_CERTIFICATE.cert)
  })

  test.each([
    ['no certificate', 'hello', /no file of certificates in PEM/],
    ['nothing', '', /no file of certificates in PEM/],
    ['a private key', AUTHORITY + ISSUED_CERTIFICATE.key, /has a private key/],
    ['a damaged certificate', AUTHORITY.replace('MII', 'AAA'), /is damaged/],
    ['too many certificates', AUTHORITY.repeat(17), /17 certificates; a profile keeps 16/],
    ['too many bytes', `${AUTHORITY}${' '.repeat(70_000)}`, /more than 65536 bytes/],
  ])('with %s is refused, and no profile is made', async (_, text, why) => {
    writeFileSync(file, text)
    const { code, stderr } = await add(daemon.url, '--ca-file', file)
    expect(code).toBe(2)
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('BEGIN PRIVATE')
    expect((await secsctl.run(['profiles', 'show', 'fab2'])).code).toBe(3)
  })

  test('is for https alone, and has to be there', async () => {
    expect(await add('http://127.0.0.1:7327', '--ca-file', file)).toMatchObject({ code: 2 })
    rmSync(file)
    expect(await add(daemon.url, '--ca-file', file)).toMatchObject({ code: 2 })
    expect(await secsctl.run(['profiles', 'update', 'local', '--ca-file', file])).toMatchObject({ code: 2 })
  })
})

test('doctor notes an authority that expires soon, and one that has expired is wrong', async () => {
  await add(daemon.url, '--ca-file', file)
  const marks = async (year: number, month: number): Promise<readonly string[]> => {
    const environment = testEnvironment({ variables: secsctl.environment() as Record<string, string> })
    const clock = { ...environment.clock, date: () => new Date(Date.UTC(year, month, 10)) }
    const session = new Session({ profile: 'fab2' }, { ...environment, clock })
    return (await authorityFindings(session, (iso) => iso ?? '')).map(({ mark }) => mark)
  }
  expect(await marks(2100, 0)).toEqual(['ok'])
  expect(await marks(2126, 10)).toEqual(['note'])
  expect(await marks(2127, 0)).toEqual(['wrong'])
})

test('doctor says until when the certificate of the gateway is valid, whether or not it is trusted', async () => {
  const marks = (year: number) => {
    const clock = { ...systemClock, date: () => new Date(Date.UTC(year, 10, 10)) }
    return certificateFindings(daemon.url, clock, (iso) => iso ?? '')
  }
  expect(await marks(2100)).toMatchObject([
    { name: 'certificate', mark: 'ok', detail: expect.stringContaining('until 2126-11-24T') },
  ])
  expect(await marks(2126)).toMatchObject([{ mark: 'note', detail: expect.stringContaining('expires soon') }])
  expect(await marks(2127)).toMatchObject([{ mark: 'wrong', detail: expect.stringContaining('has expired') }])
  expect(await certificateFindings('http://127.0.0.1:1', systemClock, String)).toEqual([])
  expect(await certificateFindings('https://127.0.0.1:1', systemClock, String)).toEqual([])
})
