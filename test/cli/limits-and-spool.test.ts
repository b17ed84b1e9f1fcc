import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
const simulators: ChildProcess[] = []
const run = (...args: string[]) => secsctl.run(args)

/** Registers and connects simulated equipment; gives its control port. */
async function simulated(model: string, ...flags: string[]): Promise<string> {
  const child = secsctl.start(['simulator', 'run', model, '--port', '0', '--control', '0', '--json'])
  simulators.push(child)
  const { port, control } = JSON.parse(await lineOf(child, /"port":\d+/))
  await run('equipment', 'add', model, '--address', `127.0.0.1:${port}`, ...flags)
  await run('equipment', 'connect', model)
  return String(control)
}

let track: string

beforeAll(async () => {
  await run('daemon', 'start', '--port', '0')
  await simulated('furnace')
  track = await simulated('track', '--no-gem-startup') // else the gateway empties its spool by itself
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
})

test('what is spooled is chosen and shown; an empty spool is no refusal', async () => {
  const shown = async () => (await run('spool', 'show', 'track')).stdout
  expect(await shown()).toMatch(/SpoolCountActual\t0\n.*MaxSpoolTransmit\t0\n.*chosen\tS5F1 S6F11\n/s)
  expect(await run('spool', 'set', 'track', 'S6', 's5f1')).toMatchObject({ code: 0 })
  expect(await shown()).toMatch(/chosen\tS6 S5F1\nknown from\tS2F60, message \d+\n/)
  expect(await run('spool', 'set', 'track', 'S6F13', 'S1F1')).toMatchObject({
    ...{
      code: 8,
      stderr: expect.stringMatching(/S6F13: STRACK 3, no such function\nS1F1: STRACK 1/),
    },
  })
  expect(await run('spool', 'set', 'track', '--none')).toMatchObject({ code: 0 })
  expect(await shown()).toContain('chosen\tnothing\n')
  expect(await run('spool', 'transmit', 'track')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('RSDA\t2 nothing is spooled') },
  })
  expect(await run('spool', 'purge', 'track')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  })
  expect(await run('spool', 'purge', 'track', '--yes')).toMatchObject({ code: 0 })
})

test('messages that were spooled are counted, and come when they are requested', async () => {
  const count = async () => /SpoolCountActual\t(\d+)/.exec((await run('spool', 'show', 'track')).stdout)?.[1]
  const spooled = async () => {
    expect(await run('spool', 'set', 'track', 'S5F1')).toMatchObject({ code: 0 })
    await run('equipment', 'disconnect', 'track')
    await until(async () =>
      (await run('simulator', 'tell', track, 'status')).stdout.includes('NOT_COMMUNICATING'),
    )
    for (const state of ['set', 'clear']) await run('simulator', 'tell', track, 'alarm', '502', state)
    await run('equipment', 'connect', 'track')
    await until(async () => (await count()) === '2')
  }
  await spooled()
  expect(await run('spool', 'transmit', 'track')).toMatchObject({ code: 0 })
  const received = async () =>
    JSON.parse((await run('messages', 'list', '--message', 'S5F1', '--json')).stdout)
  await until(async () => (await received()).length === 2)
  expect(await received()).toMatchObject([{ may_be_spooled: true }, { may_be_spooled: true }])
  await spooled()
  expect(await run('spool', 'purge', 'track', '--yes')).toMatchObject({ code: 0 })
  await until(async () => (await count()) === '0')
  expect(await received()).toHaveLength(2)
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

test('a variable that cannot have limits is named, with the command that lists those that can', async () => {
  expect(await run('limits', 'set', 'furnace', 'BatchesProcessed', '1=5..6')).toEqual({
    ...{ code: 3, stdout: '' },
    stderr: expect.stringMatching(/BatchesProcessed.*\nTry: secsctl limits list furnace\n/),
  })
})
