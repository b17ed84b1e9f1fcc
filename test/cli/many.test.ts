import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { mergedTables } from '../../src/cli/equipment/many-output.js'
import { sortedRows } from '../../src/cli/output/list-output.js'
import { runCommand } from '../support/command.js'
import { REPLIES } from '../support/example-gateway.js'
import { type FakeAnswer, type FakeCall, FakeGateway, problem, served } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { ended, Secsctl } from '../support/secsctl.js'

const FLEET = ['etch-1', 'etch-2', 'litho-1'].map((name, at) => sampleEquipment({ id: `eq_${at}`, name }))
const [, SICK] = FLEET
const OFF = problem(409, 'not_connected', 'The equipment is not connected.')

const FRAME = {
  at: '2026-01-01T00:00:00.000Z',
  kind: 'frame',
  direction: 'in',
  name: 'Linktest.req',
  length: 10,
  header: { w_bit: null, session_id: 65535, system_bytes: 1 },
}

const answers = (call: string, answer: (call: FakeCall) => FakeAnswer) =>
  Object.fromEntries(FLEET.map(({ id }) => [call.replace('/ID/', `/equipment/${id}/`), answer]))

/** What reading variables returns, in place of what it usually does. */
let values: () => FakeAnswer | undefined = () => undefined

const gateway = new FakeGateway({
  'GET /sinks': () => ({ body: { items: [], next_cursor: null } }),
  'GET /equipment': ({ query }) => ({
    body: { items: query.has('label_selector') ? FLEET.slice(0, 2) : FLEET, next_cursor: null },
  }),
  ...answers(
    'GET /ID/variables/values',
    ({ path }) =>
      values() ??
      (path.includes(SICK?.id ?? '') ? { status: 409, body: OFF } : { body: REPLIES.readVariables }),
  ),
  ...answers('PUT /ID/clock', () => ({ body: REPLIES.setClock })),
  ...answers('GET /ID/clock', () => ({ body: REPLIES.getClock })),
  ...answers('POST /ID/collection-events/enable', () => ({ body: REPLIES.enableCollectionEvents })),
  ...answers('POST /ID/connect', () => ({ body: sampleEquipment() })),
  ...answers('POST /ID/disconnect', () => ({ body: sampleEquipment() })),
  ...answers('POST /ID/online', () => ({ body: REPLIES.goOnline })),
  ...answers('POST /ID/offline', () => ({ body: REPLIES.goOffline })),
  ...answers('GET /ID/recipes', ({ path }) => ({
    body: { ...REPLIES.listRecipes, items: [{ ppid: 'B' }, { ppid: path.includes('eq_1') ? '010' : 'A' }] },
  })),
  ...answers('GET /ID/recipes/OX%2F1', ({ path }) => ({
    body: { ...REPLIES.fetchRecipe, ppid: 'OX/1', body: Buffer.from(path).toString('base64') },
  })),
  ...answers('GET /ID/wire', ({ path }) => ({
    text: `${JSON.stringify({ ...FRAME, detail: path.slice(11, 15) })}\n`,
  })),
  ...answers('GET /ID/reports', () => ({ body: REPLIES.getReports })),
  ...answers('PUT /ID/constants', ({ path }) => ({
    body: path.includes(SICK?.id ?? '')
      ? { ...REPLIES.writeConstants, accepted: false, eac: 3, eac_text: 'out of range' }
      : REPLIES.writeConstants,
  })),
})

served(gateway)

const run = (...args: string[]) => runCommand(args, { gateway })
const changes = () => gateway.calls.filter(({ method }) => method !== 'GET')

test.each([
  ['etch-*', 'ChamberPressure'],
  ['etch-1,etch-2', 'ChamberPressure'],
  ['-l', 'area=etch', 'ChamberPressure'],
  ['ChamberPressure', '--selector=area=etch'],
])('variables show %s %s: a line of each value with its equipment, and the failures', async (...words) => {
  const { stdout, stderr, exitCode } = await run('variables', 'read', ...words)
  expect(stdout).toBe('etch-1\t1010\tChamberPressure\t12.5\tmtorr\n')
  expect(stderr).toBe('etch-2: The equipment is not connected.\n1 done, 1 failed\n')
  expect(exitCode).not.toBe(0)
  const asked = gateway.calls.filter(({ path }) => path.endsWith('values'))
  expect(asked.map(({ query }) => query.getAll('id'))).toEqual([['ChamberPressure'], ['ChamberPressure']])
})

test('as JSON, each equipment is an object on a line of its own', async () => {
  const { stdout, stderr } = await run('variables', 'read', '--all', '--json')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { equipment: string })
  expect(lines.sort((a, b) => a.equipment.localeCompare(b.equipment))).toEqual([
    { equipment: 'etch-1', result: REPLIES.readVariables.items },
    { equipment: 'etch-2', error: expect.objectContaining({ code: 'not_connected' }) },
    { equipment: 'litho-1', result: REPLIES.readVariables.items },
  ])
  expect(stderr).toBe('')
})

test('a command without further arguments takes several names', async () => {
  const { stdout, stderr, exitCode } = await run('clock', 'show', 'etch-1', 'litho')
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['etch-1', 'litho-1', ''])
  expect({ stderr, exitCode }).toEqual({ stderr: '2 done\n', exitCode: 0 })
})

test('a change of several is not made unasked', async () => {
  const { stderr, exitCode } = await run('clock', 'set', 'etch-*')
  expect({ exitCode, calls: changes() }).toEqual({ exitCode: 2, calls: [] })
  expect(stderr).toContain('2 equipment (etch-1, etch-2)')
  expect(stderr).toContain('--yes')
})

test('--dry-run lists the equipment, also one by its name, and changes nothing', async () => {
  const several = await run('clock', 'set', '--all', '--dry-run')
  expect(several.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    ...FLEET.map(({ name }) => name),
    '',
  ])
  const one = await run('clock', 'set', 'etch-1', '--dry-run')
  expect(one).toMatchObject({ stdout: expect.stringMatching(/^etch-1\t/), exitCode: 0 })
  expect(changes()).toEqual([])
})

test.each(['disconnect', 'online', 'offline'])('equipment %s of several asks first', async (verb) => {
  for (const words of [['etch-1', 'etch-2'], ['etch-*'], ['-l', 'area=etch'], ['--all']]) {
    const { stderr, exitCode } = await run('equipment', verb, ...words)
    expect(stderr).toMatch(new RegExp(`equipment ${verb} for [23] equipment \\(etch-1, etch-2.*add --yes`))
    expect({ exitCode, calls: changes() }).toEqual({ exitCode: 2, calls: [] })
  }
  expect(await run('equipment', verb, '--all', '--yes')).toMatchObject({ exitCode: 0 })
  expect(await run('equipment', verb, 'etch-1')).toMatchObject({ exitCode: 0 })
  expect(changes()).toHaveLength(4)
})

test('equipment connect asks nothing, since it does no harm', async () => {
  expect(await run('equipment', 'connect', '--all', '--wait', '0s')).toMatchObject({ exitCode: 0 })
  expect(changes()).toHaveLength(3)
})

test.each(['connect', 'disconnect', 'online', 'offline'])('equipment %s --dry-run lists', async (verb) => {
  const { stdout, stderr } = await run('equipment', verb, 'etch-*', '--dry-run')
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['etch-1', 'etch-2', ''])
  expect(stderr).toBe('2 equipment; nothing was done.\n')
  expect(changes()).toEqual([])
})

test('where --all means all events of an equipment, a pattern or a selector chooses the equipment', async () => {
  for (const words of [['etch-*'], ['-l', 'area=etch']])
    await run('collection-events', 'enable', ...words, '--all', '--yes')
  expect(changes().map(({ body }) => body)).toEqual(Array(4).fill({ all: true }))
})

test('a refusal of one is the exit code, and each equipment has a key of its own', async () => {
  const { stderr, exitCode } = await run(
    ...['constants', 'set', 'etch-*', 'Limit=7', '--yes', '--idempotency-key', 'k'],
  )
  expect(exitCode).toBe(8)
  expect(stderr).toMatch(/^etch-2: refused: EAC 3, out of range\n(?:.*\n)?1 done, 1 failed\n$/)
  const calls = changes().map(({ headers, body }) => [headers['idempotency-key'], body])
  expect(calls.sort()).toEqual([
    ['k-eq_0', { values: { Limit: '7' } }],
    ['k-eq_1', { values: { Limit: '7' } }],
  ])
})

test.each([
  [['clock', 'show', 'etch-1', '--all'], '--all takes no names'],
  [['clock', 'show', '--all', '-l', 'area=etch'], 'do not go together'],
  [['clock', 'show', '-l', 'area=('], '--selector "area=("'],
  [['traces', 'run', 'etch-*', 'Flow'], 'traces run takes one equipment: "etch-*" is a list or a pattern'],
  [['recipes', 'fetch', 'etch-*', 'OXIDE', '--to', 'oxide'], '--to needs {equipment} in it'],
  [['recipes', 'fetch', 'etch-*', 'OXIDE', '--to', '-'], '--to needs {equipment} in it'],
  [['recipes', 'list', 'etch-*', '--json', '--sort', 'PPID'], '--sort has no effect on json of several'],
  [['recipes', 'list', 'etch-*', '-o', 'yaml', '--sort', 'PPID'], '--sort has no effect on yaml of several'],
])('%j is wrong usage', async (words, text) => {
  const { stderr, exitCode } = await run(...words)
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(text), exitCode: 2 })
})

test.each([
  ['variables', 'read', 'x*'],
  ['equipment', 'connect', 'x*'],
  ['equipment', 'remove', 'x*', '--yes'],
  ['sinks', 'pause', 'x*'],
])('%s %s %s: a pattern that nothing matches is exit code 3', async (...words) => {
  const { stderr, exitCode } = await run(...words)
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/'x\*'/), exitCode: 3 })
})

test('--watch of several reads all of them each time, with the time in each row', async () => {
  const { stdout, stderr } = await run(
    ...['variables', 'read', 'etch-1,litho-1', '--watch', '100ms', '-n', '2', '-o', 'tsv'],
  )
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(rows.map(([, name]) => name)).toEqual(['etch-1', 'litho-1', 'etch-1', 'litho-1'])
  const times = rows.map(([at]) => at)
  expect(times[0]).toBe(times[1])
  expect(String(times[2]) > String(times[1])).toBe(true)
  expect(stderr).toBe('2 done\n')
})

test('--watch as JSON is an object for each equipment and time, and a failure is the exit code', async () => {
  const { stdout, exitCode } = await run(
    ...['variables', 'read', 'etch-*', '--watch', '100ms', '--count', '2', '--json'],
  )
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; equipment: string })
  expect(lines.map(({ equipment }) => equipment).sort()).toEqual(['etch-1', 'etch-1', 'etch-2', 'etch-2'])
  expect(lines.every(({ at }) => /^\d{4}-.*Z$/.test(at))).toBe(true)
  expect(exitCode).not.toBe(0)
})

test('--watch of several waits for a gateway that is away, and its failures are not those of the equipment', async () => {
  const away: FakeAnswer = { status: 502, text: 'Bad Gateway', media: 'text/html' }
  const outcomes: (FakeAnswer | undefined)[] = [undefined, undefined, away, away]
  values = () => outcomes.shift()
  const { stdout, stderr, exitCode } = await run(
    ...['variables', 'show', 'etch-1,litho-1', '--watch', '100ms', '-n', '2', '-o', 'tsv'],
  )
  values = () => undefined
  expect(stdout.trim().split('\n')).toHaveLength(4)
  expect(stderr).toMatch(/^2 done\nThe server at .* is not a gateway: .* Trying again in 0.1 s.\n$/)
  expect(exitCode).toBe(0)
})

describe('recipes fetch of several', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-recipes-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fetched = (...words: string[]) =>
    run('recipes', 'fetch', 'etch-*', 'OX/1', '--to', join(folder, '{equipment}/{ppid}.txt'), ...words)

  test('prints lengths and hashes, one below the other', async () => {
    const { stdout, exitCode } = await run('recipes', 'fetch', '--all', 'OX/1', '-o', 'tsv')
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
      ...FLEET.map(({ name }) => [name, 'OX/1']),
      [''],
    ])
  })

  test('writes a file for each, which is replaced with --force alone; no name leaves the folder', async () => {
    expect(await fetched()).toMatchObject({ exitCode: 0 })
    const first = join(folder, 'etch-1', 'OX%2F1.txt')
    expect(readFileSync(first, 'utf8')).toContain('/equipment/eq_0/')
    expect(readFileSync(join(folder, 'etch-2', 'OX%2F1.txt'), 'utf8')).toContain('/equipment/eq_1/')
    const again = await fetched()
    expect(again.exitCode).toBe(2)
    expect(again.stderr).toContain(`etch-1: ${first} is there already: add --force`)
    expect(await fetched('--force')).toMatchObject({ exitCode: 0 })
  })
})

test('reports show prints the reports of several in one table', async () => {
  const { stdout } = await run('reports', 'show', 'etch-1', 'etch-2')
  expect(
    new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ),
  ).toEqual(new Set(['etch-1', 'etch-2']))
})

describe('a list of several', () => {
  const list = (...words: string[]) => run('recipes', 'list', 'etch-*', ...words)

  test('is CSV with one line of titles, and a table with the chosen columns', async () => {
    expect((await list('-o', 'csv')).stdout).toBe(
      'EQUIPMENT,PPID\r\netch-1,B\r\netch-1,A\r\netch-2,B\r\netch-2,010\r\n',
    )
    expect((await list('--columns', 'ppid', '-o', 'wide')).stdout).toMatch(/^PPID *\nB *\nA *\nB *\n010 *\n$/)
  })

  test('is sorted by any column', async () => {
    expect((await list('--sort', 'ppid')).stdout).toBe('etch-2\t010\netch-1\tA\netch-1\tB\netch-2\tB\n')
    expect((await list('--sort', 'equipment:desc')).stdout).toMatch(/^etch-2.*\netch-2.*\netch-1/)
  })

  test('is sorted by the time of a column, not by the local text of it', () => {
    const column = { title: 'AT', text: (row: string) => `${row} o'clock`, key: (row: string) => row }
    const [table] = mergedTables([
      {
        name: 'a',
        exitCode: 0,
        notes: [],
        results: [],
        text: '',
        tables: [
          { columns: [column], rows: [[{ text: 'today', key: '2' }], [{ text: 'yesterday', key: '1' }]] },
        ],
      },
    ])
    expect(
      sortedRows(table?.rows ?? [], table?.columns ?? [], { sort: 'at' }).map(
        ({ cells }) => cells.get('AT')?.text,
      ),
    ).toEqual(['yesterday', 'today'])
  })

  test('is YAML with a mapping from the equipment to its list', async () => {
    expect(parse((await list('-o', 'yaml')).stdout)).toEqual({
      'etch-1': [{ ppid: 'B' }, { ppid: 'A' }],
      'etch-2': [{ ppid: 'B' }, { ppid: '010' }],
    })
  })
})

test('wire tail of several names prints the records of all, each with its equipment', async () => {
  const { stdout } = await run('wire', 'tail', 'etch-1', 'litho', '-n', '2')
  const rows = stdout.split('\n').map((line) => line.split('\t'))
  expect(rows.map(([name, , , , , , , , , detail]) => [name, detail]).sort()).toEqual([
    ['', undefined],
    ['etch-1', 'eq_0'],
    ['litho-1', 'eq_2'],
  ])
  const one = await run('wire', 'tail', 'litho-1', '-n', '1')
  expect(one.stdout).toMatch(/^2026-01-01T00:00:00.000Z\tframe\t.*\teq_2\t\t\n$/)
})

test('wire tail takes as many as the gateway shows to one user', async () => {
  const all = Array.from({ length: 9 }, (_, at) => sampleEquipment({ id: `eq_${at}`, name: `tool${at}` }))
  const large = new FakeGateway({ 'GET /equipment': () => ({ body: { items: all, next_cursor: null } }) })
  await large.listen()
  const { stderr, exitCode } = await runCommand(['wire', 'tail', 'tool*'], { gateway: large })
  await large.close()
  expect(exitCode).toBe(2)
  expect(stderr).toContain('9 equipment (tool0, tool1, tool2, tool3, tool4 and 4 more)')
  expect(stderr).toContain('8 wire logs to one user')
})

test('Ctrl-C begins no further equipment, and what has ended is printed', async () => {
  const secsctl = new Secsctl()
  const all = Array.from({ length: 200 }, (_, at) => sampleEquipment({ id: `eq_${at}`, name: `tool${at}` }))
  let calls = 0
  const answer = (): FakeAnswer => {
    calls += 1
    if (calls === 20) child.kill('SIGINT')
    return { body: REPLIES.getClock }
  }
  const large = new FakeGateway({
    'GET /equipment': () => ({ body: { items: all, next_cursor: null } }),
    ...Object.fromEntries(all.map(({ id }) => [`GET /equipment/${id}/clock`, answer])),
  })
  const url = await large.listen()
  const child = secsctl.start(['clock', 'show', '--all'], { SECSCTL_URL: url, SECSCTL_TOKEN: 'secret' })
  const { code, stdout, stderr } = await ended(child)
  await large.close()
  secsctl.remove()
  expect(code).toBe(130)
  const [, done, left] = /^(\d+) done, (\d+) not begun\n$/.exec(stderr) ?? []
  expect(Number(done) + Number(left)).toBe(200)
  expect(Number(done)).toBe(calls)
  expect(stdout.trim().split('\n')).toHaveLength(calls)
})

test('one equipment by its name prints as ever, and asks nothing', async () => {
  const { stdout, stderr, exitCode } = await run('variables', 'read', 'etch-1', 'ChamberPressure')
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '1010\tChamberPressure\t12.5\tmtorr\n',
    stderr: '',
    exitCode: 0,
  })
  expect(await run('clock', 'set', 'etch-1')).toMatchObject({ stderr: '', exitCode: 0 })
})

test.each([
  [
    ['recipes', 'delete', '-l', 'area=etch', 'KRF-600'],
    'recipes delete KRF-600 for 2 equipment (etch-1, etch-2)',
  ],
  [['command', 'etch-*', 'START', 'LOT=A B'], "command START 'LOT=A B' for 2 equipment"],
  [['command', '--all', 'STOP', '--style', 'remote', '--reason', 'x'], 'command STOP --style remote for 3'],
  [['constants', 'set', '--all', 'RFPowerLimit=1200'], 'constants set RFPowerLimit=1200 for 3 equipment'],
  [['clock', 'set', '--all'], 'clock set for 3 equipment'],
])('the question of %j names what it is about', async (words, question) => {
  const { stderr, exitCode } = await run(...words)
  expect(stderr).toContain(question)
  expect(exitCode).toBe(2)
})
