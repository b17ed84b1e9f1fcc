import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STREAM9_FUNCTIONS, subjectOfStream9 } from '../../src/gem/message-header.js'
import { DEFAULT_HSMS_TIMERS } from '../../src/hsms/settings.js'
import { ListenError, Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, F4, L, U4 } from '../../src/secs2/item.js'
import type { Model } from '../../src/simulator/model.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import type { Crossing } from '../../src/simulator/wire.js'
import { ManualClock } from '../support/manual-clock.js'
import { until, untilLater } from '../support/until.js'
import { HostSession } from './host-session.js'

const world = { clock: systemClock, listeners: new Listeners() }
const etcher = shippedModel('etcher') as Model
const options = { role: 'passive', host: '127.0.0.1', port: 0 } as const

let simulator: Simulator
let session: HostSession
let log: Crossing[]

async function begin(host: { readonly deviceId?: number } = {}): Promise<void> {
  await simulator.start()
  session = new HostSession({ role: 'active', port: simulator.port, ...host })
  await session.start()
}

beforeEach(() => {
  simulator = new Simulator(etcher, { ...options, establishDelay: 100 }, world)
  log = []
  simulator.log.on((crossing) => log.push(crossing))
})

afterEach(async () => {
  await session.stop()
  await simulator.stop()
})

describe('a simulator with a host of ours', () => {
  beforeEach(async () => {
    await begin()
    // Either side gets there first: both ask.
    await until(() => session.host.communicationState === 'COMMUNICATING')
    await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  })

  test('reports every message that crossed, both ways, in SML', async () => {
    await until(() => log.some(({ direction, function: fn }) => direction === 'received' && fn === 13))
    expect(log.filter(({ direction }) => direction === 'received').map(({ sml }) => sml)).toContain(
      'S1F13 W\n<L [0]>.',
    )
    const sent = log.filter(({ direction }) => direction === 'sent').map(({ sml }) => sml)
    expect(sent).toContain('S1F13 W\n<L [2]\n  <A "ETCHER">\n  <A "2.4.1">\n>.')
  })

  test('answers late as who is slow does: what comes of a command comes after its answer', async () => {
    simulator.faults.late = 50
    void session.request({ stream: 2, function: 41, item: L(A('START'), L()) })
    await until(() => session.received.some(({ stream }) => stream === 6))
    const names = log.map((one) => `${one.direction} S${one.stream}F${one.function}`)
    const [, ...behind] = names.slice(names.indexOf('received S2F41'))
    expect(behind.slice(0, 2)).toEqual(['sent S2F42', 'sent S6F11'])
  })

  test('raises and clears alarms, and knows that they arrived', async () => {
    await expect(simulator.equipment.changeAlarm('4001', true)).resolves.toBe(true)
    await expect(simulator.equipment.changeAlarm('4001', false)).resolves.toBe(true)
    await expect(simulator.equipment.changeAlarm('1', true)).rejects.toThrow(RangeError)
    expect(session.received.filter(({ stream }) => stream === 5)).toHaveLength(2)
  })

  test('fires events by id or name, with variables as they were set', async () => {
    simulator.equipment.variables.set('LotID', 'L42')
    await expect(simulator.fireEvent('ProcessingPaused')).resolves.toBe(true)
    await expect(simulator.fireEvent(3013)).resolves.toBe(true)
    expect(() => simulator.fireEvent('Nothing')).toThrow(RangeError)
    const events = session.received.filter(({ stream }) => stream === 6)
    expect(events).toHaveLength(2)
    expect(events[0]?.item).toMatchObject({
      items: [{}, U4(3013), { items: [{ items: [{}, { items: [A('L42'), {}, {}] }] }] }],
    })
  })

  test('offline aborts what a host asks; online again asks the host first', async () => {
    await simulator.equipment.operate('offline')
    await expect(session.request({ stream: 1, function: 1, item: undefined })).resolves.toEqual({
      kind: 'aborted',
    })
    await simulator.equipment.operate('online')
    expect(simulator.equipment.controlState).toBe('ONLINE_REMOTE')
    expect(session.received).toContainEqual({ stream: 1, function: 1, wait: true, item: undefined })
    await simulator.equipment.operate('local')
    await simulator.equipment.operate('remote')
    expect(simulator.equipment.controlState).toBe('ONLINE_REMOTE')
  })

  test.each([
    ['an unknown stream', 99, 1, undefined, STREAM9_FUNCTIONS.unknown_stream],
    ['an unknown function', 1, 99, undefined, STREAM9_FUNCTIONS.unknown_function],
    ['data that do not fit', 1, 3, F4(1), STREAM9_FUNCTIONS.illegal_data],
  ])('complains by stream 9 of %s, and that ends the transaction', async (_, stream, fn, item, complaint) => {
    await expect(session.request({ stream, function: fn, item })).resolves.toEqual({ kind: 'error' })
    const primary = session.received.at(-1)
    expect(primary).toMatchObject({ stream: 9, function: complaint, wait: false })
    expect(primary && subjectOfStream9(primary)).toMatchObject({ stream, function: fn })
  })

  test('survives a body that is no SECS-II, complains, and shows it in its log', async () => {
    const systemBytes = session.driver.reserve() ?? 0
    const message = {
      sessionId: 0,
      stream: 1,
      function: 3,
      wait: true,
      systemBytes,
      body: Uint8Array.of(1, 5),
    }
    await expect(session.driver.request(message)).resolves.toMatchObject({ kind: 'error' })
    expect(log.map(({ sml }) => sml).join('\n')).toContain('2 bytes that are no SECS-II')
    await expect(session.request({ stream: 1, function: 1, item: undefined })).resolves.toMatchObject({
      kind: 'replied',
    })
  })

  test('goes through its states again after the link was lost', async () => {
    await session.stop()
    await until(() => simulator.equipment.communicationState === 'NOT_COMMUNICATING')
    await session.start()
    await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  })
})

test('answers a host of another device ID with S9F1 only', async () => {
  await begin({ deviceId: 9 })
  const sent = await until(() => log.find(({ stream, direction }) => stream === 9 && direction === 'sent'))
  expect(sent.function).toBe(STREAM9_FUNCTIONS.unknown_device)
  expect(log.some(({ function: fn }) => fn === 14)).toBe(false)
})

test('reports to a host by S9F9 that it waited in vain', async () => {
  const clock = new ManualClock()
  const slow = { ...options, timers: { t3: 60_000 }, establishDelay: 100 }
  simulator = new Simulator(etcher, slow, { ...world, clock })
  await begin()
  await untilLater(clock, () => simulator.equipment.communicationState === 'COMMUNICATING', 10)
  session.driver.pause()
  let isAccepted: boolean | undefined
  void simulator.equipment.changeAlarm('4001', true).then((accepted) => {
    isAccepted = accepted
  })
  await untilLater(clock, () => isAccepted !== undefined, 10_000)
  expect(isAccepted).toBe(false)
  session.driver.resume()
  const late = await until(() => session.received.find(({ stream }) => stream === 9))
  expect(late.function).toBe(STREAM9_FUNCTIONS.timed_out)
  // S9F9's body is the header of the equipment's own S5F1, behind two bytes of item header.
  expect([...encodeBody(late.item).subarray(4, 6)]).toEqual([0x85, 1])
})

test('dials a host that listens', async () => {
  session = new HostSession({ role: 'passive', port: 0, timers: DEFAULT_HSMS_TIMERS })
  await session.start()
  simulator = new Simulator(
    etcher,
    { ...options, role: 'active', port: session.driver.boundPort ?? 0 },
    world,
  )
  await simulator.start()
  await until(() => session.host.communicationState === 'COMMUNICATING')
  await expect(session.request({ stream: 1, function: 1, item: undefined })).resolves.toEqual({
    kind: 'replied',
    item: L(A('ETCHER'), A('2.4.1')),
  })
})

test('a port that is taken is an error that says so', async () => {
  await begin()
  const second = new Simulator(
    etcher,
    { ...options, port: simulator.port },
    { ...world, listeners: new Listeners() },
  )
  await expect(second.start()).rejects.toThrow(ListenError)
  await second.stop()
})
