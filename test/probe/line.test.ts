import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { probeAtRates } from '../../src/probe/baud-rates.js'
import type { Finding } from '../../src/probe/finding.js'
import { LineTrace } from '../../src/probe/line-trace.js'
import { probe } from '../../src/probe/probe.js'
import type { ProbeTarget } from '../../src/probe/target.js'
import { Secs1Driver } from '../../src/secs1/secs1-driver.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { B, L } from '../../src/secs2/item.js'
import { secs1Settings } from '../secs1/secs1-pair.js'
import { blockOf } from '../secs1/secs1-wire.js'
import { freePort } from '../support/free-port.js'
import { startSimulator } from '../support/live-gateway.js'
import { SerialLine } from '../support/pseudo-terminal.js'
import { LOOPBACK, rawServer } from '../support/tcp.js'
import { idleClock } from './idle-clock.js'

const [ENQ, EOT, ACK, NAK] = [0x05, 0x04, 0x06, 0x15]

const look = (port: number, given: Partial<ProbeTarget> = {}, clock: Clock = idleClock()): Promise<Finding> =>
  probe({ role: 'active', host: LOOPBACK, port, deviceId: 0, timeoutMs: 1_500, line: {}, ...given }, clock)

/** Says this to each chunk that comes, and at the beginning to none. */
const answering = (answer: (bytes: Buffer, socket: Socket) => void) =>
  rawServer((socket) => {
    socket.on('data', (bytes) => answer(bytes, socket))
  })

test('equipment is named over SECS-I, also where HSMS is tried first', async () => {
  const clock = idleClock()
  const [outside, simulator] = [await startSimulator({ line: {} }), await startSimulator({ line: {} }, clock)]
  for (const one of [outside, simulator]) await one.equipment.operate('online')
  const named = { found: 'equipment', transport: 'secs1-tcp', deviceId: 0, model: { mdln: 'MINIMAL' } }
  const finding = await look(outside.port, { timeoutMs: 30_000 }, systemClock)
  expect(finding).toMatchObject({ ...named, remarks: [] })
  expect(finding.connectMs).toBeGreaterThan(0)
  expect(await look(simulator.port, { line: undefined }, clock)).toMatchObject(named)
})

test.each([{}, undefined])('equipment that dials in over SECS-I is named, asked for by %j', async (line) => {
  const port = await freePort()
  const listening = (): void =>
    void startSimulator({ role: 'active', port, line: {}, timers: { t5: 100 } }).then((simulator) =>
      simulator.equipment.operate('online'),
    )
  const finding = await look(port, { role: 'passive', waitMs: 30_000, listening, line }, systemClock)
  expect(finding).toMatchObject({ found: expect.stringMatching(/equipment|offline/), transport: 'secs1-tcp' })
})

test('another device ID is found out', async () => {
  const clock = idleClock()
  const { port } = await startSimulator({ line: {}, deviceId: 3 }, clock)
  expect(await look(port, {}, clock)).toMatchObject({ found: 'wrong_device', deviceId: 3 })
})

test('a host at the other end is told, with its R-bit', async () => {
  const settings = { ...secs1Settings('host'), role: 'passive', port: 0 } as const
  const clock = idleClock()
  const host = new Secs1Driver(settings, { clock, listeners: new Listeners() })
  onTestFinished(() => host.stop())
  host.received.on(({ message }) => {
    const item = message.function === 13 ? L(B(0), L()) : L()
    host.send({ ...message, function: message.function + 1, wait: false, body: encodeBody(item) })
  })
  await host.start()
  expect(await look(host.boundPort as number, {}, clock)).toMatchObject({
    found: 'host',
    remarks: [expect.stringContaining('R-bit 0')],
  })
})

/** A terminal server in Telnet mode in front of a port: it doubles 0xFF to the client, and swallows it from the client. */
const telnetServer = (port: number, greeting: readonly number[] = []) =>
  rawServer((client) => {
    client.write(Buffer.from(greeting))
    const tool = connect(port, LOOPBACK)
    tool.on('error', () => {})
    client.on('data', (bytes) => tool.write(bytes.filter((byte) => byte !== 0xff)))
    client.on('close', () => tool.destroy())
    tool.on('data', (bytes) =>
      client.write(Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [255, 255] : [byte])))),
    )
  })

test.each([{}, undefined])(
  'a terminal server in Telnet mode is told by its escapes, asked for by %j',
  async (line) => {
    const { port } = await telnetServer(
      (await startSimulator({ line: {}, timers: { t1: 50, t5: 100 } })).port,
    )
    // In made-up time the tool refuses most blocks before an escape comes.
    expect(await look(port, { line }, systemClock)).toMatchObject({
      found: 'telnet',
      detail: expect.stringContaining('0xFF'),
    })
  },
)

test.each([{}, undefined])(
  'a terminal server in Telnet mode is told by its negotiation, asked for by %j',
  async (line) => {
    const clock = idleClock()
    const { port } = await telnetServer(
      (await startSimulator({ line: {} }, clock)).port,
      [255, 253, 24, 255, 251, 1],
    )
    expect(await look(port, { line }, clock)).toMatchObject({
      found: 'telnet',
      detail: expect.stringContaining('negotiation'),
    })
  },
)

test('HSMS where SECS-I is expected is told', async () => {
  const clock = idleClock()
  const { port } = await startSimulator({}, clock)
  expect(await look(port, { timeoutMs: 400 }, clock)).toMatchObject({ found: 'hsms' })
})

test('two masters are told', async () => {
  const { port } = await answering((bytes, socket) => bytes.includes(ENQ) && socket.write(Buffer.of(ENQ)))
  expect(await look(port, { timeoutMs: 300, line: { isMaster: true } })).toMatchObject({
    found: 'wrong_master',
    detail: expect.stringContaining('both are master'),
  })
})

test('two slaves are told', async () => {
  const { port } = await answering((bytes, socket) => {
    if (bytes[0] === ENQ || bytes[0] === EOT) socket.write(Buffer.of(bytes[0]))
  })
  expect(await look(port, { timeoutMs: 300 })).toMatchObject({
    found: 'wrong_master',
    detail: expect.stringContaining('neither is master'),
  })
})

test('a master that asked before the line was open is waited for', async () => {
  const clock = idleClock()
  const { port } = await answering((bytes, socket) => {
    // It ignores what the slave asks until its T2 has ended.
    if (bytes[0] === ENQ && socket.bytesRead === 1)
      clock.at(clock.now() + 450, () => socket.write(Buffer.of(ENQ)))
    if (bytes[0] === EOT) socket.write(blockOf({ toHost: true, deviceId: 7, function: 13 }))
  })
  expect(await look(port, { timeoutMs: 300 }, clock)).toMatchObject({ found: 'wrong_device', deviceId: 7 })
})

test('a line on which nothing answers ENQ is told', async () => {
  const { port } = await rawServer((socket) => void socket.resume())
  expect(await look(port, { timeoutMs: 300 })).toMatchObject({ found: 'no_answer' })
})

test.each([
  ['a parity bit', [EOT | 0x80], 'parity bit (0x84'],
  ['garbage', [0xe3, 0x7c], 'no SECS-I (0xe37c'],
])('%s instead of EOT is told', async (_, said, detail) => {
  const { port } = await answering((bytes, socket) => bytes[0] === ENQ && socket.write(Buffer.from(said)))
  expect(await look(port, { timeoutMs: 300 })).toMatchObject({
    found: 'garbled',
    detail: expect.stringContaining(detail),
  })
})

test('a peer that refuses every block is told', async () => {
  const { port } = await answering((bytes, socket) => {
    socket.write(Buffer.of(bytes[0] === ENQ ? EOT : NAK))
  })
  expect(await look(port)).toMatchObject({ found: 'garbled', detail: expect.stringContaining('NAK') })
})

test('a peer that takes messages and answers none is told', async () => {
  const { port } = await answering((bytes, socket) => {
    socket.write(Buffer.of(bytes[0] === ENQ ? EOT : ACK))
  })
  expect(await look(port, { timeoutMs: 300 })).toMatchObject({ found: 'unanswered', transport: 'secs1-tcp' })
})

test('a line that changes bytes is told where a block passes now and then, and nothing is answered', async () => {
  let blocks = 0
  const { port } = await answering((bytes, socket) => {
    if (bytes[0] !== ENQ) blocks += 1
    socket.write(Buffer.of(bytes[0] === ENQ ? EOT : blocks % 3 === 0 ? ACK : NAK))
  })
  expect(await look(port, { timeoutMs: 300 })).toMatchObject({
    found: 'garbled',
    detail: expect.stringContaining('4 blocks were refused (NAK)'),
  })
})

describe('a serial port', () => {
  const plugged = async (): Promise<SerialLine> => {
    const line = new SerialLine()
    onTestFinished(() => line.remove())
    await line.plug()
    return line
  }

  test('has equipment', async () => {
    const { one, two } = await plugged()
    await startSimulator({ line: { serialPort: one } })
    const trying: number[] = []
    const target = {
      role: 'active',
      host: '',
      port: 0,
      deviceId: 0,
      timeoutMs: 30_000,
      line: { serialPort: two },
    } as const
    const { finding, baudRate } = await probeAtRates(target, systemClock, (rate) => trying.push(rate))
    expect(finding).toMatchObject({ transport: 'secs1-serial', model: { mdln: 'MINIMAL' }, remote: two })
    expect([baudRate, trying]).toEqual([9600, [9600]])
  })

  test('that is silent was tried at all speeds', async () => {
    const { two } = await plugged()
    const trying: number[] = []
    const target = {
      role: 'active',
      host: '',
      port: 0,
      deviceId: 0,
      timeoutMs: 30,
      line: { serialPort: two },
    } as const
    const { finding, baudRate } = await probeAtRates(target, systemClock, (rate) => trying.push(rate))
    expect([finding.found, baudRate, trying.length]).toEqual(['no_answer', undefined, 10])
  })

  test('that is not there is told', async () => {
    expect(await look(0, { line: { serialPort: '/dev/no-such-port' } })).toMatchObject({ found: 'no_port' })
  })
})

test('a trace takes no more than a test needs', () => {
  const trace = new LineTrace()
  for (let count = 0; count < 100_000; count += 1) trace.add('in', Uint8Array.of(0x55))
  expect(trace.first.length).toBe(16)
  expect(trace.isFromHost).toBe(false)
})

test('a block that is damaged by noise once is no verdict', () => {
  const trace = new LineTrace()
  const block = blockOf({ toHost: true })
  trace.add('in', Uint8Array.of(ENQ))
  trace.add('out', Uint8Array.of(EOT))
  trace.add('in', block.subarray(0, 5))
  trace.add('out', Uint8Array.of(NAK))
  trace.add('in', Uint8Array.of(ENQ))
  trace.add('out', Uint8Array.of(EOT))
  trace.add('in', block)
  expect(trace.verdict(false)).toBeUndefined()
})
