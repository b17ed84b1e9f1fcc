import { A, B, F4, L, U1, U4 } from 'secs4js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { bareModel } from '../gem/bare-model.js'
import { until } from '../support/until.js'
import { type ForeignHost, startForeignHost } from './foreign-host.js'

const EQUIPMENT = bareModel({
  variables: [
    {
      id: '1',
      name: 'Pressure',
      unit: 'Pa',
      kind: 'status',
      value: { F4: [50] },
      limits: { minimum: 0, maximum: 100, event: '42' },
    },
  ],
  events: [
    { id: '41', name: 'Started', enabled: true, reports: [] },
    { id: '42', name: 'PressureZone', enabled: true, reports: [] },
  ],
  spool: {},
  traces: { shortestPeriod: 10 },
  programs: { stored: [{ id: 'CLEAN', body: { A: 'rinse' } }] },
  longestBody: 500,
  conversationTimeout: 50,
})

let host: ForeignHost
let simulator: Simulator

beforeEach(async () => {
  const model = {
    name: 'bare',
    description: '',
    equipment: EQUIPMENT,
    process: undefined,
    effects: [],
    alarmRules: [],
    waveforms: new Map(),
  }
  host = await startForeignHost({ role: 'passive' })
  simulator = new Simulator(
    model,
    { role: 'active', host: '127.0.0.1', port: host.port, timers: { t5: 100 }, establishDelay: 100 },
    { clock: systemClock, listeners: new Listeners() },
  )
  await simulator.start()
  await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
})

afterEach(async () => {
  await simulator.stop()
  await host.stop()
  expect(host.peer.errors).toEqual([])
})

const received = (stream: number, fn: number) =>
  host.received.filter((message) => message.stream === stream && message.function === fn)

test('a foreign host has variables traced', async () => {
  const request = L(U4(7), A('00000001'), U4(3), U4(1), L(U4(1)))
  expect((await host.peer.request(2, 23, request)).sml).toMatch(/<B.*0x00>/)
  await until(() => received(6, 1).length === 3)
  expect(received(6, 1).at(-1)?.sml).toMatch(/<U4 (\[1\] )?7>.*<U4 (\[1\] )?3>.*<F4 (\[1\] )?50/)
})

test('a foreign host sends, fetches and deletes a process program', async () => {
  const code = async (stream: number, fn: number, body: Parameters<typeof host.peer.request>[2]) =>
    /0x(\d\d)/.exec((await host.peer.request(stream, fn, body)).sml)?.[1]
  expect(await code(7, 1, L(A('NEW'), U4(3)))).toBe('00')
  expect(await code(7, 3, L(A('NEW'), B(Buffer.from([1, 2, 3]))))).toBe('00')
  expect((await host.peer.request(7, 19)).sml).toMatch(/"CLEAN".*"NEW"/)
  expect((await host.peer.request(7, 5, A('NEW'))).sml).toMatch(/"NEW".*0x01 0x02 0x03/i)
  expect(await code(7, 17, L(A('NEW')))).toBe('00')
  expect(await code(7, 17, L(A('NEW')))).toBe('04')
})

test('a foreign host has a variable watched, and is informed of its crossing a limit', async () => {
  const limit = L(B(Buffer.from([1])), L(F4(70), F4(60)))
  expect((await host.peer.request(2, 45, L(U4(1), L(L(U4(1), L(limit)))))).sml).toMatch(/0x00/)
  simulator.equipment.variables.set('Pressure', 75)
  const event = await until(() => received(6, 11)[0])
  expect(event.sml).toMatch(/42/)
})

test('a foreign host fetches what was spooled while its link was gone', async () => {
  await host.peer.separate()
  await until(() => simulator.equipment.communicationState === 'NOT_COMMUNICATING')
  await simulator.fireEvent('Started')
  await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  expect(received(6, 11)).toEqual([])
  expect((await host.peer.request(6, 23, U1(0))).sml).toMatch(/0x00/)
  expect((await until(() => received(6, 11)[0])).sml).toMatch(/41/)
  await until(() => simulator.equipment.spool?.states.spool === 'SPOOL_INACTIVE')
  expect((await host.peer.request(6, 23, U1(0))).sml).toMatch(/0x02/)
})

test('a foreign host is told of a body that is too long, and of what it announced and did not send', async () => {
  void host.peer.request(1, 3, A('x'.repeat(501))).catch(() => {})
  await until(() => received(9, 11).length === 1)
  expect((await host.peer.request(7, 1, L(A('NEVER'), U4(3)))).sml).toMatch(/0x00/)
  expect((await until(() => received(9, 13)[0])).sml).toMatch(/"S07F03".*"NEVER"/)
})
