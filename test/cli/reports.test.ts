import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPLIES as ANSWERS } from '../support/example-gateway.js'
import { FakeGateway, problem, served } from '../support/fake-gateway.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const equipment = sampleEquipment()
const file = join(secsctl.home, 'etcher.yaml')
let refusal: object | undefined
let isApplied = true
let changed: object | null = null
let refused: object | null = null

const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [equipment], next_cursor: null } }),
  [`GET /equipment/${equipment.id}/reports`]: () => ({
    body: isApplied
      ? { ...ANSWERS.getReports, changed_elsewhere: changed }
      : {
          ...{ ...ANSWERS.getReports, definition: null, applied_at: null, applied_by: null },
          ...(refused ? { state: 'missing', last_error: refused } : { state: 'none' }),
        },
  }),
  [`DELETE /equipment/${equipment.id}/reports`]: ({ query }) => ({
    body: { ...ANSWERS.clearReports, dry_run: query.get('dry_run') === 'true' },
  }),
  [`PUT /equipment/${equipment.id}/reports`]: ({ query, body }) => {
    if (refusal) return { body: { ...ANSWERS.applyReports, ...refusal } }
    const { reports } = body as { reports?: unknown }
    if (!Array.isArray(reports)) {
      const errors = [{ pointer: '/reports', detail: 'must be an array' }]
      return { status: 400, body: problem(400, 'invalid_request', '/reports must be an array.', { errors }) }
    }
    return { body: { ...ANSWERS.applyReports, dry_run: query.get('dry_run') === 'true' } }
  },
})
const env = served(gateway, secsctl)

const run = (...args: string[]) => secsctl.run(args, { env })

test('apply prints the difference, and sends what the file says', async () => {
  writeFileSync(file, '# ours\nreports:\n  - { id: 1001, variables: [ChamberPressure] }\nevents: []\n')
  const { code, stdout, stderr } = await run('reports', 'apply', 'etcher', file)
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '+\treport\t1001\t\t\tChamberPressure RFPower\n' + '+\tevent\t3010\tProcessingStarted\t\t1001\n',
    stderr: 'etcher accepted 5 messages.\n',
  })
  expect(gateway.calls.at(-1)?.body).toEqual({
    reports: [{ id: 1001, variables: ['ChamberPressure'] }],
    events: [],
  })
  expect((await run('reports', 'apply', 'etcher', file, '--dry-run')).stderr).toContain(
    'S2F33 define 1 report',
  )
  await run('reports', 'apply', 'etcher', file, '--again')
  expect(gateway.calls.at(-1)?.query.get('again')).toBe('true')
})

test.each([
  { applied: false, words: '', key: 'n', exit: 2, sent: 0 },
  { applied: false, words: '', key: 'y', exit: 0, sent: 1 },
  { applied: false, words: '--yes', key: undefined, exit: 0, sent: 1 },
  { applied: true, words: '', key: undefined, exit: 0, sent: 1 },
])(
  'on a terminal, apply asks before it deletes the reports of others: $applied $words $key',
  async ({ applied, words, key, exit, sent }) => {
    isApplied = applied
    writeFileSync(file, 'reports:\n  - { id: 1001, variables: [ChamberPressure] }\nevents: []\n')
    const before = gateway.calls.length
    const terminal = new PseudoTerminal(`node bin/run.js reports apply etcher ${file} ${words}`, env)
    if (key !== undefined) {
      await terminal.shows('delete every other report')
      await terminal.shows(/\[\d+G$/)
      terminal.type(`${key}\r`)
    }
    expect(await terminal.ended()).toBe(exit)
    isApplied = true
    expect(gateway.calls.slice(before).filter(({ method }) => method === 'PUT')).toHaveLength(sent)
  },
)

test('apply says where in the file something is wrong', async () => {
  writeFileSync(file, 'events: []\nreports: 5\n')
  expect(await run('reports', 'apply', 'etcher', file)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`${file}:2:10: reports must be an array`),
  })
  writeFileSync(file, 'events: [\n')
  const { code, stderr } = await run('reports', 'apply', 'etcher', file)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}: line 2, column 1`)])
})

test.each(['', 'null\n', '[1]\n'])(
  'apply names the file and the line where the whole is no object: %j',
  async (text) => {
    writeFileSync(file, text)
    const fault = (name: string) =>
      `Error: ${name} cannot be applied as it is: ${name}:1:1: must be an object with reports and events\n`
    expect(await run('reports', 'apply', 'etcher', file)).toMatchObject({ code: 2, stderr: fault(file) })
    const piped = await secsctl.run(['reports', 'apply', 'etcher', '-'], { env, input: text })
    expect(piped).toMatchObject({ code: 2, stderr: fault('standard input') })
  },
)

test('a refusal ends with 8, and says what is left over', async () => {
  writeFileSync(file, 'reports: [{ id: 1001, variables: [1] }]\nevents: []\n')
  refusal = { applied: false, rolled_back: true, detail: 'S2F33 was refused: DRACK 4. etcher has again …' }
  const { code, stderr } = await run('reports', 'apply', 'etcher', file)
  refusal = undefined
  expect([code, stderr]).toEqual([8, expect.stringContaining('etcher has again')])
})

test('show prints the file back', async () => {
  const { stdout } = await run('reports', 'show', 'etcher', '-o', 'yaml')
  expect(stdout).toMatch(/^reports:\n {2}- id: 1001\n {4}variables: \[ChamberPressure, 1011\]\n/)
})

test('show says what another host has changed', async () => {
  changed = { detail: 'Another host has changed report 1001.', at: '2026-01-31T08:10:00.000Z' }
  const { stderr } = await run('reports', 'show', 'etcher')
  changed = null
  expect(stderr).toContain('Another host has changed report 1001.')
  expect((await run('reports', 'show', 'etcher')).stderr).not.toContain('Another host')
})

test('clear prints the messages and what was said to them', async () => {
  const { code, stdout, stderr } = await run('reports', 'clear', 'etcher', '--yes')
  expect(code).toBe(0)
  const steps = ['S2F37', 'S2F33']
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([...steps, ''])
  expect(stdout).toContain('\taccepted (0, ')
  expect(stderr).toBe(`etcher accepted ${steps.length} messages.\n`)
  const dry = await run('reports', 'clear', 'etcher', '--dry-run')
  expect(dry.stdout).toContain('S2F33\tdelete all reports')
  expect(dry.stderr).toBe('Nothing was changed. These messages would be sent.\n')
})

test('show -o yaml prints no file where nothing was applied, and exits with 3', async () => {
  isApplied = false
  const shown = await run('reports', 'show', 'etcher', '-o', 'yaml')
  const asList = await run('reports', 'show', 'etcher')
  refused = { detail: 'S2F35 was refused.', at: '2026-01-31T08:00:00.000Z' }
  const withReason = await run('reports', 'show', 'etcher')
  refused = null
  isApplied = true
  expect(shown).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('The gateway has applied no reports to etcher.'),
  })
  const nothing = 'The gateway has applied no reports to etcher.\n'
  expect(asList).toEqual({ code: 0, stdout: '', stderr: nothing })
  expect(withReason.stderr).toMatch(
    /^The gateway has applied no reports to etcher\.\n.*: S2F35 was refused\.\n$/,
  )
})

test('apply refuses a definition that names nothing, as it would delete all reports', async () => {
  for (const rest of ['', 'others: delete\n']) {
    writeFileSync(file, `reports: []\nevents: []\n${rest}`)
    gateway.calls.splice(0)
    const { code, stdout, stderr } = await run('reports', 'apply', 'etcher', file)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('has no report and no event')
    expect(stderr).toContain('Try: secsctl reports remove etcher\n')
    expect(gateway.calls.map(({ method }) => method)).not.toContain('PUT')
  }
  writeFileSync(file, 'reports: []\nevents: []\nothers: keep\n')
  expect((await run('reports', 'apply', 'etcher', file)).code).toBe(0)
})

test('an empty difference is not told as such where messages delete or disable', async () => {
  writeFileSync(file, 'reports: [{ id: 1001, variables: [1] }]\nevents: []\n')
  refusal = { difference: { reports: [], events: [] } }
  const { stderr } = await run('reports', 'apply', 'etcher', file)
  refusal = { ...refusal, steps: [] }
  const unsent = await run('reports', 'apply', 'etcher', file)
  refusal = undefined
  expect(stderr).not.toContain('No difference')
  expect(stderr).toContain('Among the messages: disable all events, delete all reports.')
  expect(unsent.stderr).toContain('No difference to what the gateway last applied to etcher.')
})
