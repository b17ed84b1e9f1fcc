import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { L, U4 } from 'secs4js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { tapsStatus } from '../../src/daemon/taps.js'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { delay, systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { startForeignHost } from '../foreign/foreign-host.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const LOOPBACK = '127.0.0.1'
const S1F1 = { sessionId: 0, stream: 1, function: 1, wait: true, body: encodeBody(undefined) }

const home = new Home()
const taps = join(home.folder, 'secsctl', 'state', 'taps')
const socket = join(taps, 'socket')
let daemon: DaemonProcess
const drivers: HsmsDriver[] = []
afterAll(async () => {
  await daemon.end('SIGKILL')
  // Where the test failed, the process of the taps still runs.
  if (existsSync(socket)) process.kill(Number(readFileSync(join(taps, 'lock'), 'utf8').split('\n')[0]))
  await Promise.all(drivers.map((one) => one.stop()))
  home.dispose()
})

async function entity(role: 'active' | 'passive', port: number): Promise<HsmsDriver> {
  const settings = { ...HSMS_DEFAULTS, role, host: LOOPBACK, port, deviceId: 0 }
  const one = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  drivers.push(one)
  await one.start()
  return one
}

async function loggedIn(): Promise<GatewayClient> {
  const { token } = await new GatewayClient({ url: daemon.url }).call(endpoints.login, { body: ADMIN })
  return new GatewayClient({ url: daemon.url, token })
}

test('the link of tapped equipment outlives the daemon: stopped, it misses nothing; killed, what it missed is recorded or counted', async () => {
  daemon = await DaemonProcess.start(home)
  const tool = await entity('passive', 0)
  tool.received.on(({ message }) => void tool.send({ ...message, function: 2, wait: false }))
  const port = await freePort()
  let client = await loggedIn()
  const { id } = await client.call(endpoints.createEquipment, {
    body: {
      ...{ name: 'etcher', ip_address: LOOPBACK, port: tool.boundPort ?? 0, communication: 'none' },
      tap: { listen_port: port, host_address: LOOPBACK },
    } as never,
  })
  await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } }).catch(() => {})
  const host = await entity('active', port)
  await until(() => host.state === 'SELECTED')
  const losses: string[] = []
  host.changed.on(({ to }) => losses.push(to))
  let sent = 0
  const ask = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const systemBytes = host.reserve() ?? 0
      expect((await host.request({ ...S1F1, systemBytes })).kind).toBe('replied')
      sent++
    }
  }
  /** Messages of both sides that are recorded, or counted as missing. */
  const known = async (): Promise<{ readonly recorded: number; readonly missed: number }> => {
    const { items } = await client.call(endpoints.listMessages, { query: { stream: 1, limit: 1000 } })
    const gaps = await client.call(endpoints.listEvents, { query: { name: ['tap_gap'], limit: 100 } })
    const missed = gaps.items.reduce((sum, { data }) => sum + Number(data['messages']), 0)
    return { recorded: items.length, missed }
  }
  const started = async (): Promise<void> => {
    daemon = await DaemonProcess.start(home)
    client = await loggedIn()
  }

  await ask(5)
  await until(async () => (await known()).recorded === 10)
  // Ended in order, amid traffic and several times, it leaves nothing out, and counts nothing.
  for (let turn = 0; turn < 3; turn++) {
    let isOver = false
    // A page of the list has a thousand messages.
    const most = sent + 150
    const asking = (async () => {
      for (; !isOver && sent < most; await delay(systemClock, 20)) await ask(1)
    })()
    await until(async () => (await known()).recorded > 0)
    await daemon.end('SIGTERM')
    await ask(5)
    isOver = true
    await asking
    await started()
    await until(async () => (await known()).recorded >= 2 * sent)
    expect(await known()).toEqual({ recorded: 2 * sent, missed: 0 })
  }
  await ask(3)
  await daemon.end('SIGKILL')
  // What the process of the taps tells the one that is dead, before it has seen it go, is missing as well.
  await until(async () => (await tapsStatus(join(taps, '..'), systemClock))?.told?.isRead === false)
  const killedAt = sent
  await ask(5)
  await started()
  await ask(2)
  await until(async () => {
    const { recorded, missed } = await known()
    return recorded + missed >= 2 * sent
  })
  // Killed, it may not have recorded the last, which are counted; what passed while none ran was waiting for the next.
  const { recorded, missed } = await known()
  expect(recorded).toBeGreaterThanOrEqual(2 * (sent - 3))
  expect(recorded).toBeLessThanOrEqual(2 * sent)
  expect(missed).toBeLessThanOrEqual(2 * 3)
  expect(killedAt).toBeLessThan(sent)
  const { connection_state } = await client.call(endpoints.getEquipment, { params: { id } })
  expect(connection_state).toBe('SELECTED')
  expect(losses).toEqual([])

  await client.call(endpoints.disconnectEquipment, { params: { id } })
  await until(() => losses.length > 0)
  // The process of the taps has ended with its last link.
  await until(() => !existsSync(socket))
})

test('after a restart, equipment of which nothing passes is in the state that was learnt, and clients read', async () => {
  const model = shippedModel('etcher')
  if (!model) throw new Error('the etcher is missing')
  // Another device ID than the registered one: that of the line is used.
  const place = { role: 'passive', host: LOOPBACK, port: 0, deviceId: 3 } as const
  const simulator = new Simulator(model, place, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const port = await freePort()
  let client = await loggedIn()
  const tap = { listen_port: port, host_address: LOOPBACK }
  const { id } = await client.call(endpoints.createEquipment, {
    body: { name: 'quiet', ip_address: LOOPBACK, port: simulator.port, tap } as never,
  })
  await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } }).catch(() => {})
  const host = await startForeignHost({ port, deviceId: 3 })
  onTestFinished(() => host.stop())
  await until(() => host.received.length > 0)
  await host.establish()
  const equipment = () => client.call(endpoints.getEquipment, { params: { id } })
  const state = async () => (await equipment()).communication_state
  await until(async () => (await state()) === 'COMMUNICATING')
  await host.peer.request(1, 11, L())
  // Which variable has the control state is known once the S1F12 is recorded.
  await until(async () => {
    await host.peer.request(1, 3, L(U4(1002)))
    return (await equipment()).control_state === 'ONLINE_REMOTE'
  })
  // Nothing is on its way to the disk any more.
  await until(async () => (await tapsStatus(join(taps, '..'), systemClock))?.told?.queueBytes === 0)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await daemon.end(signal)
    daemon = await DaemonProcess.start(home)
    client = await loggedIn()
    await until(async () => (await state()) === 'COMMUNICATING')
    expect(await equipment()).toMatchObject({
      control_state: 'ONLINE_REMOTE',
      model: { mdln: 'ETCHER' },
    })
    const { reply } = await client.call(endpoints.sendMessage, { params: { id }, body: { sml: 'S1F1 W.' } })
    expect(reply?.name).toContain('S1F2')
  }
  await client.call(endpoints.disconnectEquipment, { params: { id } })
})
