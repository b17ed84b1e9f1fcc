import { beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { FakeGateway, problem, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const IDS = { message_id: '81', reply_id: '82' }
const path = `/equipment/${etcher.id}/jobs`
let listed: object[]
let answer: object
/** Problems before the list is given. */
let away: string[]

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET ${path}`]: () => {
    const code = listed.length === 1 ? away.shift() : undefined
    if (code !== undefined) return { status: 409, body: problem(409, code, 'It is away.') }
    return { body: { items: listed.length > 1 ? listed.splice(0, 1) : listed, next_cursor: null, space: 3 } }
  },
  [`POST ${path}`]: () => ({ body: answer }),
  [`POST ${path}/PJ-1/commands`]: () => ({ body: answer }),
  [`DELETE ${path}/PJ-1`]: () => ({ body: answer }),
})
served(gateway)

const run = (...args: string[]) => runCommand(['jobs', ...args], { gateway })
const sent = () => gateway.calls.find(({ method }) => method !== 'GET')

beforeEach(() => {
  listed = [{ job_id: 'PJ-1', state: 'PROCESSING' }]
  answer = { job_id: 'PJ-1', accepted: true, errors: [], ...IDS }
  away = []
})

test('A job is created with slots in the order that was given, and parameters after its ID', async () => {
  const given = ['create', etcher.name, 'PJ-1', 'EtchTime:=45', 'Mode=fast', '--recipe', 'R1']
  const carriers = ['--carrier', 'FOUP7:9,1-3', '--carrier', 'FOUP8', '--manual', '--pause-at', '12']
  expect(await run(...given, ...carriers, '--with', 'S16F11')).toMatchObject({ exitCode: 0 })
  expect(sent()?.body).toEqual({
    job_id: 'PJ-1',
    recipe: 'R1',
    carriers: [
      { carrier_id: 'FOUP7', slots: [9, 1, 2, 3] },
      { carrier_id: 'FOUP8', slots: [] },
    ],
    parameters: { EtchTime: 45, Mode: 'fast' },
    manual_start: true,
    pause_events: ['12'],
    message: 'S16F11',
  })
})

test.each(['FOUP7:0', 'FOUP7:1,1', 'FOUP7:'])(
  'The slots of %s are wrong usage, and nothing is sent',
  async (carrier) => {
    const { exitCode, stderr } = await run(
      'create',
      etcher.name,
      'PJ-1',
      '--recipe',
      'R1',
      '--carrier',
      carrier,
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain(carrier)
    expect(sent()).toBeUndefined()
  },
)

test('A refusal has exit code 8 and every reason of the equipment', async () => {
  const error = { port: null, code: 17, code_text: 'not valid in this state', text: 'PJ-1 runs' }
  const other = { port: 2, code: null, code_text: null, text: 'door open' }
  answer = { job_id: 'PJ-1', accepted: false, errors: [error, other], ...IDS }
  const refused = await run('start', etcher.name, 'PJ-1')
  expect(refused.exitCode).toBe(8)
  for (const said of ['ERRCODE 17', 'PJ-1 runs', 'port 2', 'door open'])
    expect(refused.stderr).toContain(said)
  answer = { job_id: 'PJ-1', accepted: false, errors: [], ...IDS }
  expect((await run('dequeue', etcher.name, 'PJ-1', '--yes')).stderr).toContain('no reason')
})

test.each([
  ['start', []],
  ['stop', ['--yes']],
  ['pause', []],
  ['resume', []],
  ['abort', ['--yes']],
  ['cancel', ['--yes']],
])('jobs %s sends that command', async (command, flags) => {
  expect(await run(command, etcher.name, 'PJ-1', ...flags)).toMatchObject({ exitCode: 0 })
  expect(sent()?.body).toEqual({ command })
})

test('What ends a job is asked about, and is not done where nobody can answer', async () => {
  for (const command of ['stop', 'abort', 'cancel', 'dequeue']) {
    expect(await run(command, etcher.name, 'PJ-1')).toMatchObject({ exitCode: 2 })
    expect(sent()).toBeUndefined()
  }
})

test('The list says how many more jobs fit, where that is asked', async () => {
  const { stdout, stderr } = await run('list', etcher.name, '--space')
  expect(stdout).toBe('PJ-1\tPROCESSING\n')
  expect(stderr).toContain('3 more jobs')
  expect(gateway.calls.at(-1)?.query.get('space')).toBe('true')
})

const wait = (...flags: string[]) => run('wait', etcher.name, 'PJ-1', '--interval', '100ms', ...flags)

test('wait ends with the state, or with the job that went', async () => {
  listed = [
    { job_id: 'PJ-1', state: 'SETTING_UP' },
    { job_id: 'PJ-1', state: 'PROCESSING' },
    { job_id: 'PJ-1', state: 'PROCESS_COMPLETE' },
  ]
  expect((await wait()).stdout).toContain('PROCESS_COMPLETE')
  listed = [
    { job_id: 'PJ-1', state: 'PROCESSING' },
    { job_id: 'PJ-2', state: 'PROCESSING' },
  ]
  expect(await wait()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('GONE') })
})

test('wait ends with 8 where the state cannot come any more, 7 after its time, 3 without such a job', async () => {
  listed = [{ job_id: 'PJ-1', state: 'ABORTED' }]
  expect(await wait('--for', 'processing')).toMatchObject({ exitCode: 8 })
  listed = [{ job_id: 'PJ-1', state: 'PROCESSING' }]
  expect(await wait('--timeout', '150ms')).toMatchObject({ exitCode: 7 })
  listed = [{ job_id: 'PJ-9', state: 'PROCESSING' }]
  expect(await wait()).toMatchObject({ exitCode: 3 })
})

test('wait goes on where the equipment is away for a while, and not where it was away from the beginning', async () => {
  listed = [
    { job_id: 'PJ-1', state: 'PROCESSING' },
    { job_id: 'PJ-1', state: 'PROCESS_COMPLETE' },
  ]
  away = ['equipment_not_connected', 'equipment_not_communicating']
  expect(await wait()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('PROCESS_COMPLETE') })
  away = ['equipment_not_connected']
  expect(await wait()).toMatchObject({ exitCode: 5 })
})
