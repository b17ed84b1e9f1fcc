import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/scenario/run/result.js'
import { lineOf, Secsctl } from '../support/secsctl.js'
import { CHECK_CHECKSUMS, fieldsOf } from './wireshark.js'

const secsctl = new Secsctl()
/** Short enough to be waited for, and longer than a busy machine holds up a reply. */
const TIMERS = ['t3=5s', 't6=4s', 't7=6s', 't8=2s', 'linktest=2s'].flatMap((timer) => ['--timer', timer])
let simulator: ChildProcess
let port: number

beforeAll(async () => {
  simulator = secsctl.start(['simulator', 'run', 'etcher', '--port', '0', '--json', ...TIMERS])
  port = (JSON.parse(await lineOf(simulator, /"port":\d+/)) as { port: number }).port
})
afterAll(() => {
  simulator.kill('SIGKILL')
  secsctl.remove()
})

test('Wireshark reads the capture of conform: the frames of the checks of HSMS, and then those of the gateway', async () => {
  const html = join(secsctl.home, 'c.html')
  const address = `127.0.0.1:${port}`
  const { code, stdout } = await secsctl.runProcess(['conform', address, '--html', html, '--json', ...TIMERS])
  expect(code).toBe(0)
  const capture = readFileSync(join(secsctl.home, 'c.pcapng'))
  const fields = [
    'tcp.stream',
    'hsms.header.stype',
    'hsms.header.ptype',
    'hsms.header.stream',
    'hsms.header.function',
  ]
  const read = await fieldsOf(capture, port, fields, 'hsms', CHECK_CHECKSUMS)
  const sTypes = read.map(([, sType]) => Number(sType))
  // Each check that needs a session has at least one Select.req of its own; the gateway has one.
  const checks = (JSON.parse(stdout) as RunResult).steps.filter(({ number }) => number.startsWith('1.'))
  expect(sTypes.filter((one) => one === 1).length).toBeGreaterThan(checks.length * 0.8)
  // Linktest.req and .rsp, Reject.req, Separate.req, Deselect.req, and the unknown SType.
  expect([...new Set(sTypes)]).toEqual(expect.arrayContaining([0, 1, 2, 3, 5, 6, 7, 9, 11]))
  expect(read.some(([, , pType]) => pType === '1')).toBe(true)
  // S2F25 is of the checks of HSMS, S2F33 of GEM; times do not go back.
  const messages = read.map(([stream, , , s, f]) => [Number(stream), `S${s}F${f}`] as const)
  const streamOf = (name: string): number => messages.find(([, one]) => one === name)?.[0] ?? -1
  expect(streamOf('S2F25')).toBeGreaterThan(0)
  expect(streamOf('S2F33')).toBeGreaterThan(streamOf('S2F25'))
  const bad = await fieldsOf(capture, port, ['frame.number'], 'tcp.checksum.status == 0', CHECK_CHECKSUMS)
  expect(bad).toEqual([])
})
