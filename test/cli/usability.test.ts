import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DOCUMENTED_VARIABLES } from '../../src/cli/environment-variables.js'
import { arranged } from '../../src/cli/run.js'
import { runCommand } from '../support/command.js'
import { FakeGateway, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const etcher = sampleEquipment()
const ANN = { id: 'usr_1', email: 'ann@fab.example', name: 'Ann', role: 'admin' }
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /readyz': () => ({ body: { status: 'ok' } }),
  'POST /auth/login': () => ({ body: { token: 'first', expires_at: '2999-01-01T00:00:00.000Z', user: ANN } }),
  'POST /auth/refresh': () => ({
    body: { token: 'second', expires_at: '2999-01-01T00:00:00.000Z', user: ANN },
  }),
})
const env = served(gateway, secsctl)

const run = (...args: string[]) => secsctl.run(args, { env })

describe('help', () => {
  test.each([['alarm'], ['help', 'alarm'], ['alarm', '--help']])(
    '%j lists the commands of its plural',
    async (...args) => {
      const { code, stdout } = await run(...(args as string[]))
      expect(code).toBe(0)
      expect(stdout).toContain('alarms ack')
    },
  )

  test('has dots where several words are taken, and there alone', async () => {
    expect((await run('send', '--help')).stdout).toMatch(/^ {2}EQUIPMENT {2}[\s\S]*?\n {2}\[MESSAGE\] /m)
    expect((await run('constants', 'set', '--help')).stdout).toMatch(
      /^ {2}EQUIPMENT {2,}[\s\S]*?\n {2}CONSTANT\.\.\. /m,
    )
    expect((await run('equipment', 'connect', '--help')).stdout).toContain('[EQUIPMENT...]')
  })

  test('help environment lists every variable that the sources name', async () => {
    const sources = ['src', 'commands', 'bin'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[tj]s$/.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    )
    const named = new Set(sources.join('\n').match(/\bSECSCTL_[A-Z]+(_[A-Z]+)*\b/g))
    const listed = DOCUMENTED_VARIABLES.map(([name]) => name)
    // What `daemon start` gives the daemon that it starts, `conform` its gateway, and `events tail` its command.
    const inner = /^SECSCTL_(DAEMON_LOG|ENDS_WITH_INPUT|EVENT_.+)$/
    expect([...named].filter((name) => !listed.includes(name) && !inner.test(name))).toEqual([])
    const { code, stdout } = await run('help', 'environment')
    expect(code).toBe(0)
    for (const name of listed) expect(stdout).toContain(name)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

describe('global flags before the command', () => {
  test.each([
    [
      ['--json', 'equipment', 'list'],
      ['equipment', 'list', '--json'],
    ],
    [
      ['-o', 'json', '--url', 'http://x', 'eq', 'list', '-x'],
      ['eq', 'list', '-x', '-o', 'json', '--url', 'http://x'],
    ],
    [
      ['--url=http://x', 'send', '--', '-1'],
      ['send', '--url=http://x', '--', '-1'],
    ],
    [
      ['--json', 'help', 'alarms'],
      ['alarms', '--help', '--json'],
    ],
    [['--version'], ['--version']],
    [['--json'], ['--json']],
  ])('%j is %j', (given, taken) => {
    expect(arranged(given)).toEqual(taken)
  })

  test('work', async () => {
    const { code, stdout } = await run('--json', 'equipment', 'list')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'etcher' }])
  })
})

test.each([
  ['explain', 'S9F7'],
  ['sml', 'encode', '<U4 1>'],
  ['messages', 'describe', 'S1F1'],
  ['completion', 'bash'],
  ['simulator', 'models'],
  ['simulator', 'fleet', '2', 'etcher'],
  ['daemon', 'status'],
  ['daemon', 'stop'],
  ['profiles', 'list'],
  ['demo'],
  ['conform', '127.0.0.1:5000'],
])('%s %s asks no gateway, and refuses to be told one', async (...args) => {
  for (const flag of [
    ['--url', 'http://127.0.0.1:1'],
    ['--profile', 'fab'],
  ]) {
    const { code, stdout, stderr } = await run(...args, ...flag)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('no effect')
  }
})

/** What engineers type before they have read the help, and what they are told. */
test.each([
  ['equipment add etcher 10.0.0.5 --port 5000', '--address 10.0.0.5:5000'],
  ['equipment add etcher 10.0.0.5:5000', '--address 10.0.0.5:5000'],
  ['equipment add etcher --host 10.0.0.5', '--address'],
  ['daemon logs -f', '--follow'],
  ['add etcher --address 10.0.0.5:5000', 'secsctl equipment add etcher'],
  ['tool show etcher', 'secsctl equipment show etcher'],
  ['equipment status etcher', 'secsctl equipment show etcher'],
  ['status etcher', 'secsctl equipment show etcher'],
  ['read etcher ChamberPressure', 'secsctl variables show etcher ChamberPressure'],
  ['send S1F3 etcher', 'secsctl send etcher S1F3'],
  ['send etcher S1F3 <L>', "secsctl send etcher 'S1F3 W <L>'"],
  ['send etcher S1F3 1001', 'KEY=VALUE'],
  ['rcmd etcher START', 'secsctl command etcher START'],
  ['command etcher START LOT1', 'LOTID=L1'],
  ['alarms list --open', '--active'],
  ['alarms ack', '--all'],
  ['events list --follow', '--watch'],
  ['follow etcher', 'secsctl events tail etcher'],
  ['token create reader', 'secsctl keys add reader'],
  ['keys add reader --read-only', '--role'],
  ['wire tail etcher --bytes', '--hex'],
  ['send S1F1 --equipment etcher --all', '--equipment and --all'],
])('%s names what is right', async (line, right) => {
  const { stderr, exitCode } = await runCommand(line.split(' '), {})
  expect(exitCode).toBe(2)
  expect(stderr).toContain(right)
})

test('what is cut ends in ASCII where the locale is C', async () => {
  const drawn = async (LC_ALL: string): Promise<string> =>
    (await runCommand(['equipment', 'list'], { gateway, variables: { LC_ALL }, columns: 40 })).stdout
  expect(await drawn('C')).toMatch(/^[\x20-\x7e\n]*$/)
  expect(await drawn('C.UTF-8')).toContain('…')
})

test('a gateway that nothing answers for is exit 6, logged in or not', async () => {
  const nobody = { SECSCTL_URL: 'http://127.0.0.1:1' }
  expect(await secsctl.run(['equipment', 'list'], { env: nobody })).toMatchObject({ code: 6, stdout: '' })
  const { SECSCTL_URL } = env
  expect(await secsctl.run(['equipment', 'list'], { env: { SECSCTL_URL: SECSCTL_URL ?? '' } })).toMatchObject(
    { code: 4 },
  )
})

test.each(['encode', 'decode', 'format'])('sml %s takes a text as its argument', async (verb) => {
  const text = verb === 'decode' ? '0101b10400000001' : 'S1F3 W <L <U4 1>>.'
  const { code, stdout, stderr } = await run('sml', verb, text)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(verb === 'encode' ? '0101b10400000001' : '<U4 1>')
  expect(await run('sml', verb, 'nosuchfile')).toMatchObject({ code: 2 })
})

test('api POST /auth/refresh keeps the token that it was given', async () => {
  const { SECSCTL_URL = '' } = env
  const here = { SECSCTL_PASSWORD: 'correct horse battery' }
  await secsctl.run(['login', '--url', SECSCTL_URL, '--email', ANN.email], { env: here })
  const { code, stdout } = await secsctl.run(['api', 'POST', '/auth/refresh'])
  expect({ code, token: (JSON.parse(stdout) as { token: string }).token }).toEqual({
    code: 0,
    token: 'second',
  })
  gateway.calls.splice(0)
  await secsctl.run(['equipment', 'list'])
  expect(gateway.calls.at(-1)?.headers['authorization']).toBe('Bearer second')
})

test('sml encode says of which messages there are no bytes, as they have no body', async () => {
  expect(await run('sml', 'encode', 'S1F1 W.')).toEqual({
    code: 0,
    stdout: '\n',
    stderr: 'S1F1 has no body.\n',
  })
  const many = ['1', '3', '5', '7', '9', '11', '13'].map((number) => `S9F${number}.`).join('\n')
  expect((await run('sml', 'encode', many)).stderr).toBe(
    'S9F1, S9F3, S9F5, S9F7, S9F9 and 2 more have no body.\n',
  )
  expect((await run('sml', 'encode', 'S1F3 W <L>.')).stderr).toBe('')
})
