import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import { ListenError, Listeners } from '../../../src/hsms/tcp/listener.js'
import { driver, passive, portOf, reached, SETTINGS } from '../../support/hsms-pair.js'
import { dataBytes, message } from '../../support/hsms-wire.js'
import { ManualClock } from '../../support/manual-clock.js'
import { LOOPBACK, RawPeer, rawServer } from '../../support/tcp.js'

const hasIPv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
)

/** A connection from and to this IPv6 address. */
async function dialFrom(port: number, address: string): Promise<void> {
  const socket = connect({ port, host: address, localAddress: address })
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
}

test('start rejects with listen_failed when the port is taken, and may be tried again', async () => {
  const { port, server } = await rawServer()
  const equipment = driver({ role: 'passive', port })
  const error = await equipment.start().catch((reason) => reason)
  expect(error).toBeInstanceOf(ListenError)
  expect(error.fault).toMatchObject({
    code: 'listen_failed',
    detail: expect.stringContaining('another program'),
  })
  expect(equipment.state).toBe('NOT_CONNECTED')
  await new Promise((resolve) => server.close(resolve))
  await equipment.start()
  expect(equipment.state).toBe('LISTENING')
})

test('a seat that is given up twice takes none from who has it now', async () => {
  const listeners = new Listeners()
  const place = { host: LOOPBACK, peer: LOOPBACK, take: () => false, surplus: () => {} }
  const other = await listeners.join({ ...place, port: 0, peer: '127.0.0.2' })
  const { port } = other
  const first = await listeners.join({ ...place, port })
  first.leave()
  const second = await listeners.join({ ...place, port })
  first.leave()
  await expect(listeners.join({ ...place, port })).rejects.toBeInstanceOf(ListenError)
  second.leave()
  other.leave()
})

test('two passive entities share a port and are distinguished by the address of their peer', async () => {
  const listeners = new Listeners()
  const one = await passive({ peer: '127.0.0.1' }, listeners)
  const two = await passive({ peer: '127.0.0.2', port: portOf(one) }, listeners)
  const peer = await RawPeer.dial(portOf(one), '127.0.0.2')
  await reached(two, 'NOT_SELECTED')
  expect(one.state).toBe('LISTENING')
  peer.control('selectReq')
  await reached(two, 'SELECTED')
  await RawPeer.dial(portOf(one), '127.0.0.1')
  await reached(one, 'NOT_SELECTED')
  expect(two.state).toBe('SELECTED')
})

test('a port is given back with the last entity on it, not before', async () => {
  const listeners = new Listeners()
  const one = await passive({ peer: '127.0.0.1' }, listeners)
  const port = portOf(one)
  const two = await passive({ peer: '127.0.0.2', port }, listeners)
  await one.stop()
  await RawPeer.dial(port, '127.0.0.2')
  await reached(two, 'NOT_SELECTED')
  await two.stop()
  await expect(RawPeer.dial(port, '127.0.0.2')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('two entities cannot await the same peer on one port', async () => {
  const listeners = new Listeners()
  const one = await passive({ peer: LOOPBACK }, listeners)
  const two = driver({ role: 'passive', peer: LOOPBACK, port: portOf(one) }, listeners)
  await expect(two.start()).rejects.toMatchObject({ fault: { code: 'listen_failed' } })
  expect(one.state).toBe('LISTENING')
})

test('an unknown peer is closed and counted, and the entity still listens', async () => {
  const listeners = new Listeners()
  const equipment = await passive({ peer: '127.0.0.2' }, listeners)
  await (await RawPeer.dial(portOf(equipment), '127.0.0.1')).closed
  expect(listeners.strangers).toBe(1)
  expect(equipment.state).toBe('LISTENING')
})

test('rule 10: a second connection is closed and the first is not disturbed', async () => {
  const listeners = new Listeners()
  const equipment = await passive({}, listeners)
  const first = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await first.frame()
  const second = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await second.closed
  expect(second.frames).toEqual([])
  expect(listeners.surplus).toBe(1)
  first.control('linktestReq', { systemBytes: 7 })
  expect((await first.frame()).header).toMatchObject({ sType: STYPE.linktestRsp, systemBytes: 7 })
  expect(equipment.state).toBe('SELECTED')
})

test('rule 10: fifty abrupt reconnects are all taken, whatever was under way', async () => {
  const equipment = await passive()
  const outcomes: Promise<unknown>[] = []
  for (let round = 0; round < 50; round += 1) {
    const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
    expect((await peer.frame()).header, `round ${round}`).toMatchObject({ sType: STYPE.selectRsp, byte3: 0 })
    const systemBytes = equipment.reserve()
    if (systemBytes === undefined) throw new Error(`round ${round} left a request open`)
    outcomes.push(equipment.request(message({ systemBytes })))
    peer.socket.resetAndDestroy()
  }
  await reached(equipment, 'LISTENING')
  expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => ({ kind: 'lost' })))
})

test('a connection is taken when the end of the one before arrives together with it', async () => {
  const listeners = new Listeners()
  const answers = [false, true]
  let surplus = 0
  const seat = await listeners.join({
    host: LOOPBACK,
    port: 0,
    peer: undefined,
    take: () => answers.shift() ?? false,
    surplus: () => {
      surplus += 1
    },
  })
  onTestFinished(() => seat.leave())
  const peers = [await RawPeer.dial(seat.port), await RawPeer.dial(seat.port)]
  await peers[1]?.closed
  expect(answers).toEqual([])
  expect([listeners.surplus, surplus]).toEqual([1, 1])
  expect(peers[0]?.socket.closed).toBe(false)
})

test('a connection that is gone before its entity is free is not given to it', async () => {
  const listeners = new Listeners()
  const offered: boolean[] = []
  const take = (socket: Socket): boolean => {
    offered.push(socket.destroyed)
    socket.destroy()
    return false
  }
  const seat = await listeners.join({ host: LOOPBACK, port: 0, peer: undefined, take, surplus: () => {} })
  onTestFinished(() => seat.leave())
  await (await RawPeer.dial(seat.port)).closed
  expect(offered).toEqual([false])
  expect(listeners.surplus).toBe(1)
})

test('a connection that its peer has reset before it is looked at is nobody’s', async () => {
  const listeners = new Listeners()
  const equipment = await passive({}, listeners)
  const over = new Int32Array(new SharedArrayBuffer(4))
  const dialler = new Worker(
    `const { workerData: { port, host, over } } = require('node:worker_threads')
    const socket = require('node:net').connect({ port, host }, () => socket.resetAndDestroy())
    socket.once('close', () => {
      Atomics.store(over, 0, 1)
      Atomics.notify(over, 0)
    })`,
    { eval: true, workerData: { port: portOf(equipment), host: LOOPBACK, over } },
  )
  onTestFinished(async () => void (await dialler.terminate()))
  // While this thread stands still nothing is accepted.
  expect(Atomics.wait(over, 0, 0, 10_000)).not.toBe('timed-out')
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  expect(equipment.counts).toMatchObject({ connects: 1, losses: [] })
  expect([listeners.strangers, listeners.surplus]).toEqual([0, 0])
})

test('rule 10: a peer that lost its power and dials again finds its dead connection gone after T6', async () => {
  const clock = new ManualClock()
  const listeners = new Listeners()
  const timers = { ...SETTINGS.timers, linktest: 60_000 }
  const equipment = driver({ role: 'passive', timers }, listeners, clock)
  await equipment.start()
  const dead = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await dead.frame()
  await (await RawPeer.dial(portOf(equipment))).closed
  expect((await dead.frame()).header.sType).toBe(STYPE.linktestReq)
  clock.advance(4_999)
  expect(equipment.state).toBe('SELECTED')
  clock.advance(1)
  expect(equipment.state).toBe('LISTENING')
  const again = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  expect((await again.frame()).header).toMatchObject({ sType: STYPE.selectRsp, byte3: 0 })
})

test('an entity that awaits this very address comes before one that takes anybody', async () => {
  const listeners = new Listeners()
  const anybody = await passive({}, listeners)
  const exact = await passive({ peer: '127.0.0.2', port: portOf(anybody) }, listeners)
  await RawPeer.dial(portOf(anybody), '127.0.0.2')
  await reached(exact, 'NOT_SELECTED')
  await RawPeer.dial(portOf(anybody), '127.0.0.3')
  await reached(anybody, 'NOT_SELECTED')
  expect(listeners.strangers).toBe(0)
})

test('an entity on all addresses and one on this address cannot have the same port, and it is told why', async () => {
  const listeners = new Listeners()
  const everywhere = await passive({ host: '0.0.0.0', peer: '127.0.0.1' }, listeners)
  const port = portOf(everywhere)
  const here = driver({ role: 'passive', host: LOOPBACK, peer: '127.0.0.2', port }, listeners)
  await expect(here.start()).rejects.toMatchObject({
    fault: {
      code: 'listen_failed',
      detail: `cannot listen on 127.0.0.1:${port}: this process itself listens on 0.0.0.0:${port}; listen on one of the two`,
    },
  })
  expect(everywhere.state).toBe('LISTENING')
  await everywhere.stop()
  await here.start()
  expect(here.state).toBe('LISTENING')
})

test('each entity has its own port where nobody shares one, also where two ask for any port at once', async () => {
  const listeners = new Listeners()
  const place = { host: LOOPBACK, peer: LOOPBACK, take: () => false, surplus: () => {} }
  const free = await Promise.all([
    listeners.join({ ...place, port: 0 }),
    listeners.join({ ...place, port: 0 }),
  ])
  expect(new Set(free.map(({ port }) => port)).size).toBe(2)
  for (const { leave } of free) leave()
  const given = await Promise.all(free.map(({ port }) => listeners.join({ ...place, port })))
  expect(given.map(({ port }) => port)).toEqual(free.map(({ port }) => port))
  for (const { leave } of given) leave()
})

test('why a port cannot be bound is told of that port, whatever else this process listens on', async () => {
  const listeners = new Listeners()
  const own = await passive({ host: '0.0.0.0' }, listeners)
  const { port: taken } = await rawServer()
  const refusal = (host: string, port: number, peer: string) =>
    driver({ role: 'passive', host, port, peer }, listeners)
      .start()
      .catch((error: ListenError) => error.fault.detail)
  const another = `cannot listen on ${LOOPBACK}:${taken}: another program has the port`
  expect(await Promise.all(['127.0.0.2', '127.0.0.3'].map((peer) => refusal(LOOPBACK, taken, peer)))).toEqual(
    [another, another],
  )
  expect(await refusal('192.0.2.1', portOf(own), LOOPBACK)).toContain('does not have the address')
})

describe.runIf(hasIPv6)('over IPv6', () => {
  test('a peer is known however its address is spelled', async () => {
    const listeners = new Listeners()
    const one = await passive({ host: '::1', peer: '0:0:0:0:0:0:0:1' }, listeners)
    await dialFrom(portOf(one), '::1')
    await reached(one, 'NOT_SELECTED')
    const twice = driver({ role: 'passive', host: '::1', peer: '::1', port: portOf(one) }, listeners)
    await expect(twice.start()).rejects.toMatchObject({ fault: { code: 'listen_failed' } })
  })

  test('an IPv4 peer is itself, and no other, where it comes in over IPv6', async () => {
    const listeners = new Listeners()
    const one = await passive({ host: '::', peer: '127.0.0.1' }, listeners)
    const two = await passive({ host: '::', peer: '::ffff:7f00:2', port: portOf(one) }, listeners)
    const six = await passive({ host: '::', peer: '::1', port: portOf(one) }, listeners)
    await RawPeer.dial(portOf(one), '127.0.0.2')
    await reached(two, 'NOT_SELECTED')
    await dialFrom(portOf(one), '::1')
    await reached(six, 'NOT_SELECTED')
    expect(one.state).toBe('LISTENING')
    await RawPeer.dial(portOf(one), '127.0.0.1')
    await reached(one, 'NOT_SELECTED')
    await (await RawPeer.dial(portOf(one), '127.0.0.3')).closed
    expect([listeners.strangers, listeners.surplus]).toEqual([1, 0])
  })
})

test('two hundred share one port, each with its own peer, and all of them talk at once', async () => {
  const listeners = new Listeners()
  const addresses = Array.from({ length: 200 }, (_, at) => `127.0.0.${at + 1}`)
  const first = await passive({ peer: addresses[0] ?? '' }, listeners)
  const port = portOf(first)
  const rest = addresses.slice(1).map((peer) => passive({ peer, port }, listeners))
  const equipments = [first, ...(await Promise.all(rest))]
  for (const equipment of equipments) {
    equipment.received.on(({ message: primary }) =>
      equipment.send({ ...primary, function: primary.function + 1, wait: false }),
    )
  }

  const peers = await Promise.all(addresses.map((address) => RawPeer.dial(port, address)))
  for (const [at, peer] of peers.entries()) peer.control('selectReq', { systemBytes: at })
  const selected = await Promise.all(peers.map((peer) => peer.frame()))
  expect(selected.map(({ header }) => [header.systemBytes, header.byte3])).toEqual(
    peers.map((_, at) => [at, 0]),
  )

  // What peer N says is answered over its own connection, by its own entity.
  const heard = equipments.map(() => [] as number[])
  for (const [at, equipment] of equipments.entries()) {
    equipment.received.on(({ message: primary }) => heard[at]?.push(primary.systemBytes))
  }
  for (let turn = 0; turn < 5; turn += 1) {
    for (const [at, peer] of peers.entries()) peer.socket.write(dataBytes({ systemBytes: at * 10 + turn }))
  }
  const turns = [0, 1, 2, 3, 4]
  for (const [at, peer] of peers.entries()) {
    for (const turn of turns) {
      expect((await peer.frame()).header).toMatchObject({ byte3: 2, systemBytes: at * 10 + turn })
    }
  }
  expect(heard).toEqual(peers.map((_, at) => turns.map((turn) => at * 10 + turn)))

  const surplus = await Promise.all(addresses.map((address) => RawPeer.dial(port, address)))
  const stranger = await RawPeer.dial(port, '127.0.1.1')
  await Promise.all([...surplus, stranger].map((peer) => peer.closed))
  expect([listeners.surplus, listeners.strangers]).toEqual([200, 1])
  for (const [at, peer] of peers.entries()) peer.control('linktestReq', { systemBytes: at })
  const alive = await Promise.all(peers.map((peer) => peer.frame()))
  expect(alive.map(({ header }) => header.systemBytes)).toEqual(peers.map((_, at) => at))
  expect(equipments.every(({ state }) => state === 'SELECTED')).toBe(true)
})
