import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.js'
import { FIRST_CERTIFICATE } from '../../support/certificates.js'
import { runCommand } from '../../support/command.js'
import { Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const path = (name: string): string => join(secsctl.home, 'etc', name)
const file = (name: string, text: string, mode = 0o600): string => {
  writeFileSync(path(name), text, { mode })
  return path(name)
}
beforeAll(() => mkdirSync(path('')))
afterAll(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

const check = (...args: string[]) => secsctl.run(['daemon', 'check-config', ...args])

test('the configuration is shown with the source of each value', async () => {
  const config = file('daemon.yaml', 'port: 7400\nkeep: 40d\nhsms_host: 127.0.0.1\n')
  const { code, stdout, stderr } = await secsctl.run(
    ['daemon', 'check-config', config, '--port', '7500', '--no-insecure-http'],
    { env: { SECSCTL_KEEP: '50d', SECSCTL_METRICS_TOKEN: 'hush' } },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${config} is valid.\n` })
  const lines = stdout.split('\n')
  expect(lines).toContain('port\t7500\tflag\t--port')
  expect(lines).toContain('insecure_http\tfalse\tflag\t--insecure-http')
  expect(lines).toContain('keep\t50d\tenvironment\tSECSCTL_KEEP')
  expect(lines).toContain(`hsms_host\t127.0.0.1\tfile\t${config}:3`)
  expect(lines).toContain('keep_size\t2GiB\tdefault\t')
  expect(lines).toContain('metrics_token_file\t(not shown)\tenvironment\tSECSCTL_METRICS_TOKEN')
  expect(stdout).not.toContain('hush')
})

test('the file may be named by a variable, and without one that is said', async () => {
  const config = file('other.yaml', 'keep: 41d\n')
  const named = await secsctl.run(['daemon', 'check-config'], { env: { SECSCTL_CONFIG: config } })
  expect(named.stdout).toContain(`keep\t41d\tfile\t${config}:1`)
  expect((await check()).stderr).toContain('No configuration file is given')
})

test('all that is wrong is reported at once, with exit code 2', async () => {
  const config = file(
    'wrong.yaml',
    [
      'kep: 30d',
      'metrics_token_file: missing',
      'tls_cert: wrong.yaml',
      'tls_key: wrong.yaml',
      'catalogue: nowhere.json',
      'admin_email: ann@fab.example',
      'store: postgres://db.fab/x',
      'store_key_file: open',
    ].join('\n'),
  )
  const open = file('open', 'ab', 0o644)
  const { code, stdout, stderr } = await check(config)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const faults = [
    [1, 'there is no setting kep: write keep'],
    [2, `metrics_token_file cannot be read: there is no file ${path('missing')}`],
    [3, 'tls_cert and tls_key are no certificate chain and its private key in PEM'],
    [5, 'catalogue: the catalogue cannot be read'],
    [6, 'admin_email and its password (admin_password_file or SECSCTL_ADMIN_PASSWORD) belong together'],
    [8, `store_key_file: ${open} is open to other users (mode 0644): chmod 600 ${open}`],
  ] as const
  const lines = stderr.split('\n')
  expect(lines[0]).toBe('Error: the configuration has 6 faults:')
  for (const [at, [line, text]] of faults.entries())
    expect(lines[at + 1]).toContain(`${config}, line ${line}: ${text}`)

  const json = await check(config, '--json')
  expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 2, stderr: '' })
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    config,
    faults: faults.map(([line, text]) => ({
      file: config,
      line,
      detail: expect.stringContaining(text.split(': chmod')[0] ?? ''),
    })),
  })
})

test('no fault hides another one', async () => {
  file('open', 'ab', 0o644)
  const rows: readonly (readonly [line: string, fault: RegExp, also?: RegExp])[] = [
    ['keep: 60x', /keep takes/],
    ['keep: 1d', /already set in line 1/],
    ['nope: 1', /no setting nope/],
    ['port: 99999', /port takes/],
    ['tls_cert: none.pem', /no file/, /tls_cert needs tls_key/],
    ['host: 300.1.1.1', /no address/],
    ['store: postgres://db.fab/x?sslmode=verify-ca', /verify-ca/],
    ['store_key_file: open', /open to other users/],
    ['store_password_file: none', /no file/],
    ['node_ca_file: none', /no file/],
    ['admin_password_file: open', /open to other users/, /needs admin_email/],
  ]
  const config = file('many.yaml', rows.map(([line]) => `${line}\n`).join(''))
  const { faults } = JSON.parse((await check(config, '--json')).stdout) as {
    faults: { line: number; detail: string }[]
  }
  for (const [at, [line, ...expected]] of rows.entries()) {
    const details = faults.filter((fault) => fault.line === at + 1).map(({ detail }) => detail)
    expect(details, line).toHaveLength(expected.length)
    for (const fault of expected) expect(details.some((detail) => fault?.test(detail))).toBe(true)
  }
})

test('a certificate that has expired is named by its own line and its own file', async () => {
  file('cert.pem', FIRST_CERTIFICATE.cert)
  file('key.pem', FIRST_CERTIFICATE.key)
  const config = file('expired.yaml', 'tls_key: key.pem\ntls_cert: cert.pem\n')
  const clock = { ...systemClock, date: () => new Date('2999-01-01T00:00:00Z') }
  const variables = { SECSCTL_HOME: secsctl.home }
  const { exitCode, stderr } = await runCommand(['daemon', 'check-config', config], { variables, clock })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`${config}, line 2: tls_cert: `)
  expect(stderr).toContain(`-in ${path('cert.pem')}`)
})

test('an address beyond this machine needs a certificate', async () => {
  const { stderr } = await check(file('far.yaml', 'host: 0.0.0.0\n'))
  expect(stderr).toContain('line 1: host 0.0.0.0 is beyond this machine')
  expect(stderr).toContain('Give tls_cert and tls_key, or insecure_http')
  expect((await check(file('far.yaml', 'host: 0.0.0.0\ninsecure_http: true\n'))).code).toBe(0)
})

test('the sample is a file that can be used, and the schema is JSON', async () => {
  const { stdout } = await check('--print-sample')
  expect((await check(file('sample.yaml', stdout))).code).toBe(0)
  const schema = JSON.parse((await check('--print-schema')).stdout) as { properties: object }
  expect(Object.keys(schema.properties)).toContain('equipment_networks')
})

test('a daemon runs with its file, says so, and reads it again at a restart', async () => {
  const password = file('password', 'a long enough password\n')
  const text = (keep: string) =>
    `port: 0\nhsms_host: 127.0.0.1\nkeep: ${keep}\nadmin_email: ann@fab.example\nadmin_password_file: password\n`
  const config = file('daemon.yaml', text('40d'))
  const run = (...args: string[]) => secsctl.run(['daemon', ...args], { env: { SECSCTL_KEEP_SIZE: '1GiB' } })
  expect(await run('start', '--config', config, '--sinks-keep', '3d')).toMatchObject({ code: 0 })
  expect((await run('start', '--config', config, '--sinks-keep', '3d')).stderr).not.toContain('restart')
  const who = await secsctl.run(['whoami', '--json'])
  expect(JSON.parse(who.stdout)).toMatchObject({ email: 'ann@fab.example', role: 'admin' })
  const status = await secsctl.run(['daemon', 'status'])
  expect(status.stdout).toContain(`config\t${config}\n`)
  for (const line of [
    `keep\t40d\tfile\t${config}:3`,
    'keep_size\t1GiB\tenvironment\tSECSCTL_KEEP_SIZE',
    'sinks_keep\t3d\tflag\t--sinks-keep',
    'sinks_keep_size\t1GiB\tdefault\t',
    `admin_password_file\t${password}\tfile\t${config}:5`,
  ])
    expect(status.stdout).toContain(`${line}\n`)

  const settings = async () => {
    const { stdout } = await secsctl.run(['daemon', 'status', '--json'])
    const { settings, pid } = JSON.parse(stdout) as { settings: { name: string }[]; pid: number }
    return { pid, of: (name: string) => settings.find((one) => one.name === name) }
  }
  expect(status.stderr).toBe('')
  const before = await settings()
  file('daemon.yaml', text('forever'))
  const refused = await secsctl.run(['daemon', 'restart'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${config}, line 3: keep takes`) })
  expect((await settings()).pid).toBe(before.pid)
  const changed = await secsctl.run(['daemon', 'status'])
  expect(changed.stderr).toContain(`${config} was changed after the start`)

  file('daemon.yaml', text('60d'))
  expect(await secsctl.run(['daemon', 'restart'])).toMatchObject({ code: 0 })
  const after = await settings()
  expect(after.of('keep')).toMatchObject({ value: '60d', source: 'file' })
  expect(after.of('keep_size')).toMatchObject({ value: '1GiB', source: 'environment' })
  expect(after.of('sinks_keep')).toMatchObject({ value: '3d', source: 'flag' })
  expect(await secsctl.run(['daemon', 'restart', '--sinks-keep', '4d'])).toMatchObject({ code: 0 })
  const flagged = await settings()
  expect(flagged.of('keep')).toMatchObject({ value: '60d', source: 'file' })
  expect(flagged.of('sinks_keep')).toMatchObject({ value: '4d', source: 'flag' })
  const kept = readFileSync(join(secsctl.home, 'state', 'daemon.json'), 'utf8')
  expect(kept).not.toContain('a long enough password')
  await secsctl.run(['daemon', 'stop'])
})

test('a start with a wrong file says what is wrong, and so does run', async () => {
  const config = file('bad.yaml', 'prot: 1\n')
  for (const verb of ['start', 'run']) {
    const { code, stderr } = await secsctl.run(['daemon', verb, '--config', config])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Error: ${config}, line 1: there is no setting prot: write port\nTry: secsctl daemon check-config ${config}\n`,
    })
  }
  const nowhere = file('bad.yaml', 'host: no.such.host.invalid\ninsecure_http: true\n')
  const unknown = await secsctl.run(['daemon', 'run', '--config', nowhere])
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 1: host no.such.host.invalid is no address of this machine'),
  })
  rmSync(config)
  const gone = await secsctl.run(['daemon', 'run', '--config', config])
  expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') })
})

test('a unit has the file, and the flags and plain variables of the shell', async () => {
  const config = file('daemon.yaml', 'port: 443\nkeep: 40d\n')
  const { code, stdout } = await secsctl.run(
    ['daemon', 'install', '--print', '--system', '--config', config, '--keep-size', '1GiB'],
    { env: { SECSCTL_EQUIPMENT_NETWORKS: '10.1.0.0/16', SECSCTL_ADMIN_EMAIL: 'ann@fab.example' } },
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(
      `^ExecStart=\\S+ .*daemon run --config ${config} --equipment-networks 10\\.1\\.0\\.0/16 --keep-size 1GiB$`,
      'm',
    ),
  )
  expect(stdout).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE')
})

test('an address that is none, and all networks that are none, are refused', async () => {
  const config = file(
    'wrong.yaml',
    'hsms_host: 300.1.1.1\nequipment_networks: [10.0.0.0/99, 10.1.0.0/16, fab]\n',
  )
  const { code, stderr } = await check(config)
  expect(code).toBe(2)
  for (const said of ['300.1.1.1', '10.0.0.0/99', '"fab"']) expect(stderr).toContain(said)
})
