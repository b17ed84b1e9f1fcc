import type { ChildProcess } from 'node:child_process'
import { beforeEach, expect, test } from 'vitest'
import { watchGiven } from '../../src/cli/input/repetition.js'
import { type FakeAnswer, FakeGateway, problem, served } from '../support/fake-gateway.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { ended, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
const AWAY = { status: 503, body: problem(503, 'shutting_down', 'The gateway is shutting down.') }

let answer: () => FakeAnswer
const named = (...names: string[]) => {
  const items = names.map((name, at) => sampleEquipment({ id: `eq_${at}`, name }))
  return (): FakeAnswer => ({ body: { items, next_cursor: null } })
}
const gateway = new FakeGateway({ 'GET /equipment': () => answer() })
const calls = async (more: number): Promise<void> => {
  const wanted = gateway.calls.length + more
  await until(async () => gateway.calls.length >= wanted)
}
const env = served(gateway, secsctl)
beforeEach(() => {
  answer = named('etcher')
})

/** Interrupts a list that is watched after what `meanwhile` does. */
async function watched(words: readonly string[], meanwhile: (child: ChildProcess) => Promise<void>) {
  const child = secsctl.start(['equipment', 'list', '--watch', '100ms', ...words], env)
  const ran = ended(child)
  await calls(2)
  await meanwhile(child)
  child.kill('SIGINT')
  return ran
}

test('in a pipe a list is printed again when it differs, and Ctrl-C ends it as it ends a tail', async () => {
  const { code, stdout, stderr } = await watched(['--columns', 'name', '-o', 'tsv'], async () => {
    await calls(3)
    answer = named('etcher', 'coater')
    await calls(3)
  })
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: 'etcher\n\ncoater\netcher\n', stderr: '' })
})

test('as JSON each is an array on a line; as YAML each is a document', async () => {
  const change = async (): Promise<void> => {
    answer = named()
    await calls(3)
  }
  const json = await watched(['--json'], change)
  expect(json.stdout.split('\n')).toEqual([expect.stringMatching(/^\[\{.*\}\]$/), '[]', ''])
  answer = named('etcher')
  const yaml = await watched(['-o', 'yaml'], change)
  expect(yaml.stdout).toMatch(/name: "etcher"\n(?:.*\n)*---\n\[\]\n$/)
})

test('a gateway that is away for a moment is waited for, which is said once', async () => {
  const { code, stdout, stderr } = await watched(['--columns', 'name'], async () => {
    answer = () => AWAY
    await calls(4)
    answer = named('coater')
    await calls(3)
  })
  expect({ code, stdout }).toEqual({ code: 130, stdout: 'etcher\n\ncoater\n' })
  expect(stderr).toBe('The gateway is shutting down. Trying again in 0.1 s.\n')
})

test('what fails the first time, or is refused later, ends it', async () => {
  answer = () => AWAY
  const first = await secsctl.run(['equipment', 'list', '-w'], { env })
  expect(first.stdout).toBe('')
  expect(first.code).not.toBe(0)
  answer = named('etcher')
  const child = secsctl.start(['equipment', 'list', '-w100ms'], env)
  const ran = ended(child)
  await calls(2)
  answer = () => ({ status: 403, body: problem(403, 'forbidden', 'The role viewer is needed.') })
  expect(await ran).toMatchObject({ code: 4, stderr: expect.stringContaining('The role viewer is needed.') })
})

test('on a terminal it is drawn in place, and q restores the terminal', async () => {
  const terminal = new PseudoTerminal(
    'node bin/run.js equipment list --watch 100ms --columns name',
    secsctl.environment({ ...env, TERM: 'xterm', LANG: 'C.UTF-8', NO_COLOR: '1' }),
  )
  await terminal.shows('Every 0.1 s: secsctl equipment list --columns name')
  await terminal.shows('etcher')
  answer = () => AWAY
  await terminal.shows('The gateway is shutting down. Trying again in 0.1 s.')
  answer = named('etcher', ...Array.from({ length: 99 }, (_, at) => `tool${at}`))
  await terminal.shows('\\d+ more lines')
  terminal.type('q')
  expect(await terminal.ended()).toBe(0)
  expect(terminal.text.endsWith('\x1b[?7h\x1b[?25h\x1b[?1049l')).toBe(true)
})

test.each([
  [['etch', '--watch'], 2000, ['etch']],
  [['-w', '-o', 'csv'], 2000, ['-o', 'csv']],
  [['--watch', '5s', 'etch'], 5000, ['etch']],
  [['etch', '--watch=1m'], 60_000, ['etch']],
  [['-w500ms'], 500, []],
  [['-w=1s', '--', '-w'], 1000, ['--', '-w']],
])('%j', (words, interval, left) => {
  expect(watchGiven(words)).toEqual({ interval, words: left })
})

test('--watch that is given twice, or in a word with another flag, is wrong usage', async () => {
  for (const words of [
    ['--watch', '--watch'],
    ['-wl', 'area=etch'],
  ])
    expect(await secsctl.run(['equipment', 'list', ...words], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--watch is given once'),
    })
})

test('--watch without a flag of this name, or with what is no duration', () => {
  expect(watchGiven(['etch', '--', '--watch'])).toBeUndefined()
  expect(() => watchGiven(['--watch', '5'])).toThrow('--watch takes a duration')
  expect(() => watchGiven(['--watch=10ms'])).toThrow('100ms or more')
})
