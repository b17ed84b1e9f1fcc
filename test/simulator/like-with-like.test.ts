import { expect, onTestFinished, test } from 'vitest'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Model } from '../../src/simulator/model.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import type { Crossing } from '../../src/simulator/wire.js'
import { freePort } from '../support/free-port.js'
import { LiveGateway } from '../support/live-gateway.js'
import { turns, until } from '../support/until.js'
import { HostSession } from './host-session.js'

/** Turns of the event loop: a message that goes round between two sides goes round many times in them. */
const LONG_ENOUGH = 1000

/** How much more there is of something after a while. */
async function growth(count: () => number | Promise<number>): Promise<number> {
  const before = await count()
  await turns(LONG_ENOUGH)
  return (await count()) - before
}

const simulatorOf = (role: 'passive' | 'active', port: number, deviceId: number): Simulator => {
  const timers = { t3: 200, t5: 100 }
  const options = { role, host: '127.0.0.1', port, deviceId, establishDelay: 100, timers }
  const simulator = new Simulator(shippedModel('etcher') as Model, options, {
    clock: systemClock,
    listeners: new Listeners(),
  })
  onTestFinished(() => simulator.stop())
  return simulator
}

test.each([
  ['of one device ID', 0],
  ['of different device IDs', 7],
])('two simulators %s that are connected to each other fall silent', async (_, deviceId) => {
  const passive = simulatorOf('passive', 0, 0)
  await passive.start()
  const active = simulatorOf('active', passive.port, deviceId)
  const crossed: Crossing[] = []
  for (const simulator of [passive, active]) simulator.log.on((crossing) => crossed.push(crossing))
  await active.start()
  await until(() => crossed.length > 3)
  if (deviceId === 0) {
    await until(() => active.equipment.communicationState === 'COMMUNICATING')
    // The other is no host: it does not know S6F11 and S5F1, nor what is said of them.
    expect(await passive.fireEvent('3010')).toBe(false)
    expect(await active.equipment.changeAlarm('4002', true)).toBe(false)
  }
  const complaints = () => crossed.filter(({ stream, direction }) => stream === 9 && direction === 'sent')
  await until(() => complaints().length > 0)
  await passive.send({ stream: 9, function: 3, item: undefined }, true)
  await passive.send({ stream: 9, function: 99, item: undefined }, false)
  expect(await growth(() => complaints().length)).toBeLessThan(20)
  const answers = crossed.filter(({ stream, function: fn }) => stream === 9 && fn % 2 === 0)
  expect(answers).toEqual([])
  expect(complaints().map(({ sml }) => streamIn(sml))).not.toContain(9)
})

/** The stream that an S9 is about: the third byte of the header in it. */
const streamIn = (sml: string): number => Number(sml.match(/0x[0-9A-F]{2}/gi)?.[2] ?? 0) & 0x7f

test('two hosts that are connected to each other fall silent', async () => {
  const passive = new HostSession({ role: 'passive', port: 0 })
  await passive.start()
  const active = new HostSession({ role: 'active', port: passive.driver.boundPort ?? 0 })
  onTestFinished(async () => {
    await active.stop()
    await passive.stop()
  })
  await active.start()
  const sessions = [passive, active]
  await until(() => sessions.every(({ host }) => host.communicationState === 'COMMUNICATING'))
  for (const { driver } of sessions) {
    const message = { sessionId: 0, stream: 9, function: 3, body: new Uint8Array() }
    for (const wait of [true, false]) driver.send({ ...message, wait, systemBytes: driver.reserve() ?? 0 })
  }
  const complaints = () => sessions.flatMap(({ received }) => received.filter(({ stream }) => stream === 9))
  await until(() => complaints().length >= 4)
  expect(await growth(() => passive.received.length + active.received.length)).toBe(0)
  expect(complaints()).toHaveLength(4)
})

test('a gateway that is connected to itself falls silent once either side has asked what it asks', async () => {
  const live = await LiveGateway.open()
  const port = await freePort()
  const { id } = await live.add({ port, mode: 'active', gem_startup: true })
  await live.gateway.equipment.connect(id, 0)
  await live.connect({ port, gem_startup: true })
  const messages = async (): Promise<number> =>
    (await live.gateway.messages.list({ limit: 1000 })).items.length
  await until(async () => (await growth(messages)) === 0)
  expect(await messages()).toBeLessThan(100)
})
