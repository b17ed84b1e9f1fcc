import { connect, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { FrameCopies } from '../../src/tap/frame-copies.js'
import type { Observation } from '../../src/tap/observation.js'
import { LocalTap } from '../../src/tap/tcp/local-tap.js'
import { turns, until } from '../support/until.js'

const NOTHING = encodeBody(undefined)
const S1F1 = { sessionId: 0, stream: 1, function: 1, wait: true, body: NOTHING }

let equipment: HsmsDriver
let host: HsmsDriver
let tap: LocalTap
let seen: Observation[]
const drivers: HsmsDriver[] = []

function driver(role: 'active' | 'passive', port: number): HsmsDriver {
  const settings = { ...HSMS_DEFAULTS, role, host: '127.0.0.1', port, deviceId: 0 }
  const one = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  drivers.push(one)
  return one
}
beforeEach(async () => {
  equipment = driver('passive', 0)
  await equipment.start()
  const dial = { host: '127.0.0.1', port: equipment.boundPort ?? 0 }
  tap = new LocalTap(
    { caller: 'host', listen: { host: '127.0.0.1', port: 0 }, callerAddress: undefined, dial, pause: 0 },
    systemClock,
  )
  const noted: Observation[] = []
  seen = noted
  tap.observed.on((one) => noted.push(one))
  await tap.start()
  const [first] = noted
  host = driver('active', first?.kind === 'listening' ? first.port : 0)
  await host.start()
  await until(() => host.state === 'SELECTED' && equipment.state === 'SELECTED')
})
afterEach(async () => {
  tap.stop()
  await Promise.all(drivers.splice(0).map((one) => one.stop()))
})

const frames = () =>
  seen.flatMap((one) =>
    one.kind === 'frame' ? [`${one.from} ${one.frame.header.sType} ${one.frame.header.byte3}`] : [],
  )

test('host and equipment are selected through a tap, converse, and see nothing of what the gateway asks', async () => {
  const atEquipment: number[] = []
  equipment.received.on(({ message }) => {
    atEquipment.push(message.systemBytes)
    equipment.send({ ...message, function: 2, wait: false })
  })
  const systemBytes = host.reserve() ?? 0
  const outcome = host.request({ ...S1F1, systemBytes })
  tap.ask(1, S1F1)
  tap.ask(2, S1F1)
  expect((await outcome).kind).toBe('replied')
  await until(() => seen.filter(({ kind }) => kind === 'replied').length === 2)
  expect(new Set(atEquipment).size).toBe(3)
  expect(frames()).toEqual(['host 1 0', 'equipment 2 0', 'host 0 1', 'equipment 0 2'])
  expect(seen.flatMap((one) => (one.kind === 'replied' ? [one.request] : [])).sort()).toEqual([1, 2])
})

test('what the equipment sends of itself reaches the host, whose reply reaches the equipment', async () => {
  host.received.on(({ message }) => void host.send({ ...message, function: 12, wait: false }))
  const systemBytes = equipment.reserve() ?? 0
  const report = { sessionId: 0, stream: 6, function: 11, wait: true, systemBytes, body: NOTHING }
  expect((await equipment.request(report)).kind).toBe('replied')
  expect(frames().slice(2)).toEqual(['equipment 0 11', 'host 0 12'])
})

test('the end of one side is told with who ended, and a primary of ours without a pair is not sent', async () => {
  await host.stop()
  await until(() => seen.some(({ kind }) => kind === 'over'))
  expect(seen.at(-1)).toMatchObject({ kind: 'over', how: 'closed' })
  tap.ask(7, S1F1)
  expect(seen.at(-1)).toMatchObject({ kind: 'not_sent', request: 7 })
})

test('a fault of the copy stops nothing that passes, and is counted', async () => {
  vi.spyOn(FrameCopies.prototype, 'begin').mockImplementation(() => {
    throw new RangeError('no memory')
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const got: number[] = []
  equipment.received.on(({ message }) => {
    got.push(message.body.length)
    equipment.send({ ...message, function: 2, wait: false })
  })
  for (let turn = 0; turn < 3; turn++) {
    const systemBytes = host.reserve() ?? 0
    const body = new Uint8Array(300_000) // in several chunks
    expect((await host.request({ ...S1F1, systemBytes, body })).kind).toBe('replied')
  }
  expect(got).toEqual([300_000, 300_000, 300_000])
  const missed = () => seen.reduce((sum, one) => sum + (one.kind === 'gap' ? one.messages : 0), 0)
  await until(() => missed() === 6)
})

test('a port that is taken is told', async () => {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const listen = { host: '127.0.0.1', port }
  const other = new LocalTap(
    { caller: 'host', listen, callerAddress: undefined, dial: listen, pause: 0 },
    systemClock,
  )
  const told: Observation[] = []
  other.observed.on((one) => told.push(one))
  await other.start()
  server.close()
  expect(told).toMatchObject([{ kind: 'not_listening', detail: expect.stringContaining('another program') }])
})

test('a thousand connections of a scanner do not disturb the pair, and are told together', async () => {
  const [listening] = seen
  const port = listening?.kind === 'listening' ? listening.port : 0
  const scans = async (): Promise<void> => {
    for (let at = 0; at < 50; at++)
      await new Promise<void>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1' })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
        // Some send nothing, some garbage, some end their half at once.
        if (at % 3 === 0) socket.on('connect', () => void turns(5).then(() => socket.end()))
        if (at % 3 === 1) socket.write('GET / HTTP/1.1\r\nhost: etcher\r\n\r\n')
        if (at % 3 === 2) socket.end(Buffer.alloc(40, 255))
      })
  }
  const scanning = Promise.all(Array.from({ length: 20 }, scans))
  equipment.received.on(({ message }) => void equipment.send({ ...message, function: 2, wait: false }))
  for (let at = 0; at < 50; at++) {
    const systemBytes = host.reserve() ?? 0
    expect((await host.request({ ...S1F1, systemBytes })).kind).toBe('replied')
  }
  await scanning
  const systemBytes = host.reserve() ?? 0
  expect((await host.request({ ...S1F1, systemBytes })).kind).toBe('replied')
  const refused = () => seen.flatMap((one) => (one.kind === 'refused' ? [one] : []))
  await until(() => refused().reduce((sum, { connections }) => sum + connections, 0) === 1000)
  expect(refused().length).toBeLessThan(60)
  expect(seen.filter(({ kind }) => kind === 'paired' || kind === 'over')).toHaveLength(1)
})
