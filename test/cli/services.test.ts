import { expect, test } from 'vitest'
import { REPLIES as ANSWERS } from '../support/example-gateway.js'
import { type FakeAnswer, type FakeCall, FakeGateway, problem, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const equipment = sampleEquipment()
const UNKNOWN = { id: '9', name: null, unit: null, value: null, text: '' }
const NOT_ALLOWED = { accepted: false, onlack: 1, control_state: 'EQUIPMENT_OFFLINE' }
const REFUSED_ALARM = { ...ANSWERS.enableAlarms, accepted: false, ackc5: 1, ackc5_text: 'error' }

/** What reading variables returns, in place of what it usually does. */
let values: (() => FakeAnswer) | undefined

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [equipment], next_cursor: null } }),
  ...Object.fromEntries(
    Object.entries({
      'GET variables/values': ({ query }: FakeCall): FakeAnswer =>
        values?.() ?? {
          body: query.has('id', '9') ? { items: [UNKNOWN], next_cursor: null } : ANSWERS.readVariables,
        },
      'GET variables/history': ({ query }: FakeCall): FakeAnswer => ({
        body: { ...ANSWERS.listVariableHistory, next_cursor: query.has('cursor') ? null : 'c1', unread: 1 },
      }),
      'PUT constants': () => ({
        body: { ...ANSWERS.writeConstants, accepted: false, eac: 3, eac_text: 'out of range' },
      }),
      'POST traces': () => ({
        status: 422,
        body: problem(422, 'invalid_message', 'group_size is 9, more than the 5 samples.', {
          errors: [{ pointer: '/group_size', detail: 'is 9, more than the 5 samples' }],
        }),
      }),
      'POST collection-events/enable': () => ({ body: ANSWERS.enableCollectionEvents }),
      'POST online': () => ({ body: { ...ANSWERS.goOnline, ...NOT_ALLOWED } }),
      'PUT clock': () => ({ body: ANSWERS.setClock }),
      'POST terminal': () => ({ body: ANSWERS.sendTerminalText }),
      'POST alarms/enable': ({ body }: FakeCall): FakeAnswer => ({
        body: (body as { alid?: string }).alid === '99' ? REFUSED_ALARM : ANSWERS.enableAlarms,
      }),
    }).map(([call, answer]) => [call.replace(' ', ` /equipment/${equipment.id}/`), answer]),
  ),
})
const env = served(gateway, secsctl)

const run = (...args: string[]) => secsctl.run(args, { env })
const last = (): FakeCall | undefined => gateway.calls.at(-1)

test('values are a line each, and one that the equipment does not have is exit code 3', async () => {
  const read = await run('variables', 'read', 'etcher', 'ChamberPressure', '1011', '--timeout', '2s')
  expect(read).toEqual({ code: 0, stdout: '1010\tChamberPressure\t12.5\tmtorr\n', stderr: '' })
  expect(last()?.query.getAll('id')).toEqual(['ChamberPressure', '1011'])
  expect(last()?.query.get('timeout')).toBe('2')
  expect(await run('variable', 'read', 'etcher', '9')).toEqual({
    code: 3,
    stdout: '9\t\t\t\n',
    stderr: 'Error: etcher has no status variable 9\nTry: secsctl variables list etcher\n',
  })
})

test('values that are watched are an object a line, as often as was asked for', async () => {
  const watch = ['--watch', '100ms', '--count', '2', '--json']
  const { code, stdout } = await run('variables', 'read', 'etcher', ...watch)
  expect(code).toBe(0)
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: expect.stringMatching(/Z$/), items: ANSWERS.readVariables.items },
    { at: expect.stringMatching(/Z$/), items: ANSWERS.readVariables.items },
  ])
})

test('values that are watched go on after the gateway was away, and once the equipment is connected again', async () => {
  const outcomes: FakeAnswer[] = [
    { body: ANSWERS.readVariables },
    { status: 502, text: 'Bad Gateway', media: 'text/html' },
    { status: 409, body: problem(409, 'equipment_not_connected', 'etcher is not connected.') },
  ]
  values = () => outcomes.shift() ?? { body: ANSWERS.readVariables }
  const watch = ['--watch', '100ms', '--count', '2', '--json']
  const { code, stdout, stderr } = await run('variables', 'show', 'etcher', ...watch)
  expect({ code, stderr: stderr.split('\n') }).toEqual({
    code: 0,
    stderr: [
      expect.stringMatching(
        /^The server at .* is not a gateway: it responded with 502.*Trying again in 0.1 s.$/,
      ),
      'etcher is not connected. Trying again in 0.1 s.',
      '',
    ],
  })
  expect(stdout.trim().split('\n')).toHaveLength(2)
  values = undefined
})

test('a constant that the equipment refuses is exit code 8, and says why', async () => {
  const { code, stdout, stderr } = await run('constants', 'set', 'etcher', 'Limit=7', '2003:={"A":"x"}')
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: 'etcher refused: EAC 3, out of range\nTry: secsctl constants list etcher\n',
  })
  expect(stdout).toContain('result\trefused\nEAC\t3 out of range\n')
  expect(last()?.body).toEqual({ values: { Limit: '7', 2003: { A: 'x' } } })
  expect(await run('constants', 'set', 'etcher', 'Limit=7', 'Limit=8')).toMatchObject({ code: 2 })
})

test('what is wrong with a request is reported by the flag that was typed, and to programs by the member', async () => {
  const typed = ['traces', 'run', 'etcher', 'RFPower', '--samples', '5', '--group', '9']
  const { code, stderr } = await run(...typed)
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'Error: --group is 9, more than the 5 samples\n' })
  expect(JSON.parse((await run(...typed, '--json')).stderr)).toMatchObject({
    errors: [{ pointer: '/group_size' }],
  })
})

test('events are named, or all of them meant', async () => {
  expect(await run('collection-events', 'enable', 'etcher', 'Started', '3011')).toMatchObject({ code: 0 })
  expect(last()?.body).toEqual({ events: ['Started', '3011'] })
  await run('collection-events', 'enable', 'etcher', '--all', '--json')
  expect(last()?.body).toEqual({ all: true })
  expect(await run('collection-events', 'enable', 'etcher')).toMatchObject({ code: 2, stdout: '' })
})

test('an equipment that refuses to go online is for its operator to set online', async () => {
  const { code, stderr } = await run('equipment', 'online', 'etcher')
  expect({ code, stderr }).toEqual({ code: 8, stderr: 'etcher: its operator has to set it online there.\n' })
})

test('a clock is set to now, to a moment, or to TIME as it is given', async () => {
  await run('clock', 'set', 'etcher', '260131080000')
  expect(last()?.body).toEqual({ raw: '260131080000' })
  await run('clock', 'set', 'etcher', '2026-01-31T08:00:00Z')
  expect(last()?.body).toEqual({ time: '2026-01-31T08:00:00Z' })
  expect(await run('clock', 'set', 'etcher', 'noon')).toMatchObject({ code: 2, stdout: '' })
})

test('several texts for a terminal are several lines', async () => {
  await run('terminal', 'send', 'etcher', 'Hold', 'Call', '--tid', '2')
  expect(last()?.body).toEqual({ tid: 2, lines: ['Hold', 'Call'] })
})

test('alarms are enabled one by one, and one that is refused is exit code 8', async () => {
  expect(await run('alarms', 'enable', 'etcher', '4001', '99')).toEqual({
    code: 8,
    stdout: '4001\taccepted\t0 accepted\t61\n99\trefused\t1 error\t61\n',
    stderr: 'etcher refused: ACKC5 1, error\n',
  })
})

test('variables history prints all pages as CSV in a pipe, and says what was left out', async () => {
  const { code, stdout, stderr } = await run('variables', 'history', 'etcher', 'ChamberPressure')
  const row = '2026-01-31T08:00:00.000Z,1010,ChamberPressure,12.5,mtorr,ProcessingCompleted,41'
  expect(stdout.split('\r\n')).toEqual(['AT,ID,NAME,VALUE,UNIT,FROM,MESSAGE', row, row, ''])
  expect([code, stderr]).toEqual([
    0,
    '2 messages have values whose variables are not known, and are left out.\n',
  ])
  const { query } = gateway.calls.find(({ path }) => path.endsWith('/history')) as FakeCall
  expect(query.get('id')).toBe('ChamberPressure')
  expect(query.get('order')).toBe('asc')
  expect(query.get('from')).not.toBeNull()
})

test('variables history --plot draws a chart in a pipe, too, and --json is one array', async () => {
  const plot = await run('variables', 'history', 'etcher', '--since', '2h', '--plot')
  expect(plot.stdout).toMatch(/^ChamberPressure: 12.5 mtorr, 12.5 to 12.5, 2 values\n/)
  const { stdout } = await run('variables', 'history', 'etcher', '--json')
  expect(JSON.parse(stdout)).toHaveLength(2)
})
