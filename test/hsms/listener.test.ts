import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { STYPE } from '../../src/hsms/header.js'
import { ListenError, Listeners } from '../../src/hsms/listener.js'
import { driver, passive, portOf, reached } from '../support/hsms-drivers.js'
import { LOOPBACK, RawPeer, rawServer } from '../support/tcp.js'

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

test('two passive entities share a port and are told apart by the address of their peer', async () => {
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

test('a stranger is closed and counted, and the entity goes on listening', async () => {
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

test('rule 10: twenty abrupt reconnects are all taken', async () => {
  const equipment = await passive()
  for (let round = 0; round < 20; round += 1) {
    const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
    expect((await peer.frame()).header, `round ${round}`).toMatchObject({ sType: STYPE.selectRsp, byte3: 0 })
    peer.socket.resetAndDestroy()
  }
})

test('a connection is taken when the end of the one before arrives together with it', async () => {
  const listeners = new Listeners()
  const answers = [false, true]
  const seat = await listeners.join({
    host: LOOPBACK,
    port: 0,
    peer: undefined,
    take: () => answers.shift() ?? false,
  })
  onTestFinished(() => seat.leave())
  const peers = [await RawPeer.dial(seat.port), await RawPeer.dial(seat.port)]
  await peers[1]?.closed
  expect(answers).toEqual([])
  expect(listeners.surplus).toBe(1)
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
  const seat = await listeners.join({ host: LOOPBACK, port: 0, peer: undefined, take })
  onTestFinished(() => seat.leave())
  await (await RawPeer.dial(seat.port)).closed
  expect(offered).toEqual([false])
  expect(listeners.surplus).toBe(1)
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
