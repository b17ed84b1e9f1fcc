import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { HSMS_CHECKS } from '../../../src/probe/hsms-checks/checks.js'
import type { RunResult } from '../../../src/scenario/run/result.js'
import { lineOf, Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(args)
let simulator: ChildProcess
let control: string

beforeAll(async () => {
  await run('daemon', 'start', '--port', '0')
  simulator = secsctl.start(['simulator', 'run', 'etcher', '--port', '0', '--control', '0', '--json'])
  const place = JSON.parse(await lineOf(simulator, /"port":\d+/)) as { port: number; control: number }
  control = String(place.control)
  await run('equipment', 'add', 'etcher', '--address', `127.0.0.1:${place.port}`, '--timer', 't3=5s')
  await run('equipment', 'connect', 'etcher')
})
afterAll(async () => {
  simulator.kill('SIGKILL')
  await run('daemon', 'stop')
  secsctl.remove()
})

const inHome = (name: string): string => join(secsctl.home, name)
async function gem(
  ...flags: string[]
): Promise<{ readonly code: number | string | null; readonly result: RunResult }> {
  const { code, stdout } = await run('scenario', 'run', 'gem', 'etcher', '--json', ...flags)
  return { code, result: JSON.parse(stdout) as RunResult }
}
const titles = ({ steps }: RunResult, verdict: string): string[] =>
  steps.filter((step) => step.verdict === verdict).map(({ title }) => title)

test('the simulator passes every check of gem, and the reports have all steps with their messages', async () => {
  const { code, result } = await gem('--junit', inHome('gem.xml'), '--html', inHome('gem.html'))
  expect({ code, wrong: result.steps.filter(({ verdict }) => verdict !== 'passed') }).toEqual({
    code: 0,
    wrong: [],
  })
  expect(readFileSync(inHome('gem.xml'), 'utf8').match(/<testcase /g)).toHaveLength(result.steps.length)
  const html = readFileSync(inHome('gem.html'), 'utf8')
  expect(html.match(/<section id="step-[\d.]+">/g)).toHaveLength(result.steps.length)
  expect(html.match(/<svg /g)?.length).toBeGreaterThan(50)
  expect(html).toContain('✕ S9F7 Illegal Data')
})

/** A fault of the simulator, and the checks that fail with it; those after them in their groups are skipped. */
const FAULTS: readonly (readonly [fault: string, failing: readonly RegExp[]])[] = [
  ['ack S1F18 0', [/S1F17 is refused/]],
  ['ack S2F16 0', [/unknown constant is not set/]],
  ['ack S2F32 0', [/time that is none/]],
  ['ack S2F34 0', [/not defined a second time/, /report of an unknown variable is refused/]],
  ['ack S2F34 1', [/report is defined/, /report is deleted \(/, /report of an unknown variable is refused/]],
  ['ack S2F36 0', [/link to an unknown report/, /link to an unknown event/]],
  ['ack S2F38 0', [/unknown CEID cannot be enabled/, /unknown CEID cannot be disabled/]],
  ['ack S2F42 0', [/unknown command is refused/]],
  ['ack S2F50 0', [/unknown enhanced command/]],
  ['ack S2F24 0', [/period that is none/, /trace of an unknown variable/]],
  ['ack S2F44 0', [/cannot be spooled/]],
  ['ack S2F46 0', [/Limits of an unknown/]],
  ['ack S5F4 0', [/unknown alarm cannot/]],
  ['ack S7F2 64', [/grants or refuses/]],
  ['ack S7F18 0', [/cannot be deleted/]],
  ['ack S10F4 1', [/text is displayed/]],
  ['ack S10F6 1', [/Several lines/]],
]
test.each(FAULTS)('with the fault %s exactly the checks for it fail', async (fault, failing) => {
  const words = fault.split(' ')
  expect(await run('simulator', 'tell', control, ...words)).toMatchObject({ code: 0 })
  try {
    const { code, result } = await gem()
    expect(code).toBe(8)
    expect(titles(result, 'failed')).toEqual(failing.map((title) => expect.stringMatching(title)))
    expect(titles(result, 'inconclusive')).toEqual([])
  } finally {
    expect(await run('simulator', 'tell', control, 'ack', words[1] ?? '', 'off')).toMatchObject({ code: 0 })
  }
})

test('equipment that does not reply is inconclusive for gem, whose precondition is a reply', async () => {
  await run('simulator', 'tell', control, 'silent', 'on')
  try {
    const { code, result } = await gem()
    expect(code).toBe(7)
    expect(titles(result, 'inconclusive')).toEqual(['The equipment replies to S1F1'])
    expect(titles(result, 'skipped')).toHaveLength(result.steps.length - 1)
  } finally {
    await run('simulator', 'tell', control, 'silent', 'off')
  }
})

test.runIf(process.platform === 'linux')(
  'a report that has no place at the end is exit code 1, after the result and the other reports',
  async () => {
    writeFileSync(inHome('wait.yaml'), 'secsctl: 1\nname: x\nsteps: [ { wait: 1ms } ]\n')
    const flags = ['--json', '--html', inHome('w.html'), '--junit', '/dev/full']
    const { code, stdout, stderr } = await run('scenario', 'run', inHome('wait.yaml'), 'etcher', ...flags)
    expect(code).toBe(1)
    expect(stderr).toContain('/dev/full cannot be written')
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'passed' })
    expect(readFileSync(inHome('w.html'), 'utf8')).toContain('passed')
  },
)

test('a lot is run by a file of its own, with a file that it uses and rows of a table', async () => {
  writeFileSync(inHome('lots.csv'), 'lot,recipe\nL1,OXIDE-ETCH-01\nL2,POLY-ETCH-02\n')
  writeFileSync(
    inHome('one-lot.yaml'),
    `secsctl: 1
name: One lot
set: { lot: none, recipe: none }
steps:
  - command: START
    with: { LOTID: '{lot}', PPID: '{recipe}' }
  - expect: { event: ProcessingStarted, within: 30s, where: { LotID: '{lot}', PPID: '{recipe}' } }
  - expect: { event: ProcessingCompleted, within: 30s, capture: { pressure: ChamberPressure } }
`,
  )
  writeFileSync(
    inHome('lots.yaml'),
    `secsctl: 1
name: Lots
never: [ S9, { alarm: 4003 } ]
steps:
  - repeat: { rows: lots.csv }
    steps:
      - { use: one-lot.yaml, with: { lot: '{lot}', recipe: '{recipe}' }, capture: { pressure: pressure } }
      - { read: ChamberPressure, is: { min: 1, max: 100 } }
`,
  )
  const { code, stdout, stderr } = await run('scenario', 'run', inHome('lots.yaml'), 'etcher')
  expect(stdout).not.toContain('failed')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'etcher passed: 8 passed.\n' })
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    '1.1.1.1\tpassed\tround 1: use one-lot.yaml: command START\t',
    '1.1.1.2\tpassed\tround 1: use one-lot.yaml: expect event ProcessingStarted with LotID, PPID\t',
  ])
  expect(await run('scenario', 'check', inHome('lots.yaml'))).toMatchObject({
    code: 0,
    stdout: 'scenario\tLots\nsteps\t4\n',
  })
})

test('what was recorded of a lot passes against the same equipment, with its alarm and what was refused', async () => {
  const since = new Date().toISOString()
  await run('send', 'etcher', 'S1F127 W.')
  await run('send', 'etcher', 'S10F3 W <L <B 0> <A "{x}\\n  y">>.')
  await run(
    'command',
    'etcher',
    'START',
    'LOTID=L1',
    'PPID=OXIDE-ETCH-01',
    '--wait-event',
    'ProcessingCompleted',
  )
  const { code, stdout, stderr } = await run('scenario', 'record', 'etcher', '--since', since)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /reply: S9F5.*command: START\n.*event: ProcessingStarted.*alarm: .*ProcessingCompleted/s,
  )
  writeFileSync(inHome('recorded.yaml'), stdout)
  expect(await run('scenario', 'check', inHome('recorded.yaml'))).toMatchObject({ code: 0 })
  const ran = await run('scenario', 'run', inHome('recorded.yaml'), 'etcher')
  expect(ran.stdout).not.toMatch(/failed|inconclusive|skipped/)
  expect(ran.code).toBe(0)
  const empty = await run('scenario', 'record', 'etcher', '--from', '2020-01-01', '--to', '2020-01-02')
  expect(empty).toMatchObject({ code: 3, stdout: '' })
})

test('a step that fails is shown with its messages and what was expected, and the exit code is 8', async () => {
  writeFileSync(
    inHome('bad.yaml'),
    'secsctl: 1\nname: Bad\nset: { n: 1 }\nsteps:\n  - { command: DANCE, expect: { HCACK: "{n}" } }\n  - { read: ChamberPressure, is: { max: "{n}" } }\n',
  )
  expect(await run('scenario', 'check', inHome('bad.yaml'))).toMatchObject({ code: 0 })
  const { code, stdout } = await run('scenario', 'run', inHome('bad.yaml'), 'etcher', '-o', 'table')
  expect(code).toBe(8)
  expect(stdout).toMatch(/passed +1 +command DANCE/)
  expect(stdout).toMatch(/failed +2 +read ChamberPressure[^\n]*\n +ChamberPressure is [\d.]+; expected max 1/)
  expect(stdout).toMatch(/Messages of step 2, .*bad.yaml:6\n[\s\S]*S1F3 W/)
})

test('an expectation of an event that the equipment does not have is exit code 2, and nothing is sent', async () => {
  const steps = '- { command: START }\n  - { expect: { event: ProcessingStrated } }\n'
  writeFileSync(inHome('typo.yaml'), `secsctl: 1\nname: Typo\nsteps:\n  ${steps}`)
  const newest = async () => (await run('messages', 'list', '--limit', '1', '--json')).stdout
  const before = await newest()
  const { code, stdout, stderr } = await run('scenario', 'run', inHome('typo.yaml'), 'etcher')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/typo.yaml:5:24: .*ProcessingStrated/)
  expect(await newest()).toBe(before)
})

test.each([
  [['scenario', 'run', 'nothing', 'etcher'], 3, /there is no scenario "nothing": gem/],
  [['scenario', 'run', 'gem', 'stepper'], 3, /stepper/],
  [['scenario', 'run', 'hsms', 'etcher'], 2, /conform HOST:PORT --only hsms/],
  [['scenario', 'run', 'gem', 'etcher', '--set', 'x=1'], 2, /no variable x in set/],
  [['scenario', 'run', 'gem', 'etcher', '--set', 'x'], 2, /--set takes NAME=VALUE/],
  [['scenario', 'run', 'gem', 'etcher', '--step'], 2, /--step/],
  [['scenario', 'show', 'nothing'], 3, /there is no scenario/],
  [['scenario', 'check', '/dev/null'], 2, /not a file/],
])('%j ends with %i', async (args, code, sentence) => {
  const ran = await run(...args)
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' })
  expect(ran.stderr).toMatch(sentence)
})

test('a file of rows that is not there is said to be so in words', async () => {
  const steps = '[ { repeat: { rows: nowhere.csv }, steps: [ { wait: 1s } ] } ]'
  writeFileSync(inHome('rows.yaml'), `secsctl: 1\nname: x\nsteps: ${steps}\n`)
  const { code, stderr } = await run('scenario', 'check', inHome('rows.yaml'))
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('nowhere.csv: there is no such file'),
  })
})

test('the scenarios that come with secsctl are listed, shown, and have a schema', async () => {
  expect((await run('scenario', 'list')).stdout).toMatch(/^gem\t\d+\tGEM interface$/m)
  expect((await run('scenario', 'show', 'gem')).stdout).toContain('secsctl: 1')
  const { stdout: hsms } = await run('scenario', 'show', 'hsms')
  const { checks } = parse(hsms) as { checks: { number: string; check: string; rule: string }[] }
  expect(checks).toHaveLength(HSMS_CHECKS.length)
  expect(checks[0]).toMatchObject({ number: '1.1.1', check: 'Select.req is accepted (status 0)' })
  expect((await run('scenario', 'list')).stdout).toContain(`hsms\t${checks.length}\tHSMS interface`)
  const schema = JSON.parse((await run('scenario', 'schema')).stdout) as {
    $defs: { step: { properties: object } }
  }
  expect(Object.keys(schema.$defs.step.properties)).toEqual(
    expect.arrayContaining(['send', 'expect', 'steps']),
  )
})

test('a file uses a scenario that comes with secsctl by its name, unless there is a file of that name', async () => {
  const main = inHome('uses.yaml')
  writeFileSync(main, 'secsctl: 1\nname: x\nsteps: [ { use: gem } ]\n')
  expect((await run('scenario', 'check', main)).code).toBe(0)
  writeFileSync(inHome('gem'), 'secsctl: 1\nname: own\nsteps: [ { wait: soon } ]\n')
  const own = await run('scenario', 'check', main)
  expect([own.code, own.stderr]).toEqual([2, expect.stringMatching(/gem:3:.*soon/)])
})

test('the files of docs/scenarios.md run as they are', async () => {
  const files = [...readFileSync('docs/scenarios.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
  expect(files.length).toBeGreaterThan(2)
  // The check of S7F1 in `gem` announces a recipe that never comes: on the same link S9F13 would follow 45 s later.
  expect(await run('equipment', 'disconnect', 'etcher', '--yes')).toMatchObject({ code: 0 })
  expect(await run('equipment', 'connect', 'etcher')).toMatchObject({ code: 0 })
  for (const [at, [, text = '']] of files.entries()) {
    const file = inHome(`docs-${at}.yaml`)
    writeFileSync(file, text)
    const ran = await run('scenario', 'run', file, 'etcher')
    expect(ran.stdout, ran.stdout).not.toMatch(/failed|inconclusive/)
    expect(ran.code).toBe(0)
    // The next one starts a lot, too.
    const idle =
      'secsctl: 1\nname: Idle\nsteps: [ { expect: { event: ProcessingCompleted, within: 20s } } ]\n'
    writeFileSync(inHome('idle.yaml'), idle)
    const isAtWork = text.includes('START') && !text.includes('ProcessingCompleted')
    if (isAtWork) await run('scenario', 'run', inHome('idle.yaml'), 'etcher')
  }
})

test('the simulator is given alarms, values, events, switches and faults by a scenario', async () => {
  const file = inHome('simulated.yaml')
  writeFileSync(
    file,
    `secsctl: 1
name: Simulated
set: { port: 1, pressure: 85 }
simulator: '{port}'
steps:
  - set: { variable: ChamberPressure, value: '{pressure}' }
  - read: ChamberPressure
    is: 85
  - set: { alarm: 4001 }
  - expect: { alarm: 4001, within: 30s }
  - set: { cleared: 4001 }
  - expect: { cleared: 4001, within: 30s }
  - set: { event: ProcessingStarted }
  - expect: { event: ProcessingStarted, within: 30s }
  - set: { switch: local }
  - expect: { event: Local, within: 30s }
  - set: { switch: remote }
  - group: Silent
    steps:
      - set: { fault: silent on }
      - { send: S1F1 W, reply: none, within: 500ms }
  - group: End
    steps:
      - set: { fault: mend }
      - set: { fault: free ChamberPressure }
`,
  )
  // The last one is a command, and not a fault.
  expect((await run('scenario', 'check', file)).stderr).toMatch(
    /simulated.yaml:25:9: there is no fault "free"/,
  )
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ *- set: { fault: free.*\n/, ''))
  const ran = await run('scenario', 'run', file, 'etcher', '--set', `port=${control}`)
  expect(ran.stdout).not.toMatch(/failed|inconclusive/)
  expect(ran.code).toBe(0)
  await run('simulator', 'tell', control, 'free', 'ChamberPressure')
  const none = await run('scenario', 'run', file, 'etcher')
  expect(none.code).toBe(7)
  expect(none.stdout).toMatch(/^1\tinconclusive\t.*127.0.0.1:1/)
})

/** Another scenario that comes with secsctl, a fault of the simulator, and the checks that fail with it. */
const OTHERS: readonly (readonly [name: string, fault: string, failing: readonly RegExp[]])[] = [
  ['recovery', '', []],
  ['recovery', 'ack S6F24 1', [/What is spooled/]],
  ['recovery', 'ack S2F34 0', [/not defined a second time/]],
  ['load', '', []],
  ['load', 'late 1200ms', [/S1F1 has replies in time/, /S1F3 of all/]],
]
/** Limits that a busy machine keeps. */
const LOAD = ['rate=20', 'time=1s', 'p50=1000', 'p99=20000'].flatMap((value) => ['--set', value])
test.each(OTHERS)('%s with the fault "%s" fails in exactly these checks', async (name, fault, failing) => {
  if (fault !== '') await run('simulator', 'tell', control, ...fault.split(' '))
  const set = name === 'load' ? LOAD : []
  const { stdout } = await run(
    'scenario',
    'run',
    name,
    'etcher',
    '--json',
    '--html',
    inHome('x.html'),
    ...set,
  )
  await run('simulator', 'tell', control, 'mend')
  const result = JSON.parse(stdout) as RunResult
  expect(titles(result, 'failed')).toEqual(failing.map((title) => expect.stringMatching(title)))
  expect(titles(result, 'inconclusive')).toEqual([])
  if (name === 'load' && fault === '')
    expect(readFileSync(inHome('x.html'), 'utf8')).toMatch(/count 20, failed 0, .*p99 [\d.]+/)
})

test('spool passes where the event happens while the link is down', async () => {
  const text = (await run('scenario', 'show', 'spool')).stdout
  const file = inHome('spool.yaml')
  const set = 'set: { event: ProcessingStarted }'
  writeFileSync(file, text.replace(/operator: .*/, set).replace('steps:', `simulator: ${control}\nsteps:`))
  const { code, stdout } = await run('scenario', 'run', file, 'etcher')
  expect(stdout).not.toMatch(/failed|inconclusive/)
  expect(code).toBe(0)
})

test('equipment gets the replies of a scenario during its run, and the usual ones after it', async () => {
  const file = inHome('replies.yaml')
  const event = '- set: { event: ProcessingStarted }\n  - expect: { event: ProcessingStarted, within: 30s }'
  writeFileSync(
    file,
    `secsctl: 1\nname: Replies\nsimulator: ${control}\non: { S6F11: S6F12 <B 1>. }\nsteps:\n  ${event}\n`,
  )
  expect(await run('scenario', 'run', file, 'etcher')).toMatchObject({ code: 0 })
  await run('simulator', 'tell', control, 'event', 'ProcessingStarted')
  const replies = async (): Promise<readonly string[]> => {
    const { stdout } = await run('messages', 'list', '--message', 'S6F12', '-n', '2', '--json')
    return (JSON.parse(stdout) as { sml: string }[]).map(({ sml }) => sml)
  }
  await expect
    .poll(replies, { timeout: 60_000 })
    .toEqual([expect.stringContaining('0x00'), expect.stringContaining('0x01')])
})
