import { beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { type FakeAnswer, FakeGateway, problem, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const of = (path: string) => `/equipment/${etcher.id}${path}`
const [PORT] = REPLIES.listPorts.items
const [CARRIER] = REPLIES.listCarriers.items
const RESULT = { accepted: true, errors: [], message_id: '1', reply_id: '2' }

/** Responses to the next messages that create a job, before one that says it is there. */
let failures: FakeAnswer[]
/** The tool has the job, whatever was responded. */
let isThere: boolean
let mapping: object | null
let slotMap: string

const there = (state: string, reply: object): FakeAnswer =>
  isThere
    ? { body: { ...reply, state } }
    : { status: 404, body: problem(404, 'object_not_found', 'There is none.') }

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /events/stream': () => ({ text: ': here\n\n', isOpen: true }),
  'GET /messages/1': () => ({ body: { ...REPLIES.getMessage, stream: 16, function: 15 } }),
  [`GET ${of('/gem300')}`]: () => ({ body: { ...REPLIES.getGem300, mapping } }),
  [`POST ${of('/carriers')}`]: () => {
    slotMap = 'SLOT_MAP_VERIFICATION_OK'
    return { body: { ...RESULT, carrier_id: 'FOUP7', caack: 'PERFORMED' } }
  },
  [`GET ${of('/ports')}`]: () => ({
    body: {
      items: [{ ...PORT, transfer: isThere ? 'READY_TO_UNLOAD' : 'TRANSFER_BLOCKED' }],
      next_cursor: null,
    },
  }),
  [`GET ${of('/carriers')}`]: () => ({
    body: { items: [{ ...CARRIER, slot_map_status: slotMap }], next_cursor: null },
  }),
  [`GET ${of('/jobs/PJ-1')}`]: () => there('PROCESS_COMPLETE', REPLIES.getProcessJob),
  [`GET ${of('/control-jobs/CJ-1')}`]: () => there('COMPLETED', REPLIES.getControlJob),
  [`POST ${of('/jobs')}`]: () => failures.shift() ?? done(),
  [`POST ${of('/control-jobs')}`]: () => ({ body: { job_id: 'CJ-1', ...RESULT } }),
})
served(gateway)

const done = (): FakeAnswer => {
  isThere = true
  return { body: { job_id: 'PJ-1', ...RESULT } }
}
const failure = (status: number, code: string): FakeAnswer => ({
  status,
  body: problem(status, code, 'No.'),
})

const run = (...more: readonly string[]) =>
  runCommand(
    [
      ...['run', etcher.name, '--port', '1', '--recipe', 'R1', '--job', 'PJ-1', '--control-job', 'CJ-1'],
      ...['--no-recipe-check', '--interval', '100ms', '--json', ...more],
    ],
    { gateway },
  )
const keys = () =>
  gateway.calls
    .filter(({ method, path }) => method === 'POST' && path === of('/jobs'))
    .map(({ headers }) => headers['idempotency-key'])

beforeEach(() => {
  failures = []
  isThere = false
  mapping = null
  slotMap = 'SLOT_MAP_VERIFICATION_OK'
})

test('what could not be sent is sent again with the same key, so that it takes effect once', async () => {
  failures = [failure(503, 'shutting_down'), failure(409, 'equipment_not_connected')]
  expect((await run()).exitCode).toBe(0)
  const [key, ...others] = keys()
  expect(key).toMatch(/create_job$/)
  expect(others).toEqual([key, key])
})

test.each([
  ['without a reply', 504, 'reply_timeout'],
  ['with a reply that cannot be read', 502, 'equipment_error'],
])('what was sent %s is not sent again: the states tell whether it took effect', async (_, status, code) => {
  failures = [failure(status, code)]
  const running = run()
  await expect.poll(() => keys().length).toBe(1)
  isThere = true
  expect((await running).exitCode).toBe(0)
  expect(keys()).toHaveLength(1)
})

test('what cannot be sent until the limit of the step ends the run with 7', async () => {
  failures = Array.from({ length: 1000 }, () => failure(409, 'equipment_not_connected'))
  const { exitCode, stderr } = await run('--step-timeout', '2s')
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('S16F15')])
  expect(new Set(keys()).size).toBe(1)
  // Once in each interval of 100 ms.
  expect(keys().length).toBeLessThan(30)
})

test('what is wrong with a request ends the run at once', async () => {
  failures = [failure(403, 'forbidden')]
  expect((await run()).exitCode).toBe(4)
  expect(keys()).toHaveLength(1)
})

test.each([
  ['nothing', null, [], {}],
  [
    'what was given',
    null,
    ['--slot-map', 'o', '--content', 'L1/W1'],
    { slot_map: 'o', contents: [{ lot_id: 'L1', substrate_id: 'W1' }] },
  ],
  [
    'of that what the mapping names',
    ['ContentMap'],
    ['--slot-map', 'o', '--content', 'L1/W1'],
    { contents: [{ lot_id: 'L1', substrate_id: 'W1' }] },
  ],
  [
    'as it was read what the mapping names',
    ['SlotMap', 'Capacity', 'SubstrateCount'],
    [],
    { slot_map: 'o', capacity: 1, substrate_count: 1 },
  ],
])('With the slot map goes %s', async (_, attributes_with_slot_map, given, attributes) => {
  slotMap = 'WAITING_FOR_HOST'
  if (attributes_with_slot_map) mapping = { settings: { attributes_with_slot_map } }
  expect((await run(...given)).exitCode).toBe(0)
  const { body } =
    gateway.calls.find(({ path, method }) => method === 'POST' && path === of('/carriers')) ?? {}
  expect(body).toEqual({ command: 'proceed', carrier_id: CARRIER?.carrier_id, port: 1, ...attributes })
})
