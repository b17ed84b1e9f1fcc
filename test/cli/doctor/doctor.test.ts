import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/finding.js'
import { REPORTS_MISSING, REPORTS_REFUSED } from '../../../src/contract/topics/reports.js'
import { type FakeAnswer, FakeGateway, problem } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { Secsctl } from '../../support/secsctl.js'
import { silentServer } from '../silent-server.js'

interface Told {
  readonly ok: boolean
  readonly exit: number
  readonly findings: readonly Finding[]
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const etcher = sampleEquipment()
const healthy: Readonly<Record<string, FakeAnswer>> = {
  'GET /readyz': { body: { status: 'ok' } },
  'GET /api/docs': { body: { info: { title: 'secsctl', version } } },
  'GET /users/me': {
    body: { id: 'u', email: 'op@fab.example', name: 'Op', role: 'operator', created_at: '' },
  },
  'GET /equipment': { body: { items: [etcher], next_cursor: null } },
  'GET /nodes': { body: { items: [], next_cursor: null } },
}
let answers = healthy
const SILENT: FakeAnswer = { isSilent: true }
/** How many more calls of a route have no answer. */
let slow: Record<string, number> = {}
function isSlowNow(route: string): boolean {
  const left = slow[route] ?? 0
  slow[route] = left - 1
  return left > 0
}
const gateway = new FakeGateway(
  Object.fromEntries(
    Object.keys(healthy).map((route) => [route, () => (isSlowNow(route) ? SILENT : (answers[route] ?? {}))]),
  ),
)

const secsctl = new Secsctl()
let env: Record<string, string> = {}

/** What is told, and that the exit code is the same in words. */
async function doctor(given = env): Promise<Told> {
  const { code, stdout, stderr } = await secsctl.run(['doctor', '--json'], { env: given })
  expect(stderr).toBe('')
  const told = JSON.parse(stdout) as Told
  expect({ code, ok: code === 0 }).toEqual({ code: told.exit, ok: told.ok })
  return told
}
const wrongs = ({ findings }: Told) => findings.filter(({ mark }) => mark === 'wrong')

beforeAll(async () => {
  env = { SECSCTL_URL: await gateway.listen(), SECSCTL_TOKEN: 'a-token' }
})
afterEach(() => {
  answers = healthy
  slow = {}
})
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

describe('where all is well', () => {
  test('nothing is wrong, and nothing has changed', async () => {
    const told = await doctor()
    expect(wrongs(told)).toEqual([])
    expect(told.exit).toBe(0)
    const said = told.findings.map(({ detail }) => detail)
    expect(said).toContain('op@fab.example, operator; token from SECSCTL_TOKEN')
    expect(said).toContain('communicating, ONLINE_REMOTE')
    expect(JSON.stringify(told)).not.toContain('a-token')
    expect(readdirSync(secsctl.home)).toEqual([])
    expect(new Set(gateway.calls.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  test('several daemons on one database are counted, and one that is gone is a note', async () => {
    const node = { url: 'http://gateway-1:7327', version, equipment: 1, lag: 0, alive: true }
    const nodes = (alive: boolean): FakeAnswer => ({
      body: {
        items: [
          // Before it was started again.
          { ...node, name: 'gateway-1', lag: 100_000, alive: false },
          { ...node, name: 'gateway-1' },
          { ...node, name: 'gateway-2', alive },
          { ...node, name: 'gateway-2', alive: false },
        ],
        next_cursor: null,
      },
    })
    const found = async (alive: boolean) => {
      answers = { ...healthy, 'GET /nodes': nodes(alive) }
      return (await doctor()).findings.find(({ name }) => name === 'daemons')
    }
    expect(await found(true)).toMatchObject({ mark: 'ok', detail: '2 daemons on one database' })
    const detail = '2 daemons on one database: gateway-2 is gone'
    expect(await found(false)).toMatchObject({ mark: 'wrong', detail, mend: 'secsctl daemon nodes' })
  })

  test('daemons of one version that are of two builds are a note', async () => {
    const node = { url: 'http://gateway-1:7327', equipment: 1, lag: 0, alive: true }
    const items = [
      { ...node, name: 'gateway-1', version: `${version}+0a1b2c3d` },
      { ...node, name: 'gateway-2', version: `${version}+4e5f6a7b` },
    ]
    answers = { ...healthy, 'GET /nodes': { body: { items, next_cursor: null } } }
    const { findings } = await doctor()
    expect(findings.find(({ name }) => name === 'daemons')).toMatchObject({
      mark: 'note',
      detail: expect.stringMatching(/of versions .*0a1b2c3d, .*4e5f6a7b/),
    })
    const { build } = JSON.parse(readFileSync('dist/package.json', 'utf8')) as { readonly build: string }
    expect(findings.find(({ name }) => name === 'secsctl')?.detail).toContain(`${version}+${build} on Node`)
  })

  test('people are told so, in a pipe by lines', async () => {
    const { code, stdout, stderr } = await secsctl.run(['doctor'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing is wrong.\n' })
    expect(stdout).toContain(`ok\tserver\treachable\t${env['SECSCTL_URL']}\t\n`)
  })
})

describe('what is wrong has a command that mends it', () => {
  test('an equipment that should be there and is not', async () => {
    const last_error = {
      code: 't6',
      detail: 'no Select.rsp within T6',
      at: '2026-03-01T08:00:00.000Z',
    } as const
    const down = sampleEquipment({
      connection_state: 'CONNECTING',
      communication_state: 'NOT_COMMUNICATING',
      last_error,
    })
    const unwanted = sampleEquipment({ name: 'old', enabled: false, connection_state: 'NOT_CONNECTED' })
    answers = { ...healthy, 'GET /equipment': { body: { items: [down, unwanted], next_cursor: null } } }
    const told = await doctor()
    expect(told.exit).toBe(8)
    expect(wrongs(told)).toMatchObject([
      {
        name: 'etcher',
        detail: expect.stringContaining('no Select.rsp within T6'),
        mend: 'secsctl equipment test 10.0.0.5:5000',
      },
    ])
  })

  test('equipment that is registered twice at one address: a note, since it may be meant', async () => {
    const [one, two] = ['etcher', 'etcher again'].map((name) => sampleEquipment({ name, enabled: false }))
    const active = sampleEquipment({ name: 'dials in', enabled: false, mode: 'active' })
    answers = { ...healthy, 'GET /equipment': { body: { items: [one, two, active], next_cursor: null } } }
    const told = await doctor()
    expect(told.exit).toBe(0)
    expect(told.findings.filter(({ area, mark }) => area === 'equipment' && mark === 'note')).toEqual([
      {
        area: 'equipment',
        name: 'etcher again',
        mark: 'note',
        detail: 'it has the address of etcher, 10.0.0.5:5000, and most equipment accepts one connection',
        mend: 'secsctl equipment show etcher',
      },
    ])
  })

  test.each([
    ['that were applied', REPORTS_MISSING, 'secsctl reports apply etcher - --again'],
    ['that could not be applied', REPORTS_REFUSED, 'secsctl reports apply etcher FILE'],
  ])('equipment without the event reports %s, with the command that applies them', async (_, what, mend) => {
    const health_reason = `${what}: S2F35 was refused`
    const bare = sampleEquipment({ health: 'degraded', health_reason })
    answers = { ...healthy, 'GET /equipment': { body: { items: [bare], next_cursor: null } } }
    const told = await doctor()
    expect(told.exit).toBe(8)
    expect(wrongs(told)).toMatchObject([{ name: 'etcher', mend: expect.stringContaining(mend) }])
  })

  test('a login that is over', async () => {
    answers = {
      ...healthy,
      'GET /users/me': { status: 401, body: problem(401, 'token_revoked', 'It was revoked.') },
    }
    const told = await doctor()
    expect(told.exit).toBe(4)
    expect(wrongs(told)).toMatchObject([{ name: 'login', mend: expect.stringContaining('secsctl login') }])
  })

  test('a server that cannot record', async () => {
    answers = { ...healthy, 'GET /readyz': { status: 503, body: problem(503, 'store_unavailable', 'no') } }
    expect(wrongs(await doctor())).toMatchObject([{ name: 'ready', kind: 'unexpected' }])
  })

  test('a log that lacks lines is worth a note', async () => {
    answers = { ...healthy, 'GET /readyz': { body: { status: 'ok', log_lines_dropped: 12 } } }
    const { findings, ok } = await doctor()
    expect(ok).toBe(true)
    expect(findings.find(({ area, name }) => area === 'server' && name === 'log')).toMatchObject({
      mark: 'note',
      detail: expect.stringContaining('12 lines could not be written'),
      mend: 'df -h',
    })
  })

  test('damage that the server has found in its history', async () => {
    answers = { ...healthy, 'GET /readyz': { body: { status: 'ok', damaged_files: 1 } } }
    const told = await doctor()
    expect(told.exit).toBe(9)
    expect(wrongs(told)).toMatchObject([
      {
        name: 'history',
        detail: expect.stringMatching(/^1 file of the recorded history is damaged/),
        mend: 'secsctl journal verify',
      },
    ])
    answers = { ...healthy, 'GET /readyz': { body: { status: 'ok', damaged_files: 0 } } }
    expect(wrongs(await doctor())).toEqual([])
  })

  test('a server that is another program', async () => {
    answers = { ...healthy, 'GET /api/docs': { status: 404, body: 'hello' } }
    expect(wrongs(await doctor())).toMatchObject([{ name: 'version', kind: 'unreachable' }])
  })

  test('a server of another version is worth a note', async () => {
    answers = { ...healthy, 'GET /api/docs': { body: { info: { version: '9.9.9' } } } }
    const { findings, exit } = await doctor()
    expect(exit).toBe(0)
    expect(findings.find(({ name }) => name === 'version')).toMatchObject({ mark: 'note' })
  })

  test('no daemon, and nobody logged in', async () => {
    const home = join(secsctl.home, 'nothing')
    const told = await doctor({ SECSCTL_HOME: home })
    expect(told.exit).toBe(6)
    expect(wrongs(told)).toMatchObject([{ area: 'server', mend: 'secsctl daemon start' }])
    expect(existsSync(home)).toBe(false)
  })

  test('a server that is not there', async () => {
    const told = await doctor({ SECSCTL_URL: 'http://127.0.0.1:9' })
    expect(told.exit).toBe(6)
    expect(wrongs(told)).toMatchObject([{ name: 'reachable', mend: 'curl -v http://127.0.0.1:9/readyz' }])
  })

  test('a profile that there is not', async () => {
    const told = await doctor({ SECSCTL_PROFILE: 'nonsense' })
    expect(told.exit).toBe(3)
    expect(wrongs(told)[0]).toMatchObject({ name: 'profile', mend: 'secsctl profiles list' })
  })

  test('a file of profiles that is damaged, which stays as it is', async () => {
    const other = new Secsctl()
    await other.run(['profiles', 'add', 'x', '--url', 'http://x'])
    const file = join(other.home, 'config', 'config.json')
    writeFileSync(file, '{"profiles":')
    const before = statSync(file).mtimeMs
    const { code, stdout } = await other.run(['doctor'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^wrong\tsettings\tprofile\t.*is damaged/m)
    expect(statSync(file).mtimeMs).toBe(before)
    other.remove()
  })

  test('a file of profiles that cannot be read, in words', async () => {
    const other = new Secsctl()
    const file = join(other.home, 'config', 'config.json')
    mkdirSync(file, { recursive: true, mode: 0o700 })
    const { stdout } = await other.run(['doctor'])
    const rows = stdout.split('\n').filter((line) => line.includes('it is a folder'))
    expect(rows.map((row) => row.split('\t').slice(0, 3))).toEqual([
      ['wrong', 'settings', 'profile'],
      ['wrong', 'settings', 'authority'],
    ])
    for (const row of rows) {
      expect(row).toContain(`${file} cannot be read: it is a folder. SECSCTL_HOME names another folder`)
      expect(row).toMatch(/\tls -ld .*config\.json$/)
    }
    other.remove()
  })
})

test('a server that never answers is not waited for long', async () => {
  const silent = await silentServer()
  const told = await doctor({ SECSCTL_URL: silent.url, SECSCTL_TOKEN: 'x' })
  expect(wrongs(told)).toMatchObject([{ name: 'reachable', detail: expect.stringContaining('in time') }])
  await silent.close()
})

describe('a server that is busy', () => {
  const down = sampleEquipment({ name: 'coater', communication_state: 'NOT_COMMUNICATING', enabled: true })
  const downOnly = { area: 'equipment', name: 'coater' }

  test('is asked once more, and hides nothing', async () => {
    answers = { ...healthy, 'GET /equipment': { body: { items: [down], next_cursor: null } } }
    slow = Object.fromEntries(Object.keys(healthy).map((route) => [route, 1]))
    expect(wrongs(await doctor())).toMatchObject([downOnly])
  }, 60_000)

  test('and leaves one question open is asked the others', async () => {
    answers = { ...healthy, 'GET /equipment': { body: { items: [down], next_cursor: null } } }
    slow = { 'GET /readyz': 100 }
    const busy = { name: 'reachable', detail: expect.stringContaining('may be busy') }
    expect(wrongs(await doctor())).toMatchObject([busy, downOnly])
    slow = { 'GET /api/docs': 100 }
    expect(wrongs(await doctor())).toMatchObject([{ name: 'version' }, downOnly])
  }, 60_000)
})

test('a daemon on this machine is reported with its data, and left alone', async () => {
  expect(await secsctl.run(['daemon', 'start', '--port', '0'])).toMatchObject({ code: 0 })
  const data = join(secsctl.home, 'data')
  const before = statSync(data).mtimeMs
  const told = await doctor({})
  expect(wrongs(told)).toEqual([])
  const names = told.findings.filter(({ area }) => area === 'daemon').map(({ name }) => name)
  expect(names).toEqual(['process', 'journal'])
  const { stderr } = await secsctl.run(['doctor'])
  expect(stderr).toBe('Nothing is wrong. The recorded history was not read: secsctl journal verify\n')
  expect(statSync(data).mtimeMs).toBe(before)

  await secsctl.run(['daemon', 'stop'])
  const stopped = await doctor({})
  expect(stopped.exit).toBe(6)
  expect(stopped.findings.map(({ name }) => name)).toContain('sync')
})
