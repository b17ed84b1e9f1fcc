import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ControlDesk } from '../../src/simulator/control/control-desk.js'
import { NoisyLine, noiseOf, noiseText } from '../../src/simulator/link/line-noise.js'
import { LiveGateway, startSimulator } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { LOOPBACK } from '../support/tcp.js'
import { turns, until } from '../support/until.js'

test('over a line that loses, doubles and changes bytes every message arrives once', async () => {
  const live = await LiveGateway.open()
  const simulator = await startSimulator({
    line: { retries: 31 },
    timers: { t1: 100, t2: 300, t5: 100 },
    seed: 3,
  })
  const timers = { t1: 0.1, t2: 0.3, t3: 45 }
  const { id } = await live.connect({ port: simulator.port, transport: 'secs1-tcp', rty: 31, timers })
  const desk = new ControlDesk(simulator)
  const told = await desk.run('noise drop=1500 double=1500 corrupt=1500 delay=1ms')
  expect(told).toMatchObject({ ok: true, faults: ['noise drop=1500 double=1500 corrupt=1500 delay=1ms'] })
  let arrived = 0
  simulator.log.on(({ direction, stream, function: fn }) => {
    if (direction === 'received' && stream === 2 && fn === 25) arrived += 1
  })
  const lengths = Array.from({ length: 12 }, (_, at) => 1 + at * 90)
  for (const length of lengths) {
    const body = { B: Array<number>(length).fill(7) }
    const { result } = await live.gateway.messages.send(id, { stream: 2, function: 25, body })
    expect(result.reply?.body).toEqual(body)
  }
  expect(arrived).toBe(lengths.length)
  const { line } = await live.gateway.traffic.of(id)
  expect(line.retries + line.naks_in + line.naks_out).toBeGreaterThan(0)
  expect(await desk.run('noise off')).toMatchObject({ ok: true, faults: [] })
})

test.each(['separate', 'reject 4', 'linktest off', 'select 2', 'frame S1F2 drop'])(
  '"%s" is refused on SECS-I',
  async (command) => {
    const simulator = await startSimulator({ line: {} })
    const answer = await new ControlDesk(simulator).run(command)
    expect(answer).toMatchObject({ ok: false, error: 'SECS-I has no control messages' })
  },
)

test('noise over HSMS only delays what comes, where it is told to', async () => {
  const live = await LiveGateway.open()
  const { simulator, id } = await live.connectSimulator()
  simulator.faults.noise = { delay: 100 }
  const began = performance.now()
  await live.gateway.messages.send(id, { stream: 2, function: 25, data: { ABS: '7' } })
  expect(performance.now() - began).toBeGreaterThan(95)
})

test('what is late when its connection ends does not come on the next one', async () => {
  const clock = new ManualClock()
  const simulator = await startSimulator({ line: {} }, clock)
  simulator.faults.quiet = true
  simulator.faults.noise = { delay: 200 }
  const first = connect(simulator.port, LOOPBACK)
  first.write(Uint8Array.of(0x05))
  // Beside the establish delay: the byte is under way.
  await until(() => clock.scheduled === 2)
  first.destroy()
  await until(() => simulator.connectionState === 'LISTENING')
  const came: Buffer[] = []
  const second = connect(simulator.port, LOOPBACK).on('data', (bytes) => came.push(bytes))
  onTestFinished(() => void second.destroy())
  await until(() => simulator.connectionState === 'SELECTED')
  // The byte, and the reply to it.
  for (let late = 0; late < 2; late++) {
    clock.advance(200)
    await turns()
  }
  expect(came).toEqual([])
})

test('the same seed gives the same noise, and about one byte in N', () => {
  const clock = new ManualClock()
  const bytes = new Uint8Array(20_000).fill(1)
  const left = (seed: number) => new NoisyLine(() => ({ drop: 100 }), clock, seed).damaged(bytes)
  expect(left(1)).toEqual(left(1))
  expect(left(1).length).not.toBe(left(2).length)
  expect(bytes.length - left(1).length).toBeGreaterThan(140)
  expect(bytes.length - left(1).length).toBeLessThan(260)
})

test('what is late keeps its order, also when the delay ends', async () => {
  const clock = new ManualClock()
  let noise: { delay?: number } | undefined = { delay: 50 }
  const line = new NoisyLine(() => noise, clock, 0)
  const came: number[] = []
  const send = (byte: number) => line.carry(Uint8Array.of(byte), ([first = -1]) => came.push(first))
  send(1)
  noise = undefined
  send(2)
  clock.advance(49)
  await new Promise(setImmediate)
  expect(came).toEqual([])
  clock.advance(1)
  await new Promise(setImmediate)
  expect(came).toEqual([1, 2])
})

test('noise is written as it is read', () => {
  expect(noiseText(noiseOf('corrupt=500 delay=20ms'))).toBe('corrupt=500 delay=20ms')
  expect(() => noiseOf('drop=0')).toThrow('from 1')
  expect(() => noiseOf('loss=5')).toThrow('loss=5')
})
