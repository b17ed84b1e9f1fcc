import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ended, lineOf, Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(['simulator', ...args])
afterAll(() => secsctl.remove())

test('a model that was shown and changed runs, takes commands at its port, and leaves a capture', async () => {
  const [file, capture] = [join(secsctl.home, 'mine.yaml'), join(secsctl.home, 'wire.pcapng')]
  const shown = await run('show', 'etcher')
  writeFileSync(file, shown.stdout.replace('name: etcher', 'name: mine'))
  const args = ['run', file, '--port', '0', '--control', '0', '--capture', capture, '--json']
  const simulator = secsctl.start(['simulator', ...args])
  const over = ended(simulator)
  const { control } = JSON.parse(await lineOf(simulator, /"control":\d+/)) as { control: number }
  const tell = (...words: string[]) => run('tell', String(control), ...words)
  const [done, refused, wrong, elsewhere] = await Promise.all([
    tell('status', '--json'),
    tell('drop'),
    tell('toast'),
    run('tell', '1', 'status'),
  ])
  expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, model: 'mine', connection_state: 'LISTENING' })
  expect([done, refused, wrong, elsewhere].map(({ code }) => code)).toEqual([0, 8, 2, 6])
  expect(refused.stderr).toContain('there is no session with a host: it is LISTENING')
  simulator.kill('SIGTERM')
  expect((await over).code).toBe(143)
  expect(existsSync(capture) && readFileSync(capture).readUInt32LE(0)).toBe(0x0a0d0d0a)
})

test('a model that is wrong says in which line', async () => {
  const file = join(secsctl.home, 'wrong.yaml')
  writeFileSync(file, 'name: wrong\nmdln: M\nsoftrev: 1\nevents:\n  - { id: 1, name: E, reports: [5] }\n')
  const { code, stderr } = await run('run', file, '--port', '0')
  expect(code).toBe(2)
  expect(stderr).toContain(`${file}:3:10 /softrev: 1 does not fit.`)
})

test('the models are listed, and their schema is JSON', async () => {
  const [models, schema] = await Promise.all([run('models'), run('schema')])
  expect(models.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    'etcher',
    'track',
    'furnace',
    'minimal',
    '',
  ])
  expect(JSON.parse(schema.stdout)).toMatchObject({ properties: { variables: { type: 'array' } } })
})
