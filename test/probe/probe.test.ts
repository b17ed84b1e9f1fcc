import { createServer as createHttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { FrameReader } from '../../src/hsms/frame/frame.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import type { Finding } from '../../src/probe/finding.js'
import { probe } from '../../src/probe/probe.js'
import type { ProbeTarget } from '../../src/probe/target.js'
import { A, B, L } from '../../src/secs2/item.js'
import { freePort } from '../support/free-port.js'
import { controlBytes } from '../support/hsms-wire.js'
import { startSimulator } from '../support/live-gateway.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK, rawServer } from '../support/tcp.js'
import { idleClock } from './idle-clock.js'

const look = (port: number, given: Partial<ProbeTarget> = {}, clock?: Clock): Promise<Finding> =>
  probe({ role: 'active', host: LOOPBACK, port, deviceId: 0, timeoutMs: 400, ...given }, clock ?? idleClock())
/** By the clock of the machine, where all that is asked is replied to. */
const lookOutside = (port: number, given: Partial<ProbeTarget> = {}): Promise<Finding> =>
  look(port, { timeoutMs: 30_000, waitMs: 30_000, ...given }, systemClock)

/** Answers Linktest.req, as equipment does. */
function answerLinktests(socket: Socket): void {
  const reader = new FrameReader(1 << 24)
  socket.on('data', (bytes) => {
    for (const { header } of reader.read(bytes)) {
      if (header.sType !== STYPE.linktestReq) continue
      socket.write(controlBytes('linktestRsp', { systemBytes: header.systemBytes }))
    }
  })
}

/** An equipment that says what the test wants, and its port. */
async function scripted(
  set: (equipment: ScriptedEquipment) => void = () => {},
): Promise<{ equipment: ScriptedEquipment; port: number }> {
  const equipment = new ScriptedEquipment()
  set(equipment)
  const { port } = await rawServer((socket) => {
    answerLinktests(socket)
    equipment.take(socket)
  })
  return { equipment, port }
}

/** A server that says this to everybody, and listens to nobody. */
const saying = (greeting: string | Uint8Array) =>
  rawServer((socket) => {
    socket.resume()
    socket.write(greeting)
  })

const IDENTITY = L(A('SCRIPT'), A('0.1'))

test('equipment online is named, measured, and left without a session', async () => {
  const simulator = await startSimulator()
  await simulator.equipment.operate('online')
  const first = await lookOutside(simulator.port)
  expect(first).toMatchObject({
    found: 'equipment',
    deviceId: 0,
    model: { mdln: 'MINIMAL', softrev: '1.0.0' },
    remarks: [],
  })
  expect(first.connectMs).toBeGreaterThan(0)
  expect(first.linktestMs).toBeGreaterThan(0)
  expect(await lookOutside(simulator.port)).toMatchObject({ found: 'equipment' })
})

test('a session ends by Separate.req', async () => {
  const { equipment, port } = await scripted()
  equipment.reply = () => ({ function: 2, item: IDENTITY })
  expect(await look(port)).toMatchObject({ found: 'equipment', model: { mdln: 'SCRIPT', softrev: '0.1' } })
  await expect.poll(() => equipment.separated).toBe(true)
})

test('S1F0 to S1F1 is equipment that is offline', async () => {
  const { port } = await scripted((equipment) => {
    equipment.reply = () => ({ function: 0 })
  })
  expect(await look(port)).toMatchObject({ found: 'offline', model: { mdln: 'SCRIPT' } })
})

test('COMMACK 1 is a refusal', async () => {
  const { port } = await scripted((equipment) => {
    equipment.commack = 1
  })
  expect(await look(port)).toMatchObject({ found: 'denied', detail: expect.stringContaining('COMMACK 1') })
})

test('S9F1 shows that the device ID is wrong, and its own device ID which one is right', async () => {
  const { port } = await scripted((equipment) => {
    equipment.deviceId = 3
    equipment.refuseDevice = true
    equipment.commack = undefined
  })
  expect(await look(port)).toMatchObject({ found: 'wrong_device', deviceId: 3 })
})

test('what it says by itself shows its device ID, when it answers nobody else', async () => {
  const { equipment, port } = await scripted((one) => {
    one.deviceId = 7
    one.commack = undefined
  })
  const looking = look(port)
  await equipment.next()
  equipment.send(1, 13, IDENTITY)
  expect(await looking).toMatchObject({ found: 'wrong_device', deviceId: 7 })
})

test('no event and no alarm is acknowledged', async () => {
  const { equipment, port } = await scripted((one) => {
    one.reply = () => ({ function: 2, item: IDENTITY })
  })
  equipment.reply = () => {
    equipment.send(5, 1, L(B(0x81), A('1'), A('hot')))
    return { function: 2, item: IDENTITY }
  }
  const finding = await look(port)
  expect(finding.remarks).toEqual(['it sent S5F1, which a test does not acknowledge'])
  expect(equipment.received.map(({ stream, function: fn }) => `S${stream}F${fn}`)).toEqual(['S1F1'])
})

test('equipment that answers nothing but Select.req is distinguished from equipment that is not there', async () => {
  const { port } = await scripted((equipment) => {
    equipment.commack = undefined
  })
  expect(await look(port, { timeoutMs: 150 })).toMatchObject({ found: 'unanswered' })
})

test('S1F1 without S1F13 is no GEM', async () => {
  const { port } = await scripted((equipment) => {
    equipment.commack = undefined
    equipment.reply = ({ function: fn }) => (fn === 1 ? { function: 2, item: IDENTITY } : { function: 0 })
  })
  expect(await look(port)).toMatchObject({ found: 'no_gem', model: { mdln: 'SCRIPT' } })
})

test('a host that waits for equipment is distinguished from equipment', async () => {
  const { port } = await scripted((host) => {
    host.commack = undefined
    host.reply = ({ function: fn }) =>
      fn === 1 ? { function: 2, item: L() } : { function: 14, item: L(B(0), L()) }
  })
  expect(await look(port)).toMatchObject({ found: 'host' })
})

test.each([
  [1, 'occupied'],
  [3, 'occupied'],
  [2, 'refuses'],
] as const)('Select.rsp with status %i is %s', async (status, found) => {
  const { port } = await scripted((equipment) => {
    equipment.selectStatus = status
  })
  expect(await look(port)).toMatchObject({ found })
})

test('a Reject of Select.req is a refusal', async () => {
  const { port } = await rawServer((socket) => {
    socket.once('data', (chunk) => {
      socket.write(controlBytes('rejectReq', { systemBytes: chunk.readUInt32BE(10), byte2: 1, byte3: 1 }))
    })
  })
  expect(await look(port)).toMatchObject({ found: 'refuses' })
})

test('an entity that selects by itself is remarked on', async () => {
  const { port } = await scripted((equipment) => {
    equipment.greeting = controlBytes('selectReq')
    equipment.reply = () => ({ function: 2, item: IDENTITY })
  })
  const { remarks } = await look(port)
  expect(remarks).toEqual([expect.stringContaining('Select.req')])
})

test('who closes at once is no more than that', async () => {
  const { port } = await rawServer((socket) => socket.destroy())
  expect(await look(port)).toMatchObject({ found: 'closes' })
})

test('a session that ends while we talk is reported with its cause', async () => {
  const { equipment, port } = await scripted()
  equipment.reply = () => {
    equipment.control('separateReq')
    return undefined
  }
  expect(await look(port)).toMatchObject({ found: 'ended', detail: expect.stringContaining('Separate.req') })
})

test('a port that is accepted and says nothing is silent', async () => {
  const { port } = await rawServer((socket) => void socket.resume())
  expect(await look(port, { timeoutMs: 100 })).toMatchObject({ found: 'silent' })
})

test('SECS-I that answers a request for the line is named', async () => {
  const { port } = await rawServer((socket) => {
    socket.on('data', (bytes) => {
      if (bytes.length === 1 && bytes[0] === 0x05) socket.write(Buffer.of(0x04))
    })
  })
  expect(await look(port, { timeoutMs: 100 })).toMatchObject({ found: 'secs1' })
})

test('SECS-I that asks for the line itself is named', async () => {
  const { port } = await saying(Buffer.of(0x05))
  expect(await look(port)).toMatchObject({ found: 'secs1' })
})

test.each([
  ['SSH-2.0-OpenSSH_9.2p1\r\n', 'SSH'],
  ['220 ftp.fab.example FTP server ready\r\n', 'FTP'],
  ['RFB 003.008\n', 'VNC'],
  ['Welcome to the tool\r\n', 'text ("Welcome to the tool")'],
])('%j is %s', async (greeting, protocol) => {
  const { port } = await saying(greeting)
  const detail = expect.stringContaining(`speaks ${protocol},`)
  expect(await look(port)).toMatchObject({ found: 'other_protocol', detail })
})

test('a web server is named by its answer', async () => {
  const server = createHttpServer()
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  expect(await look(address.port)).toMatchObject({ detail: expect.stringContaining('HTTP') })
})

test('TLS is named by its alert', async () => {
  const { port } = await saying(Buffer.from('15030300020246', 'hex'))
  expect(await look(port)).toMatchObject({ detail: 'the peer speaks TLS, which is not HSMS' })
})

test('bytes that tell nothing are told', async () => {
  const { port } = await saying(Buffer.from('deadbeef0102', 'hex'))
  expect(await look(port)).toMatchObject({ detail: expect.stringContaining('0xdeadbeef0102') })
})

test('a port nobody has is refused', async () => {
  expect(await look(await freePort())).toMatchObject({ found: 'refused' })
})

test('a name that is none means no address', async () => {
  expect(await lookOutside(5000, { host: 'no-such-equipment.invalid' })).toMatchObject({
    found: 'unresolved',
  })
})

test('equipment that dials in is named with its address', async () => {
  const port = await freePort()
  let dialled: Promise<unknown> = Promise.resolve()
  const finding = await lookOutside(port, {
    role: 'passive',
    listening: () => {
      dialled = startSimulator({ role: 'active', port }).then((simulator) =>
        simulator.equipment.operate('online'),
      )
    },
  })
  await dialled
  expect(finding).toMatchObject({ model: { mdln: expect.any(String) }, connectMs: undefined })
  expect(finding.remote).toMatch(/^127\.0\.0\.1:\d+$/)
})

test('who dials in and does not select is told', async () => {
  const port = await freePort()
  const finding = await lookOutside(port, {
    role: 'passive',
    timeoutMs: 100,
    listening: () => {
      const socket = connect(port, LOOPBACK).on('error', () => {})
      onTestFinished(() => void socket.destroy())
    },
  })
  expect(finding).toMatchObject({ found: 'silent' })
})

test('when nobody dials in the wait ends', async () => {
  expect(await look(await freePort(), { role: 'passive', waitMs: 50 })).toMatchObject({ found: 'nobody' })
})

test('a port that is taken is an error', async () => {
  const { port } = await rawServer()
  await expect(look(port, { role: 'passive', waitMs: 50 })).rejects.toMatchObject({ name: 'ListenError' })
})
