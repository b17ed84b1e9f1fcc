import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DAEMON_FLAGS, type GivenSettings, ONCE } from '../../../src/cli/daemon/daemon-flags.js'
import { asBefore } from '../../../src/cli/daemon/settings/as-before.js'
import { sampleFile } from '../../../src/cli/daemon/settings/sample.js'
import { settingsSchema } from '../../../src/cli/daemon/settings/schema.js'
import { effectiveSettings, requireSettings } from '../../../src/cli/daemon/settings/settings.js'

let folder: string
let config: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
  config = join(folder, 'daemon.yaml')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Variables = Readonly<Record<string, string>>

function effective(text: string, given: GivenSettings = {}, variables: Variables = {}) {
  writeFileSync(config, text, { mode: 0o644 })
  return effectiveSettings({ config, ...given }, variables)
}

/** Line and text of each fault of a file. */
const faultsOf = async (text: string): Promise<readonly (readonly [number | undefined, string])[]> =>
  (await effective(text)).faults.map(({ line, detail }) => [line, detail])

/** The lines of the sample that set something. */
const sampleSettings = sampleFile()
  .split('\n')
  .filter((line) => /^#(\w+: |auth:$| {2,}[^ #])/.test(line))
  .map((line) => line.slice(1))

describe('the schema', () => {
  const schema = settingsSchema() as { properties: Record<string, { description?: string }> }
  const named = Object.keys(DAEMON_FLAGS).map((flag) => flag.replaceAll('-', '_'))

  test('has every flag of the daemon, but not those that are for one start or name the file', () => {
    const alone = ['config', ...ONCE.map((flag) => flag.replaceAll('-', '_'))]
    expect(Object.keys(schema.properties).sort()).toEqual(
      [...named.filter((name) => !alone.includes(name)), 'auth'].sort(),
    )
    for (const { description } of Object.values(schema.properties)) expect(description).toMatch(/\.$/)
  })

  test('takes the sample with all of its settings, and so does the daemon', async () => {
    const text = sampleSettings.join('\n')
    const value = parse(text) as Record<string, unknown>
    expect(Object.keys(value)).toEqual(Object.keys(schema.properties))
    const validate = new Ajv({ strict: true }).compile(schema)
    expect([validate(value), validate.errors]).toEqual([true, null])
    const { faults, list } = await effective(text)
    expect(faults).toEqual([])
    expect(new Set(list.map(({ source }) => source))).toEqual(new Set(['file']))
    expect(validate({ nonsense: 1 })).toBe(false)
    expect(validate({ port: '7327' })).toBe(false)
  })

  test('of the sample sets nothing before it is edited', async () => {
    const { faults, list } = await effective(sampleFile())
    expect(faults).toEqual([])
    expect(new Set(list.map(({ source }) => source))).toEqual(new Set(['default']))
  })
})

describe('a value', () => {
  const sourceOf = async (
    name: string,
    text: string,
    given: GivenSettings = {},
    variables: Variables = {},
  ) => {
    const { list, faults } = await effective(text, given, variables)
    expect(faults).toEqual([])
    return list.find((one) => one.name === name)
  }

  test('is that of the flag, else of the environment, else of the file, else the default', async () => {
    const text = '# retention\nkeep: 40d\n'
    const variables = { SECSCTL_KEEP: '50d' }
    expect(await sourceOf('keep', text, { keep: '60d' }, variables)).toEqual({
      name: 'keep',
      value: '60d',
      source: 'flag',
    })
    expect(await sourceOf('keep', text, {}, variables)).toEqual({
      name: 'keep',
      value: '50d',
      source: 'environment',
      variable: 'SECSCTL_KEEP',
    })
    expect(await sourceOf('keep', text)).toEqual({ name: 'keep', value: '40d', source: 'file', line: 2 })
    expect(await sourceOf('keep', text, {}, { SECSCTL_KEEP: '' })).toMatchObject({ source: 'file' })
    expect(await sourceOf('keep', '')).toEqual({ name: 'keep', value: '30d', source: 'default' })
  })

  test('that is false as a flag wins over one that is true in the file', async () => {
    const text = 'insecure_http: true\n'
    expect(await sourceOf('insecure_http', text)).toMatchObject({ value: true, source: 'file' })
    expect(await sourceOf('insecure_http', text, { 'insecure-http': false })).toMatchObject({
      value: false,
      source: 'flag',
    })
  })

  test('that is a path is relative to the folder of the file', async () => {
    const { settings } = await effective(
      'tls_cert: cert.pem\ntls_key: /etc/key.pem\nstore: postgres://db/x?sslrootcert=ca.pem\n',
    )
    expect(settings).toMatchObject({ 'tls-cert': join(folder, 'cert.pem'), 'tls-key': '/etc/key.pem' })
    expect(new URL(settings.store ?? '').searchParams.get('sslrootcert')).toBe(join(folder, 'ca.pem'))
  })

  test('that is a list may be one text', async () => {
    const text = 'equipment_networks: [10.1.0.0/16, 10.2.0.0/16]\ncors_origin: https://a.example\n'
    const { settings, list } = await effective(text)
    expect(settings).toMatchObject({
      'equipment-networks': '10.1.0.0/16,10.2.0.0/16',
      'cors-origin': ['https://a.example'],
    })
    expect(list.find(({ name }) => name === 'equipment_networks')?.value).toEqual([
      '10.1.0.0/16',
      '10.2.0.0/16',
    ])
  })

  test('that is secret is not shown, and one of the environment takes the place of a file', async () => {
    const text = [
      'store: postgres://secsctl@db.fab/site',
      'metrics_token_file: token',
      'admin_email: ann@fab.example',
      'admin_password_file: password',
    ].join('\n')
    const variables = {
      SECSCTL_STORE: 'postgres://secsctl:hush@db2.fab/site',
      SECSCTL_METRICS_TOKEN: 'hush',
      SECSCTL_ADMIN_PASSWORD: 'hush hush hush',
    }
    const { settings, list } = await effective(text, {}, variables)
    expect(JSON.stringify(list)).not.toContain('hush')
    expect(list).toContainEqual({
      name: 'store',
      value: 'postgres://secsctl@db2.fab/site',
      source: 'environment',
      variable: 'SECSCTL_STORE',
    })
    expect(settings.store).toBeUndefined()
    expect(settings['metrics-token-file']).toBeUndefined()
    expect(settings['admin-password-file']).toBeUndefined()
    expect(settings['admin-email']).toBe('ann@fab.example')
    const flagged = await effective(text, { 'metrics-token-file': '/flag' }, variables)
    expect(flagged.settings['metrics-token-file']).toBe('/flag')
  })

  test('of the environment is there again at a restart by a shell without it, but no secret', async () => {
    const variables = {
      SECSCTL_KEEP: '50d',
      SECSCTL_CORS_ORIGIN: 'https://a.example',
      SECSCTL_METRICS_TOKEN: 'x',
    }
    const { list } = await effective('', {}, variables)
    const address = { settings: list, flags: ['--port', '0'], url: 'http://127.0.0.1:7400' }
    const before = { ...address, config: '/etc/a.yaml', pid: 1, data_folder: '', log: null, started_at: '' }
    expect(await asBefore(before, { SECSCTL_CORS_ORIGIN: 'https://b.example' })).toEqual({
      given: { port: 7400 },
      variables: {
        SECSCTL_CONFIG: '/etc/a.yaml',
        SECSCTL_KEEP: '50d',
        SECSCTL_CORS_ORIGIN: 'https://b.example',
      },
    })
    const { variables: own } = await asBefore(before, { SECSCTL_CONFIG: '/etc/b.yaml' })
    expect(own['SECSCTL_CONFIG']).toBe('/etc/b.yaml')
  })

  test('of the environment that is wrong is reported with its variable', async () => {
    const variables = { SECSCTL_KEEP: '1h', SECSCTL_STORE: 'mysql://db', SECSCTL_CORS_ORIGIN: '*' }
    const { faults } = await effective('', {}, variables)
    expect(faults.map(({ variable, detail }) => [variable, detail])).toEqual([
      ['SECSCTL_CORS_ORIGIN', expect.stringMatching(/^SECSCTL_CORS_ORIGIN: an origin is a scheme/)],
      ['SECSCTL_KEEP', expect.stringMatching(/^SECSCTL_KEEP takes a duration of a day or more, .*not "1h"/)],
      ['SECSCTL_STORE', expect.stringMatching(/^SECSCTL_STORE takes the URL of a PostgreSQL database/)],
    ])
  })
})

describe('a file', () => {
  test('is read to its end: every fault is reported with its line and what to write instead', async () => {
    const text = [
      'port: "7400"',
      'insecure_http: yes',
      'tls-cert: cert.pem',
      'kep: 30d',
      'keep: 30',
      'keep_size: 1MB',
      'tls: { cert: x }',
      'nodeName: a',
      'cors_origin: [https://a.example, 7]',
      'equipment_networks: 10.1.0.0/99',
      'lease:',
      'host: [127.0.0.1]',
      'node_name: 17',
      'accept_loss: true',
      'config: other.yaml',
      'store: postgres://me:hush@db/x',
      'sinks_keep: 1d',
      'sinks_keep: 2d',
      'whatever: 1',
      'trust_proxy: []',
      `${'x'.repeat(101)}: 1`,
    ].join('\n')
    const faults = await faultsOf(text)
    expect(JSON.stringify(faults)).not.toContain('hush')
    expect(faults).toEqual([
      [1, 'port takes a whole number from 0 to 65535: write port: 7400'],
      [2, 'insecure_http takes true or false: write insecure_http: true'],
      [3, 'there is no setting tls-cert: write tls_cert'],
      [4, 'there is no setting kep: write keep'],
      [5, expect.stringMatching(/^keep takes a duration of a day or more, .*not "30"/)],
      [6, expect.stringMatching(/^keep_size takes a size of 64MiB or more, such as 512MiB/)],
      [7, 'there is no setting tls: write tls_cert or tls_key'],
      [8, 'there is no setting nodeName: write node_name'],
      [9, 'cors_origin takes a list of texts: write cors_origin: [https://app.example]'],
      [10, expect.stringMatching(/^equipment_networks: "10\.1\.0\.0\/99" is neither an address nor/)],
      [11, 'lease has no value; remove the line, or: write lease: 10s'],
      [12, 'host takes one value: write host: 127.0.0.1'],
      [13, 'node_name takes text: write node_name: "17"'],
      [14, expect.stringContaining('accept_loss is for one start, and not for a file')],
      [15, 'a configuration file cannot name another one: remove the line'],
      [16, expect.stringMatching(/^store has a password: .*store_password_file$/)],
      [18, 'sinks_keep is already set in line 17: remove one of them'],
      [19, expect.stringMatching(/^there is no setting whatever: `secsctl daemon check-config/)],
      [20, 'trust_proxy has no value; remove the line, or: write trust_proxy: [10.0.0.1]'],
      [21, 'there is no setting with such a long name: remove the line'],
    ])
    await expect(requireSettings({ config }, {})).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/^the configuration has 20 faults:\n {2}\/.*daemon\.yaml, line 1: port/),
      hint: `secsctl daemon check-config ${config}`,
    })
  })

  test.each([
    ['keep: [30d', 1],
    ['keep: 30d\n\tport: 1', 2],
    ['- keep: 30d', 1],
    ['just text', 1],
    ['port: 1\n---\nport: 2', 2],
  ])('that is no map of settings is one fault with its line: %j', async (text, line) => {
    expect(await faultsOf(text)).toEqual([[line, expect.stringMatching(/./)]])
  })

  test.each(['', '\n', '# nothing\n', '{}', '---\n'])('may set nothing: %j', async (text) => {
    expect(await faultsOf(text)).toEqual([])
  })

  test('that cannot be read is one fault', async () => {
    const missing = join(folder, 'missing.yaml')
    const { faults } = await effectiveSettings({ config: missing }, {})
    expect(faults).toEqual([
      { setting: null, file: missing, detail: 'the file cannot be read: there is no such file' },
    ])
    mkdirSync(join(folder, 'sub'))
    const of = async (path: string) => (await effectiveSettings({ config: path }, {})).faults[0]?.detail
    expect(await of(join(folder, 'sub'))).toBe('the file cannot be read: it is a folder')
    writeFileSync(join(folder, 'latin'), Buffer.from([0x61, 0xff, 0x3a]))
    expect(await of(join(folder, 'latin'))).toContain('is not UTF-8')
    writeFileSync(join(folder, 'large'), Buffer.alloc(1024 * 1024 + 1, 0x23))
    expect(await of(join(folder, 'large'))).toContain('more than 1048576 bytes')
  })

  test('that is a pipe is not used: a daemon in the background would read it again, and find nothing', async () => {
    const { faults } = await effectiveSettings({ config: '/dev/null' }, {})
    expect(faults).toMatchObject([{ detail: 'the file cannot be read: it is no plain file' }])
  })

  test('with very many faults has the first hundred listed', async () => {
    const faults = await faultsOf(Array.from({ length: 5000 }, (_, at) => `unknown_${at}: 1\n`).join(''))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toEqual([101, expect.stringContaining('further lines are not checked')])
  })

  test('that every user can change is not used', async () => {
    writeFileSync(config, 'port: 1\n')
    chmodSync(config, 0o666)
    const { faults } = await effectiveSettings({ config }, {})
    chmodSync(config, 0o644)
    expect(faults).toMatchObject([{ hint: `chmod o-w ${config}` }])
  })
})
