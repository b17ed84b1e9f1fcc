import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { encodeFrame } from '../../src/hsms/frame/frame.js'
import { dataHeader, STYPE } from '../../src/hsms/frame/header.js'
import type { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import type { HsmsSettings } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { driver, next, portOf, reached, SETTINGS } from '../support/hsms-pair.js'
import { controlBytes, dataBytes, message } from '../support/hsms-wire.js'
import { ManualClock } from '../support/manual-clock.js'
import { acceptSelect, LOOPBACK, RawPeer, rawServer } from '../support/tcp.js'

interface Bench {
  readonly clock: ManualClock
  readonly equipment: HsmsDriver
  readonly peer: RawPeer
}

/** An equipment that stands in made-up time, and a raw peer that has dialled it. */
async function dialled(settings: Partial<HsmsSettings> = {}): Promise<Bench> {
  const clock = new ManualClock()
  const equipment = driver({ role: 'passive', ...settings }, new Listeners(), clock)
  await equipment.start()
  const up = reached(equipment, 'NOT_SELECTED')
  const peer = await RawPeer.dial(portOf(equipment))
  await up
  return { clock, equipment, peer }
}

async function selected(settings: Partial<HsmsSettings> = {}): Promise<Bench> {
  const bench = await dialled(settings)
  bench.peer.control('selectReq')
  await bench.peer.frame()
  return bench
}

/** Resolves when all that the peer has written so far is read. */
async function read({ peer }: Bench): Promise<void> {
  peer.control('linktestReq', { systemBytes: 0xfeed })
  while ((await peer.frame()).header.systemBytes !== 0xfeed);
}

test('rule 1: data in the same segment as Select.req is taken and answered after Select.rsp', async () => {
  const { equipment, peer } = await dialled()
  equipment.received.on(({ message: primary }) =>
    equipment.send({ ...primary, function: primary.function + 1, wait: false }),
  )
  peer.socket.write(Buffer.concat([controlBytes('selectReq'), dataBytes({ systemBytes: 9 })]))
  expect((await peer.frame()).header).toMatchObject({ sType: STYPE.selectRsp, byte3: 0 })
  expect((await peer.frame()).header).toMatchObject({ sType: STYPE.data, byte3: 2, systemBytes: 9 })
})

test('rules 3, 4, 6 and 7: what is refused leaves the connection there', async () => {
  const { equipment, peer } = await dialled()
  const sent: readonly [Uint8Array, number, number][] = [
    [dataBytes({ systemBytes: 1 }), STYPE.rejectReq, 4],
    [controlBytes('deselectReq', { systemBytes: 2 }), STYPE.deselectRsp, 1],
    [controlBytes(200, { systemBytes: 3 }), STYPE.rejectReq, 1],
    [controlBytes('linktestReq', { systemBytes: 4, pType: 9 }), STYPE.rejectReq, 2],
    [controlBytes('linktestRsp', { systemBytes: 5 }), STYPE.rejectReq, 3],
    [controlBytes('selectReq', { systemBytes: 6 }, Uint8Array.of(1)), STYPE.rejectReq, 1],
  ]
  peer.control('separateReq')
  for (const [bytes] of sent) peer.socket.write(bytes)
  for (const [at, [, sType, byte3]] of sent.entries()) {
    expect((await peer.frame()).header).toMatchObject({ sType, byte3, systemBytes: at + 1 })
  }
  expect(equipment.state).toBe('NOT_SELECTED')
})

test('rule 4: Separate.req closes the socket, and the entity listens', async () => {
  const { equipment, peer } = await selected()
  peer.control('separateReq')
  await peer.closed
  expect(peer.frames).toEqual([])
  expect(equipment.state).toBe('LISTENING')
})

test.each([0, 9, 16 * 1024 * 1024 + 1, 0xffffffff])(
  'rule 9: a length of %i closes the socket',
  async (length) => {
    const { equipment, peer } = await selected()
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(length)
    peer.socket.write(bytes)
    await peer.closed
    expect(equipment.state).toBe('LISTENING')
  },
)

test('rules 11 and 17: T7 closes the socket when it ends and not before', async () => {
  const bench = await dialled()
  bench.clock.advance(9_999)
  await read(bench)
  bench.clock.advance(1)
  await bench.peer.closed
  expect(bench.equipment.state).toBe('LISTENING')
})

test('rule 17: T8 closes the socket when it ends and not before, and the next connection begins anew', async () => {
  const bench = await selected()
  const { clock, equipment, peer } = bench
  await read(bench)
  const got = next(equipment.received)
  peer.socket.write(Buffer.concat([dataBytes({ systemBytes: 1 }), dataBytes().subarray(0, 7)]))
  await got // what came with it has been read, too
  clock.advance(4_999)
  expect(equipment.state).toBe('SELECTED')
  clock.advance(1)
  await peer.closed
  const again = await RawPeer.dial(portOf(equipment))
  again.control('selectReq', { systemBytes: 3 })
  expect((await again.frame()).header).toMatchObject({ sType: STYPE.selectRsp, byte3: 0, systemBytes: 3 })
})

test('rule 17: a linktest without a reply closes the socket after T6', async () => {
  const { clock, equipment, peer } = await selected({ timers: { ...SETTINGS.timers, linktest: 20_000 } })
  clock.advance(20_000)
  expect((await peer.frame()).header.sType).toBe(STYPE.linktestReq)
  clock.advance(4_999)
  expect(equipment.state).toBe('SELECTED')
  clock.advance(1)
  await peer.closed
})

test('rule 11: the active side dials one socket at a time, T5 after the end of the one before', async () => {
  const clock = new ManualClock()
  let connections = 0
  const { port } = await rawServer((socket) => {
    connections += 1
    socket.once('data', () => socket.destroy())
  })
  const host = driver({ port }, new Listeners(), clock)
  for (const dials of [1, 2, 3]) {
    const lost = next(host.changed, ({ fault }) => fault !== undefined)
    if (dials === 1) await host.start()
    else clock.advance(1)
    await lost
    expect([connections, host.retryAt]).toEqual([dials, clock.now() + 10_000])
    clock.advance(9_999)
    expect(host.state).toBe('CONNECTING')
  }
})

test('a message of 16 MiB arrives whole in pieces of 1,460 bytes, and nothing of it is kept afterwards', async () => {
  const { equipment, peer } = await selected()
  const body = new Uint8Array(16 * 1024 * 1024 - 10).fill(7)
  for (let at = 0; at < body.length; at += 4099) body[at] = at % 251
  const bytes = encodeFrame({ header: dataHeader(message({ systemBytes: 5 })), body })
  const arrived = next(equipment.received)
  for (let at = 0; at < bytes.length; at += 1460) peer.socket.write(bytes.subarray(at, at + 1460))
  const { message: got } = await arrived
  expect(Buffer.compare(got.body, body)).toBe(0)
  expect(got.body.buffer.byteLength).toBeLessThan(body.length + 1024)
})

test('a peer that sends half a frame on each of many connections holds no memory of what it announced', async () => {
  const clock = new ManualClock()
  const equipment = driver({ role: 'passive' }, new Listeners(), clock)
  await equipment.start()
  const before = process.memoryUsage().arrayBuffers
  for (let round = 0; round < 20; round += 1) {
    const up = reached(equipment, 'NOT_SELECTED')
    const socket = connect({ port: portOf(equipment), host: LOOPBACK })
    onTestFinished(() => void socket.destroy())
    await up
    socket.write(Uint8Array.of(1, 0, 0, 0, 0, 1))
    const down = reached(equipment, 'LISTENING')
    socket.end()
    await down
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20)
})

test('a host that is answered by Select.rsp with data in the same segment takes both', async () => {
  const { port } = await rawServer((socket) => {
    socket.once('data', (chunk) => {
      const systemBytes = chunk.readUInt32BE(10)
      socket.write(Buffer.concat([controlBytes('selectRsp', { systemBytes }), dataBytes({ systemBytes: 4 })]))
    })
  })
  const host = driver({ port })
  const got = next(host.received)
  await host.start()
  expect(await got).toMatchObject({ kind: 'primary', message: { systemBytes: 4 } })
})

test('a host is not disturbed by a peer that selects at the same time', async () => {
  const { port } = await rawServer((socket) => {
    acceptSelect(socket)
    socket.write(controlBytes('selectReq', { systemBytes: 7 }))
  })
  const host = driver({ port })
  const states: string[] = []
  host.changed.on(({ to }) => states.push(to))
  const selectedOnce = reached(host, 'SELECTED')
  await host.start()
  await selectedOnce
  const outcome = host.request(message({ systemBytes: host.reserve() ?? 0 }))
  await host.stop()
  expect(await outcome).toEqual({ kind: 'lost' })
  expect(states).toEqual(['CONNECTING', 'NOT_SELECTED', 'SELECTED', 'NOT_CONNECTED'])
})
