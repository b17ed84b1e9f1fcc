import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCertificate, readMetricsToken } from '../../../src/cli/daemon/daemon-files.js'
import {
  type DaemonSettings,
  daemonArguments,
  type GivenSettings,
  parsedFlag,
  settingsIn,
} from '../../../src/cli/daemon/daemon-flags.js'
import { requireSettings } from '../../../src/cli/daemon/settings/settings.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (text: string): string => {
  const path = join(folder, 'file')
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
const SETTINGS: DaemonSettings = {
  host: '127.0.0.1',
  port: 0,
  'hsms-host': '0.0.0.0',
  'insecure-http': false,
  'allow-local-sinks': false,
  keep: '30d',
  'keep-size': '2GiB',
  'sinks-keep': '7d',
  'sinks-keep-size': '1GiB',
  standby: false,
  'take-over': false,
  'accept-loss': false,
  'accept-edits': false,
}

test('what may repeat is handed on as often as it was given', () => {
  const args = daemonArguments({
    ...SETTINGS,
    'cors-origin': ['https://a.example', 'https://b.example'],
    'trust-proxy': ['10.0.0.1'],
    'metrics-token-file': '/run/token',
    'hsms-proxy': '10.0.0.5,10.0.1.0/24',
    'equipment-networks': '10.1.0.0/16,127.0.0.0/8',
  })
  expect(args.slice(6)).toEqual(
    '--hsms-proxy 10.0.0.5,10.0.1.0/24 --equipment-networks 10.1.0.0/16,127.0.0.0/8 --no-insecure-http --cors-origin https://a.example --cors-origin https://b.example --trust-proxy 10.0.0.1 --metrics-token-file /run/token --no-allow-local-sinks --keep 30d --keep-size 2GiB --sinks-keep 7d --sinks-keep-size 1GiB'.split(
      ' ',
    ),
  )
})

test('origins are those of the flags, or of the environment where there is no flag', async () => {
  const env = { SECSCTL_CORS_ORIGIN: 'https://a.example, http://localhost:3000' }
  const origins = async (given: GivenSettings, variables: Readonly<Record<string, string>>) =>
    (await requireSettings(given, variables)).settings['cors-origin']
  expect(await origins({}, env)).toEqual(['https://a.example', 'http://localhost:3000'])
  expect(await origins({ 'cors-origin': ['https://c.example'] }, env)).toEqual(['https://c.example'])
  expect(await origins({}, {})).toBeUndefined()
})

test.each([
  '*',
  'null',
  'app.example',
  'https://app.example/',
  'https://App.example',
  'https://app.example:443',
])('no browser sends the origin %s, and so it is refused', async (origin) => {
  await expect(requireSettings({}, { SECSCTL_CORS_ORIGIN: origin })).rejects.toMatchObject({ kind: 'usage' })
})

test('the arguments of a daemon give the settings that they were made of', async () => {
  const given: GivenSettings = {
    config: '/etc/secsctl/daemon.yaml',
    port: 0,
    'tls-cert': '/etc/cert.pem',
    'insecure-http': false,
    'allow-local-sinks': true,
    'cors-origin': ['https://a.example', 'https://b.example'],
    'equipment-networks': '10.1.0.0/16,127.0.0.0/8',
  }
  expect(await settingsIn(daemonArguments(given))).toEqual(given)
  expect(daemonArguments({ 'accept-loss': true, 'accept-edits': false }, true)).toEqual([])
  expect(daemonArguments({ 'accept-loss': true, 'accept-edits': false })).toEqual(['--accept-loss'])
})

test.each(['10.0.0.1', '10.0.0.0/8', '10.0.0.0/255.0.0.0', 'fd00::/8', 'loopback'])(
  'a proxy may be %s',
  async (text) => {
    expect(await parsedFlag('trust-proxy', text)).toBe(text)
  },
)

test.each(['', ' ', ','])('no network (%j) is not the same as any', async (text) => {
  await expect(parsedFlag('equipment-networks', text)).rejects.toThrow(
    '--equipment-networks names no network',
  )
})

test.each(['proxy.fab', '10.0.0.0/64', '10.0.0'])('a proxy may not be %s', async (text) => {
  await expect(parsedFlag('trust-proxy', text)).rejects.toThrow('--trust-proxy takes an address or a network')
})

test('the token of the metrics is that of the file, or of the environment where there is no file', async () => {
  const env = { SECSCTL_METRICS_TOKEN: 'of-the-environment' }
  expect(await readMetricsToken(file('of-the-file\n'), env)).toBe('of-the-file')
  expect(await readMetricsToken(undefined, env)).toBe('of-the-environment')
  expect(await readMetricsToken(undefined, { SECSCTL_METRICS_TOKEN: '' })).toBeUndefined()
})

test.each(['', '\n', 'two words', 'a,b'])('a file that holds %j holds no token', async (text) => {
  await expect(readMetricsToken(file(text), {})).rejects.toMatchObject({ kind: 'usage' })
})

test('a key or a token that others could have read is not used, and the command that mends it is told', async () => {
  const path = file('a-token')
  chmodSync(path, 0o604)
  const refused = { name: 'NotPrivate', hint: `chmod 600 ${path}` }
  await expect(readMetricsToken(path, {})).rejects.toMatchObject(refused)
  await expect(readCertificate({ 'tls-cert': path, 'tls-key': path })).rejects.toMatchObject(refused)
  chmodSync(path, 0o600)
  expect(await readMetricsToken(path, {})).toBe('a-token')
})

test('a file that cannot be read is reported with its flag', async () => {
  const missing = join(folder, 'missing')
  await expect(readMetricsToken(missing, {})).rejects.toThrow(
    /^--metrics-token-file cannot be read: .*missing/,
  )
  await expect(readCertificate({ 'tls-cert': missing, 'tls-key': missing })).rejects.toThrow(
    /^--tls-key cannot/,
  )
  expect(await readCertificate({})).toBeUndefined()
})
