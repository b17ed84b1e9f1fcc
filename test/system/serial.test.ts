import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DataMessage } from '../../src/hsms/message.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { Secs1Driver } from '../../src/secs1/secs1-driver.js'
import { serialDial } from '../../src/secs1/serial/serial-dial.js'
import { byteTimeAt, DEFAULT_SECS1_TIMERS } from '../../src/secs1/settings.js'
import { type Side, secs1Settings } from '../secs1/secs1-pair.js'
import { SerialLine } from '../support/pseudo-terminal.js'
import { until } from '../support/until.js'

const BAUD_RATE = 115_200
let line: SerialLine
let drivers: Secs1Driver[]

beforeEach(async () => {
  line = new SerialLine()
  drivers = []
  await line.plug()
})

afterEach(async () => {
  await Promise.all(drivers.map((driver) => driver.stop()))
  line.remove()
})

function driverOn(path: string, side: Side): Secs1Driver {
  // Nothing is lost on this line: only a machine that is busy is late.
  const timers = { ...DEFAULT_SECS1_TIMERS, t5: 200, t1: 10_000, t2: 20_000 }
  const settings = secs1Settings(side, { role: 'active', timers, byteTime: byteTimeAt(BAUD_RATE) })
  const world = { clock: systemClock, listeners: new Listeners(), dial: serialDial(path, BAUD_RATE) }
  const driver = new Secs1Driver(settings, world)
  driver.received.on(({ kind, message }) => {
    if (kind !== 'primary' || !message.wait) return
    driver.send({ ...message, function: message.function + 1, wait: false })
  })
  drivers.push(driver)
  return driver
}

const ask = (driver: Secs1Driver, body: Uint8Array) => {
  const systemBytes = driver.reserve() as number
  const message: DataMessage = { sessionId: 0, stream: 7, function: 3, wait: true, systemBytes, body }
  return driver.request(message)
}

async function pair(): Promise<{ host: Secs1Driver; equipment: Secs1Driver }> {
  const equipment = driverOn(line.one, 'equipment')
  const host = driverOn(line.two, 'host')
  await Promise.all([equipment.start(), host.start()])
  await until(() => equipment.state === 'SELECTED' && host.state === 'SELECTED')
  return { host, equipment }
}

test('messages of one block and of many pass a serial line in both directions at once', async () => {
  const { host, equipment } = await pair()
  const body = Uint8Array.from({ length: 20_000 }, (_, at) => at & 0xff)
  const outcomes = await Promise.all([ask(host, body), ask(equipment, body), ask(host, new Uint8Array())])
  for (const [at, outcome] of outcomes.entries()) {
    expect(outcome.kind).toBe('replied')
    const reply = 'reply' in outcome ? Buffer.from(outcome.reply.body) : undefined
    expect(reply?.equals(Buffer.from(at === 2 ? [] : body))).toBe(true)
  }
  expect(host.endpoints).toEqual({ local: line.two, remote: line.two })
})

test('a cable that is pulled ends the connection, and one that is plugged in again opens it', async () => {
  const { host } = await pair()
  const waiting = ask(host, new Uint8Array(200_000))
  await line.unplug()
  await until(() => host.state === 'CONNECTING')
  expect(await waiting).toEqual({ kind: 'lost' })
  await line.plug()
  await until(() => drivers.every(({ state }) => state === 'SELECTED'))
  expect((await ask(host, new Uint8Array(10))).kind).toBe('replied')
})

test('a port that is not there has an error that names it', async () => {
  const driver = driverOn('/dev/no-such-port', 'host')
  const failed = new Promise<string>((resolve) =>
    driver.attemptFailed.on(({ fault }) => resolve(fault.detail)),
  )
  await driver.start()
  expect(await failed).toContain('cannot open /dev/no-such-port')
})
