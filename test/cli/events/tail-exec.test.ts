import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { shellWord } from '../../../src/kit/shell-word.js'
import { runCommand } from '../../support/command.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { PseudoTerminal } from '../../support/pseudo-terminal.js'
import { Secsctl } from '../../support/secsctl.js'
import { until, untilLater } from '../../support/until.js'

const secsctl = new Secsctl()
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const event = (id: number) => ({
  ...{ id: String(id), type: 'alarm', name: 'alarm_set', equipment_id: 'eq_1', equipment_name: 'etcher' },
  ...{ at: '2026-03-01T08:00:00.000Z', data: { text: `it's "hot" $(id) ${id}`, traceparent: TRACE } },
})
const EVENTS = [41, 42, 43].map(event)
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [], next_cursor: null } }),
  'GET /events': () => ({ body: { items: [event(41)], next_cursor: null } }),
  'GET /events/stream': ({ query, headers }) => ({
    isOpen: true,
    text: EVENTS.filter(({ id }) => Number(id) > Number(headers['last-event-id'] ?? query.get('after') ?? 40))
      .map((one) => `id: ${one.id}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
      .join(''),
  }),
})
const env = served(gateway, secsctl)
let terminal: PseudoTerminal | undefined
let files = 0
afterEach(() => terminal?.kill())

const file = (): string => join(secsctl.home, `file${files++}`)
const exec = (command: string, ...more: string[]) =>
  secsctl.runProcess(['events', 'tail', '--exec', command, ...more], { env })

const CTRL_C = '\x03'
/** A command of the shell that lasts until the test makes this file. */
const lastsUntil = (path: string): string => `until [ -e ${path} ]; do sleep 0.05; done`
/** Ctrl-C while a command runs, which ends after it. */
async function interruptDuring(terminal: PseudoTerminal, go: string): Promise<void> {
  terminal.type(CTRL_C)
  await terminal.shows(/Waiting for the command to end/)
  writeFileSync(go, '')
}
const atTerminal = (command: string, cursor: string) =>
  new PseudoTerminal(
    `${process.execPath} bin/run.js events tail --exec ${shellWord(command)} --cursor-file ${cursor}`,
    secsctl.environment(env),
  )

test('a command gets each event as a line of JSON and by its environment, and its output is the output', async () => {
  const command =
    'cat; echo "$SECSCTL_EVENT_ID $SECSCTL_EVENT_TYPE $SECSCTL_EVENT_NAME $SECSCTL_EVENT_EQUIPMENT $SECSCTL_EVENT_EQUIPMENT_ID $SECSCTL_EVENT_AT $TRACEPARENT"'
  const { code, stdout, stderr } = await exec(command, '--count', '2')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [first = '', variables, second = ''] = stdout.split('\n')
  expect([JSON.parse(first), JSON.parse(second)]).toEqual(EVENTS.slice(0, 2))
  expect(variables).toBe(`41 alarm alarm_set etcher eq_1 2026-03-01T08:00:00.000Z ${TRACE}`)
})

test('commands run one at a time, and the wait for an event does not count while one runs', async () => {
  const [out, go] = [file(), file()]
  const slow = `[ $SECSCTL_EVENT_ID != 41 ] || ${lastsUntil(go)}`
  const command = `echo begin >> ${out}; ${slow}; echo end >> ${out}`
  const clock = new ManualClock()
  const args = ['events', 'tail', '--exec', command, '--idle-timeout', '2s']
  let exitCode: number | undefined
  void runCommand(args, { variables: secsctl.environment(env), clock }).then((result) => {
    exitCode = result.exitCode
  })
  await until(() => has(out, 'begin'))
  clock.advance(10_000)
  writeFileSync(go, '')
  await until(() => exitCode !== undefined || readFileSync(out, 'utf8') === 'begin\nend\n'.repeat(3))
  expect(exitCode).toBeUndefined()
  expect(await untilLater(clock, () => exitCode, 100)).toBe(7)
  expect(readFileSync(out, 'utf8')).toBe('begin\nend\n'.repeat(3))
})

test('a command that fails is reported, and the next event follows', async () => {
  const { code, stdout, stderr } = await exec(
    '[ $SECSCTL_EVENT_ID != 42 ] && echo $SECSCTL_EVENT_ID',
    '-n',
    '3',
  )
  expect({ code, stdout }).toEqual({ code: 0, stdout: '41\n43\n' })
  expect(stderr).toBe('the command failed for event 42: it ended with exit code 1\n')
})

test('with --stop-on-failure it ends the stream, and the event is the first of the next run', async () => {
  const cursor = file()
  const given = ['--stop-on-failure', '--cursor-file', cursor, '--since', '1h']
  const failing = await exec('[ $SECSCTL_EVENT_ID != 42 ]', ...given)
  expect(failing).toMatchObject({ code: 1, stdout: '' })
  expect(failing.stderr).toContain('the command failed for event 42: it ended with exit code 1')
  expect(readFileSync(cursor, 'utf8')).toBe('41\n')
  const next = await exec('echo $SECSCTL_EVENT_ID', ...given, '--count', '2')
  expect(next).toMatchObject({ code: 0, stdout: '42\n43\n' })
  const last = await exec('echo $SECSCTL_EVENT_ID', ...given, '--idle-timeout', '1s')
  expect(last).toMatchObject({ code: 7, stdout: '' })
})

test('a first run with --since leaves the position before its first event, and the time does not count for the next run', async () => {
  const cursor = file()
  const args = ['--stop-on-failure', '--cursor-file', cursor, '--since', '2m']
  for (let run = 0; run < 2; run++) {
    const before = gateway.calls.length
    const { code, stderr } = await exec('exit 3', ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining('event 42')])
    expect(readFileSync(cursor, 'utf8')).toBe('41\n')
    const calls = gateway.calls.slice(before)
    const streamed = calls.find(({ path }) => path === '/events/stream')
    expect([streamed?.query.get('after'), streamed?.query.get('from')]).toEqual(['41', null])
    const listed = calls.filter(({ path }) => path === '/events').map(({ query }) => query.get('to'))
    expect(listed).toEqual(run === 0 ? [expect.stringMatching(/Z$/)] : [])
  }
})

test('a command that is not found ends the stream: no other event would fare better', async () => {
  const cursor = file()
  const { code, stderr } = await exec('no-such-command-here', '--cursor-file', cursor)
  expect(code).toBe(1)
  expect(stderr).toContain('the command failed for event 42: it ended with exit code 127')
  expect(readFileSync(cursor, 'utf8')).toBe('41\n')
})

test('a cursor file begins with the newest event, and printed events continue there, too', async () => {
  const cursor = file()
  const lines = async (...until: string[]) => {
    const given = ['--cursor-file', cursor, '-o', 'json', ...until]
    const { stdout } = await secsctl.run(['events', 'tail', ...given], { env })
    return stdout.split('\n').filter(Boolean)
  }
  expect(await lines('--count', '2')).toHaveLength(2)
  expect(readFileSync(cursor, 'utf8')).toBe('43\n')
  expect(await lines('--idle-timeout', '1s')).toHaveLength(0)
})

test('a cursor file that holds something else is refused, and kept', async () => {
  const cursor = file()
  writeFileSync(cursor, 'my thesis\n')
  expect(await exec('true', '--cursor-file', cursor)).toMatchObject({
    code: 2,
    stderr: `Error: --cursor-file ${cursor} holds no id of an event\n`,
  })
  expect(readFileSync(cursor, 'utf8')).toBe('my thesis\n')
  expect(await exec('true', '--cursor-file', join(cursor, 'x'))).toMatchObject({ code: 2 })
})

test('Ctrl-C at a terminal waits for the command that runs, and its event is not repeated', async () => {
  const [cursor, out, go] = [file(), file(), file()]
  terminal = atTerminal(`echo begin > ${out}; ${lastsUntil(go)}; echo end >> ${out}`, cursor)
  await until(() => has(out, 'begin'))
  await interruptDuring(terminal, go)
  expect(await terminal.ended()).toBe(130)
  expect(readFileSync(out, 'utf8')).toBe('begin\nend\n')
  expect(readFileSync(cursor, 'utf8')).toBe('42\n')
})

test('a command that fails after Ctrl-C is repeated for its event', async () => {
  const [cursor, out, go] = [file(), file(), file()]
  terminal = atTerminal(`echo begin > ${out}; ${lastsUntil(go)}; exit 3`, cursor)
  await until(() => has(out, 'begin'))
  await interruptDuring(terminal, go)
  expect(await terminal.ended()).toBe(130)
  expect(readFileSync(cursor, 'utf8')).toBe('41\n')
})

test('a second Ctrl-C ends the command and what it runs', async () => {
  const [cursor, out] = [file(), file()]
  terminal = atTerminal(`echo $$ > ${out}; sleep 60; echo end >> ${out}`, cursor)
  await until(() => has(out, '\n'))
  const group = Number(readFileSync(out, 'utf8'))
  terminal.type(CTRL_C)
  await until(() => {
    terminal?.type(CTRL_C)
    return !isAlive(-group)
  })
  expect(await terminal.ended()).toBe(130)
  expect(readFileSync(out, 'utf8')).toBe(`${group}\n`)
  expect(readFileSync(cursor, 'utf8')).toBe('41\n')
})

test('an empty command is refused, and SECSCTL_OUTPUT does not choose the events', async () => {
  expect(await exec(' ')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--exec needs a command'),
  })
  const tail = ['events', 'tail', '--exec', 'echo $SECSCTL_EVENT_ID', '--count', '3']
  expect(await secsctl.runProcess(tail, { env: { ...env, SECSCTL_OUTPUT: 'sml' } })).toMatchObject({
    ...{ code: 0, stdout: '41\n42\n43\n', stderr: '' },
  })
})

test('a command that does not read a long event does no harm', async () => {
  const long = { ...event(41), data: { text: 'x'.repeat(1_000_000), traceparent: TRACE } }
  EVENTS.splice(0, 1, long)
  expect(await exec('exec < /dev/null; echo done', '--count', '1')).toMatchObject({
    code: 0,
    stdout: 'done\n',
  })
})

function has(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(text)
  } catch {
    return false
  }
}

/** Whether a process, or for a negative number one of its group, is there. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
