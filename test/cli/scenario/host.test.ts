import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.js'
import { lineOf, Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const temporary = join(secsctl.home, 'tmp')
const file = join(secsctl.home, 'lot.yaml')
const simulators: ChildProcess[] = []

const simulator = (...flags: string[]): ChildProcess => {
  const started = secsctl.start(['simulator', 'run', 'etcher', '--json', ...flags])
  simulators.push(started)
  return started
}
async function host(...args: string[]) {
  const ran = await secsctl.runProcess(['scenario', 'host', ...args], { env: { TMPDIR: temporary } })
  expect(readdirSync(temporary)).toEqual([])
  return ran
}

beforeAll(() => {
  mkdirSync(temporary)
  writeFileSync(
    file,
    `secsctl: 1
name: Lot
set: { lot: L1 }
steps:
  - { command: START, with: { LOTID: '{lot}', PPID: OXIDE-ETCH-01 } }
  - expect: { event: ProcessingStarted, within: 60s, where: { LotID: '{lot}' } }
`,
  )
})
afterAll(() => {
  for (const one of simulators) one.kill('SIGKILL')
  secsctl.remove()
})

test('the command waits for equipment that dials, and the scenario uses the names that the equipment has', async () => {
  const port = await freePort()
  simulator('--active', `127.0.0.1:${port}`, '--timer', 't5=200ms')
  const { code, stdout, stderr } = await host(file, '--listen', `127.0.0.1:${port}`, '--set', 'lot=L2')
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('2 passed') })
  expect(stdout.match(/\tpassed\t/g)).toHaveLength(2)
  const typo = join(secsctl.home, 'typo.yaml')
  writeFileSync(typo, 'secsctl: 1\nname: x\nsteps: [ { expect: { event: Strated } } ]\n')
  const wrong = await host(typo, '--listen', `127.0.0.1:${port}`)
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/typo.yaml:3:\d+: .*no event Strated/),
  })
})

test('equipment that listens is dialled', async () => {
  const place = JSON.parse(await lineOf(simulator('--port', '0'), /"port":\d+/)) as { port: number }
  const { code } = await host(file, '--connect', `127.0.0.1:${place.port}`)
  expect(code).toBe(0)
})

test('without equipment it ends after its time with exit code 7', async () => {
  const { code, stderr } = await host(file, '--listen', `127.0.0.1:${await freePort()}`, '--wait', '1s')
  expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('no equipment') })
})

test.each([
  [[], /one of --listen and --connect/],
  [['--listen', '5000', '--connect', '127.0.0.1:5000'], /one of --listen and --connect/],
  [['--listen', 'x'], /HOST:PORT/],
  [['--listen', '0.0.0.0:5000'], /--peer is needed/],
  [['--connect', '127.0.0.1:5000', '--peer', '10.0.0.5'], /--peer goes with --listen/],
  [['--connect', '5000'], /HOST:PORT/],
])('scenario host with %j is wrong usage', async (flags, sentence) => {
  const { code, stderr } = await host(file, ...flags)
  expect(code).toBe(2)
  expect(stderr).toMatch(sentence)
})
