import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended, lineOf, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
let simulator: ChildProcess

beforeAll(async () => {
  simulator = secsctl.start(['simulator', 'run', 'etcher', '--port', '0', '--json'])
  const { port } = JSON.parse(await lineOf(simulator, /"port":\d+/)) as { port: number }
  await secsctl.run(['daemon', 'start', '--port', '0'])
  await secsctl.run(['equipment', 'add', 'etcher', '--address', `127.0.0.1:${port}`])
  await secsctl.run(['equipment', 'connect', 'etcher'])
})
afterAll(async () => {
  simulator.kill('SIGKILL')
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

test('a reader that closes its pipe ends the trace in the equipment', async () => {
  const args = [
    'traces',
    'run',
    'etcher',
    'ChamberPressure',
    '--period',
    '200ms',
    '--samples',
    '500',
    '--json',
  ]
  const trace = secsctl.start(args)
  const over = ended(trace)
  await lineOf(trace, /"sample":1/)
  const running = await secsctl.run(['traces', 'list', 'etcher', '--json'])
  expect(JSON.parse(running.stdout)).toHaveLength(1)
  trace.stdout?.destroy()
  expect((await over).code).toBe(0)
  await until(async () => (await secsctl.run(['traces', 'list', 'etcher', '--json'])).stdout === '[]\n')
})

test('a trace that does not continue after the connection was lost ends with the reason, and is not started again', async () => {
  const trace = secsctl.start(['traces', 'run', 'etcher', 'ChamberPressure', '--period', '200ms', '--json'])
  const over = ended(trace)
  await lineOf(trace, /"sample":1/)
  simulator.kill('SIGKILL')
  const { code, stderr } = await over
  expect([code, stderr]).toEqual([7, expect.stringMatching(/no further sample .* is not started again/s)])
})
