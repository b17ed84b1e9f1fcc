import { beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const of = (path: string) => `/equipment/${etcher.id}${path}`
const REFUSED = {
  accepted: false,
  errors: [{ port: null, code: 17, code_text: 'not now', text: 'is in access' }],
  message_id: '1',
  reply_id: '2',
}
let isRefused = false
let carriers: { items: readonly unknown[]; next_cursor: null } = REPLIES.listCarriers as never
/** Of CJ-1 at one question after the other; undefined where it is gone. */
let states: (string | undefined)[] = []
const controlJobs = () => {
  const state = states.length > 1 ? states.shift() : states[0]
  const [job] = REPLIES.listControlJobs.items
  return { items: state === undefined ? [] : [{ ...job, state }], next_cursor: null }
}
const replied = (reply: object) => () => ({ body: isRefused ? { ...reply, ...REFUSED } : reply })

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET ${of('/control-jobs')}`]: () => ({ body: controlJobs() }),
  [`POST ${of('/control-jobs')}`]: replied(REPLIES.createControlJob),
  [`POST ${of('/control-jobs/CJ-1/commands')}`]: replied(REPLIES.commandControlJob),
  [`GET ${of('/carriers')}`]: () => ({ body: carriers }),
  [`GET ${of('/carriers/FOUP7')}`]: () => ({
    body: { ...REPLIES.getCarrier, ...(carriers.items[0] as object) },
  }),
  [`POST ${of('/carriers')}`]: replied(REPLIES.commandCarrier),
  [`GET ${of('/ports')}`]: () => ({ body: REPLIES.listPorts }),
  [`POST ${of('/ports/2/commands')}`]: replied(REPLIES.commandPort),
  [`PUT ${of('/ports/access-mode')}`]: replied(REPLIES.changeAccessMode),
})
served(gateway)

const run = (...args: string[]) => runCommand(args, { gateway })
const sent = () => gateway.calls.find(({ method }) => method !== 'GET')?.body

beforeEach(() => {
  isRefused = false
  carriers = REPLIES.listCarriers as never
  states = ['QUEUED']
})

test.each(['stop', 'abort', 'cancel'])('control-jobs %s does nothing without --jobs', async (command) => {
  const given = ['control-jobs', command, etcher.name, 'CJ-1', '--yes']
  expect(await run(...given)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('jobs') })
  expect(sent()).toBeUndefined()
  expect(await run(...given, '--jobs', 'remove')).toMatchObject({ exitCode: 0 })
  expect(sent()).toEqual({ command, jobs: 'remove' })
})

test.each(['start', 'pause', 'resume', 'deselect', 'first'])(
  'control-jobs %s sends that command',
  async (command) => {
    expect(await run('control-jobs', command, etcher.name, 'CJ-1')).toMatchObject({ exitCode: 0 })
    expect(sent()).toEqual({ command })
  },
)

test('A control job is created of several process jobs', async () => {
  const given = ['--carrier', 'FOUP7', '--order', 'list', '--manual', '--specifier', '']
  await run('control-jobs', 'create', etcher.name, 'CJ-1', 'PJ-1', 'PJ-2', ...given)
  expect(sent()).toEqual({
    job_id: 'CJ-1',
    process_jobs: ['PJ-1', 'PJ-2'],
    carriers: ['FOUP7'],
    order: 'list',
    manual_start: true,
    specifier: '',
  })
})

test('Lists have the words of the states, and a letter for each slot', async () => {
  expect((await run('control-jobs', 'list', etcher.name)).stdout).toBe('CJ-1\tQUEUED\tPJ-1\tFOUP7\n')
  expect((await run('ports', 'list', etcher.name)).stdout).toBe(
    '1\tREADY_TO_LOAD\tAUTO\tNOT_RESERVED\tNOT_ASSOCIATED\tLP1\n',
  )
  expect((await run('carriers', 'list', etcher.name)).stdout).toBe(
    'FOUP7\tLP1\tID_VERIFICATION_OK\tWAITING_FOR_HOST\tNOT_ACCESSED\to\n',
  )
  expect((await run('carriers', 'show', etcher.name, 'FOUP7')).stdout).toContain('CORRECTLY_OCCUPIED L1 W1')
})

test('A port that is given by its name is refused with the command that shows its number', async () => {
  const refused = await run('ports', 'in-service', etcher.name, 'LP1')
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ports list') })
  expect(sent()).toBeUndefined()
})

test.each([
  [['UNDEFINED', 'EMPTY', 'EMPTY'], true],
  [['EMPTY', 'EMPTY'], false],
  [['UNDEFINED', 'UNDEFINED'], false],
  [['UNDEFINED', 'EMPTY', 'CORRECTLY_OCCUPIED'], false],
])('Slots %j have the hint that 0 and 1 may mean empty and occupied: %s', async (slots, hasHint) => {
  const [carrier] = REPLIES.listCarriers.items
  const own = { ...carrier, slots: slots.map((state, at) => ({ ...carrier?.slots[0], slot: at + 1, state })) }
  carriers = { items: [own], next_cursor: null }
  for (const words of [
    ['list', etcher.name],
    ['show', etcher.name, 'FOUP7'],
  ])
    expect((await run('carriers', ...words)).stderr.includes('slots: present'), words[0]).toBe(hasHint)
})

test('A carrier is accepted with what the equipment wants to know', async () => {
  const given = [
    '--port',
    '1',
    '--capacity',
    '25',
    '--slot-map',
    'o.',
    '--content',
    'L1/W1',
    '--content',
    '/',
  ]
  await run('carriers', 'proceed', etcher.name, 'FOUP7', ...given)
  expect(sent()).toEqual({
    command: 'proceed',
    carrier_id: 'FOUP7',
    port: 1,
    capacity: 25,
    slot_map: 'o.',
    contents: [
      { lot_id: 'L1', substrate_id: 'W1' },
      { lot_id: '', substrate_id: '' },
    ],
  })
})

test('A carrier is cancelled at a port, and not without either', async () => {
  expect(await run('carriers', 'cancel', etcher.name, '--yes')).toMatchObject({ exitCode: 2 })
  expect(sent()).toBeUndefined()
  expect(await run('carriers', 'cancel', etcher.name, '--port', '1', '--yes')).toMatchObject({ exitCode: 0 })
  expect(sent()).toEqual({ command: 'cancel', port: 1 })
})

test.each([
  [['ports', 'in-service', etcher.name, '0'], '"0"'],
  [['ports', 'reserve', etcher.name, 'LP1'], 'LP1'],
  [['ports', 'access-mode', etcher.name, 'automatic', '1'], 'automatic'],
  [['carriers', 'proceed', etcher.name, 'F', '--content', 'W1'], 'W1'],
])('%j is wrong usage', async (args, said) => {
  expect(await run(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) })
  expect(sent()).toBeUndefined()
})

test.each([
  [
    ['ports', 'out-of-service', etcher.name, '2', '--style', 'words'],
    { command: 'out_of_service', style: 'words' },
  ],
  [['ports', 'cancel-reservation', etcher.name, '2'], { command: 'cancel_reservation' }],
  [['ports', 'access-mode', etcher.name, 'auto', '1', '2'], { mode: 'auto', ports: [1, 2] }],
  [['ports', 'access-mode', etcher.name, 'manual', 'all'], { mode: 'manual', ports: [] }],
  [['carriers', 'release', etcher.name, 'FOUP7'], { command: 'release', carrier_id: 'FOUP7' }],
])('%j is sent, and a refusal of it is exit code 8 with the reason', async (args, body) => {
  expect(await run(...args)).toMatchObject({ exitCode: 0 })
  expect(sent()).toEqual(body)
  isRefused = true
  expect(await run(...args)).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('is in access') })
})

const wait = (...flags: string[]) =>
  run('control-jobs', 'wait', etcher.name, 'CJ-1', '--interval', '100ms', ...flags)

test('control-jobs wait ends with the state, or with the job that went', async () => {
  states = ['SELECTED', 'EXECUTING', 'COMPLETED']
  expect(await wait()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('COMPLETED') })
  states = ['EXECUTING', undefined]
  expect(await wait()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('GONE') })
  states = ['unknown (7)']
  expect(await wait('--for', 'unknown 7')).toMatchObject({ exitCode: 0 })
})

test('control-jobs wait ends with 8 where the state cannot come any more, 7 after its time, 3 without such a job', async () => {
  states = ['COMPLETED']
  expect(await wait('--for', 'waiting-for-start')).toMatchObject({ exitCode: 8 })
  states = ['EXECUTING']
  expect(await wait('--timeout', '150ms')).toMatchObject({ exitCode: 7 })
  states = [undefined]
  expect(await wait()).toMatchObject({ exitCode: 3 })
  expect(await wait('--for', 'EXECUTE')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('EXECUTING'),
  })
})
