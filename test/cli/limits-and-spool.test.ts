import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
const simulators: ChildProcess[] = []
const run = (...args: string[]) => secsctl.run(args)

async function simulated(model: string): Promise<void> {
  const child = secsctl.start(['simulator', 'run', model, '--port', '0', '--json'])
  simulators.push(child)
  const { port } = JSON.parse(await lineOf(child, /"port":\d+/))
  await run('equipment', 'add', model, '--address', `127.0.0.1:${port}`)
  await run('equipment', 'connect', model)
}

beforeAll(async () => {
  await run('daemon', 'start', '--port', '0')
  await simulated('furnace')
  await simulated('track')
})
afterAll(async () => {
  for (const child of simulators) child.kill('SIGKILL')
  await run('daemon', 'stop')
  secsctl.remove()
})

test('a limit is defined, its crossing is an event, and it is deleted', async () => {
  expect((await run('limits', 'list', 'furnace')).stdout).toBe(
    '20\tCenterTemperature\tdegC\t0\t1250\t1=890..900\n',
  )
  const set = await run('limits', 'set', 'furnace', 'CenterTemperature', '2=580..585', '3=-1..0')
  expect(set).toMatchObject({
    ...{
      code: 8,
      stderr: expect.stringMatching(/LVACK 4.*limit 3: LIMITACK 3, lower end below the minimum/),
    },
  })
  expect(await run('limits', 'set', 'furnace', 'CenterTemperature', '2=700..705')).toMatchObject({ code: 0 })
  const waiting = run(
    'events',
    'wait',
    '--equipment',
    'furnace',
    '--collection-event',
    'TemperatureLimit',
    '--timeout',
    '20s',
  )
  await until(async () => (await run('command', 'furnace', 'START', 'BATCHID=B1')).code === 0)
  expect(await waiting).toMatchObject({ code: 0 })
  expect(await run('limits', 'clear', 'furnace', 'CenterTemperature', '2')).toMatchObject({ code: 0 })
  expect((await run('limits', 'list', 'furnace', 'BatchesProcessed', '20')).stdout).toBe(
    '30\tBatchesProcessed\t\t\t\tcannot have limits\n20\tCenterTemperature\tdegC\t0\t1250\t1=890..900\n',
  )
  expect(await run('limits', 'clear', 'furnace')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await run('limits', 'clear', 'furnace', '--yes')).toMatchObject({ code: 0 })
  expect((await run('limits', 'list', 'furnace')).stdout).toBe('20\tCenterTemperature\tdegC\t0\t1250\t\n')
}, 60_000)

test('what is spooled is chosen and shown; an empty spool is no refusal', async () => {
  const shown = async () => (await run('spool', 'show', 'track')).stdout
  expect(await shown()).toMatch(/SpoolCountActual\t0\n.*MaxSpoolTransmit\t0\n.*spooled\tS5F1 S6F11\n/s)
  expect(await run('spool', 'set', 'track', 'S6', 's5f1')).toMatchObject({ code: 0 })
  expect(await shown()).toMatch(/spooled\tS6 S5F1\nknown from\tS2F60, message \d+\n/)
  expect(await run('spool', 'set', 'track', 'S6F13', 'S1F1')).toMatchObject({
    ...{
      code: 8,
      stderr: expect.stringMatching(/S6F13: STRACK 3, no such function\nS1F1: STRACK 1/),
    },
  })
  expect(await run('spool', 'set', 'track', '--none')).toMatchObject({ code: 0 })
  expect(await shown()).toContain('spooled\tnothing\n')
  expect(await run('spool', 'transmit', 'track')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('RSDA\t2 nothing is spooled') },
  })
  expect(await run('spool', 'purge', 'track')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await run('spool', 'purge', 'track', '--yes')).toMatchObject({ code: 0 })
})

test('what is no limit and no message is refused before anything is sent', async () => {
  for (const words of [
    ['limits', 'set', 'furnace', 'CenterTemperature', '1=5'],
    ['limits', 'set', 'furnace', 'CenterTemperature', '300=5..6'],
    ['limits', 'clear', 'furnace', 'CenterTemperature', 'one'],
    ['spool', 'set', 'track'],
    ['spool', 'set', 'track', 'S6F11', '--none'],
    ['spool', 'set', 'track', 'alarms'],
  ])
    expect(await run(...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' })
})
