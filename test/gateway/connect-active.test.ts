import { createServer, connect as dial } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { LiveGateway, startSimulator } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK, RawPeer } from '../support/tcp.js'
import { until } from '../support/until.js'

const SECOND = '127.0.0.2'

/** A registered equipment that dials in, awaited. */
async function awaited(
  given: { readonly ip_address?: string; readonly port?: number } = {},
  live?: LiveGateway,
) {
  const gateway = live ?? (await LiveGateway.open())
  const port = given.port ?? (await freePort())
  const { id } = await gateway.add({ mode: 'active', ...given, port })
  const record = await gateway.gateway.equipment.connect(id, 0)
  return { live: gateway, id, port, record, registry: gateway.gateway.equipment }
}

/** Takes a port as another program does; gives it back with the function returned. */
async function takePort(port: number): Promise<() => Promise<void>> {
  const server = createServer()
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  await new Promise<void>((resolve) => server.listen(port, LOOPBACK, resolve))
  return close
}

describe('equipment that dials in', () => {
  test('is awaited once connect has answered, and served when it comes', async () => {
    const { record, port, registry, id } = await awaited()
    expect(record).toMatchObject({ connection_state: 'LISTENING', gateway_role: 'passive', last_error: null })
    await startSimulator({ role: 'active', port })
    expect(await registry.connect(id, 30)).toMatchObject({
      connection_state: 'SELECTED',
      communication_state: 'COMMUNICATING',
      model: { mdln: 'MINIMAL' },
    })
  })

  test('is awaited again after it went', async () => {
    const { port, registry, id, live } = await awaited()
    const first = await startSimulator({ role: 'active', port })
    await registry.connect(id, 30)
    await first.stop()
    await live.event(({ name, data }) => name === 'disconnected' && data['to'] === 'LISTENING')
    expect((await registry.get(id)).last_error).toMatchObject({ code: 'separated' })
    await startSimulator({ role: 'active', port })
    expect(await registry.connect(id, 30)).toMatchObject({
      communication_state: 'COMMUNICATING',
      last_error: null,
    })
  })

  test('is not awaited any more after disconnect', async () => {
    const { port, registry, id } = await awaited()
    expect(await registry.disconnect(id)).toMatchObject({ connection_state: 'NOT_CONNECTED' })
    await expect(RawPeer.dial(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('that does not select is closed after T7, and awaited on', async () => {
    const { live, port, registry, id } = await awaited()
    await registry.update(id, { timers: { t7: 0.1 } })
    const silent = await RawPeer.dial(port)
    await silent.closed
    await live.event(({ data }) => data['cause'] === 't7')
    expect(await registry.get(id)).toMatchObject({
      connection_state: 'LISTENING',
      last_error: { code: 't7' },
    })
  })

  test('shares its port with another, distinguished by its address', async () => {
    const one = await awaited()
    const two = await awaited({ port: one.port, ip_address: SECOND }, one.live)
    const { registry } = one
    const first = await RawPeer.dial(one.port)
    const second = await RawPeer.dial(one.port, SECOND)
    second.control('selectReq', { systemBytes: 2 })
    await second.frame()
    await until(async () => (await registry.get(two.id)).connection_state === 'SELECTED')
    expect((await registry.get(one.id)).connection_state).toBe('NOT_SELECTED')
    first.control('selectReq', { systemBytes: 3 })
    await until(async () => (await registry.get(one.id)).connection_state === 'SELECTED')
    await registry.disconnect(one.id)
    expect((await registry.get(two.id)).connection_state).toBe('SELECTED')
  })

  test('is not mistaken: a stranger is closed, and no one is disturbed', async () => {
    const { live, port, registry, id } = await awaited()
    const stranger = await RawPeer.dial(port, SECOND)
    await stranger.closed
    expect(await registry.get(id)).toMatchObject({ connection_state: 'LISTENING', last_error: null })
    const equipment = new ScriptedEquipment()
    equipment.take(dial({ port, host: LOOPBACK }))
    equipment.control('selectReq', { systemBytes: 1 })
    expect(await registry.connect(id, 30)).toMatchObject({ communication_state: 'COMMUNICATING' })
    const surplus = await RawPeer.dial(port)
    await surplus.closed
    await equipment.linktest()
    expect((await live.events({ type: ['connection'] })).at(-1)).toMatchObject({ name: 'selected' })
    equipment.cut()
  })
})

describe('a port that cannot be bound', () => {
  test('is reported at once, and bound when it is free', async () => {
    const port = await freePort()
    const release = await takePort(port)
    const { record, registry, id } = await awaited({ port })
    expect(record).toMatchObject({
      enabled: true,
      connection_state: 'NOT_CONNECTED',
      last_error: { code: 'listen_failed', detail: expect.stringContaining('another program has the port') },
    })
    expect(record.retry_at).not.toBeNull()
    await release()
    await until(async () => (await registry.get(id)).connection_state === 'LISTENING')
    expect((await registry.get(id)).retry_at).toBeNull()
  })

  test('is reported with the number of attempts, once in ten minutes', async () => {
    const clock = new ManualClock()
    const live = await LiveGateway.open({ clock })
    const port = await freePort()
    await takePort(port)
    const { id } = await live.add({ mode: 'active', port, timers: { t5: 300 } })
    const { equipment } = live.gateway
    await equipment.connect(id, 0)
    for (let attempt = 1; attempt <= 4; attempt++) {
      clock.advance(300_000)
      await until(async () => (await equipment.get(id)).retry_at ?? undefined)
    }
    const told = (await live.events()).filter(({ name }) => name === 'attempt_failed')
    expect(told.map(({ data }) => data['attempts'])).toEqual([1, 3, 5])
  })

  test('is not tried again after disconnect', async () => {
    const clock = new ManualClock()
    const live = await LiveGateway.open({ clock })
    const port = await freePort()
    const release = await takePort(port)
    const { id } = await live.add({ mode: 'active', port, timers: { t5: 300 } })
    const { equipment: registry } = live.gateway
    expect(await registry.connect(id, 0)).toMatchObject({ retry_at: expect.any(String) })
    expect(await registry.disconnect(id)).toMatchObject({ connection_state: 'NOT_CONNECTED', retry_at: null })
    await release()
    const before = live.journal.last
    clock.advance(1_000_000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await expect(RawPeer.dial(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(live.journal.last).toBe(before)
  })

  test('at a restart keeps nobody else from being served', async () => {
    const { live, id, port, registry } = await awaited()
    const { equipment } = await live.connectScripted()
    await registry.disconnect(id)
    const record = await live.collection.get(id)
    if (!record) throw new Error('the record is gone')
    await live.collection.put({ ...record, enabled: true })
    await takePort(port)
    const again = await live.reopen()
    expect(await again.equipment.get(id)).toMatchObject({ last_error: { code: 'listen_failed' } })
    await until(() => equipment.connections === 2)
  })
})
