import { describe, expect, test } from 'vitest'
import type { Equipment } from '../../src/contract/equipment.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { L } from '../../src/secs2/item.js'
import { freePort } from '../support/free-port.js'
import { LiveGateway } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { HeldJournal } from '../support/memory-store.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'

/** A registered equipment that will not let itself be reached as it is. */
async function bench(
  prepare: (equipment: ScriptedEquipment) => void = () => {},
  timers = {},
  clock: Clock = systemClock,
) {
  const live = await LiveGateway.open({ clock })
  const equipment = await ScriptedEquipment.listen()
  prepare(equipment)
  const { id } = await live.add({ port: equipment.port, timers })
  const errorOf = async (code: string): Promise<Equipment> =>
    until(async () => {
      const record = await live.gateway.equipment.get(id)
      return record.last_error?.code === code ? record : undefined
    })
  return { live, equipment, id, registry: live.gateway.equipment, errorOf }
}

describe('connect', () => {
  test('answers once the equipment is selected and communicates, with what it is', async () => {
    const { registry, id, live } = await bench()
    const record = await registry.connect(id, 30)
    expect(record).toMatchObject({
      enabled: true,
      connection_state: 'SELECTED',
      communication_state: 'COMMUNICATING',
      control_state: 'UNKNOWN',
      last_error: null,
      retry_at: null,
      model: { mdln: 'SCRIPT', softrev: '0.1' },
      revision: 1,
    })
    expect(Date.parse(record.connected_since ?? '')).toBeGreaterThan(0)
    const events = (await live.events({ type: ['connection', 'state'] })).map(({ name, data }) => [
      name,
      data['from'],
      data['to'],
    ])
    expect(events).toEqual([
      ['communication_state', 'DISABLED', 'NOT_COMMUNICATING'],
      ['connecting', 'NOT_CONNECTED', 'CONNECTING'],
      ['connected', 'CONNECTING', 'NOT_SELECTED'],
      ['selected', 'NOT_SELECTED', 'SELECTED'],
      ['communication_state', 'NOT_COMMUNICATING', 'WAIT_CRA'],
      ['communication_state', 'WAIT_CRA', 'COMMUNICATING'],
    ])
  })

  test('may be repeated without harm, also at once', async () => {
    const { registry, id, equipment } = await bench()
    await Promise.all([registry.connect(id, 30), registry.connect(id, 30)])
    const first = await registry.get(id)
    expect(await registry.connect(id, 30)).toEqual(first)
    expect(equipment.connections).toBe(1)
    await Promise.all([registry.disconnect(id), registry.disconnect(id)])
    const events = await (await registry.disconnect(id)).connection_state
    expect(events).toBe('NOT_CONNECTED')
  })

  test('with no time to wait answers how it stands, and continues by itself', async () => {
    const { registry, id } = await bench()
    expect(await registry.connect(id, 0)).toMatchObject({
      enabled: true,
      connection_state: 'CONNECTING',
      last_error: null,
    })
    await until(async () => (await registry.get(id)).communication_state === 'COMMUNICATING')
  })

  test('to a port where nothing listens says so, and succeeds when there is a listener', async () => {
    const live = await LiveGateway.open()
    const port = await freePort()
    const { id } = await live.add({ port, timers: { t5: 0.2 } })
    await live.gateway.equipment.connect(id, 0)
    const record = await until(async () => {
      const now = await live.gateway.equipment.get(id)
      return now.retry_at === null ? undefined : now
    })
    expect(record).toMatchObject({
      enabled: true,
      connection_state: 'CONNECTING',
      last_error: { code: 'connection_refused', detail: expect.stringContaining(`127.0.0.1:${port}`) },
    })
    const connecting = live.gateway.equipment.connect(id, 30)
    await ScriptedEquipment.listen(port)
    expect(await connecting).toMatchObject({
      communication_state: 'COMMUNICATING',
      last_error: null,
      retry_at: null,
    })
  })

  test.each([
    {
      error: 'not_hsms',
      prepare: (equipment: ScriptedEquipment) => {
        equipment.greeting = Buffer.from('HTTP/1.1 400 Bad Request\r\n')
      },
    },
    {
      error: 'select_refused',
      prepare: (equipment: ScriptedEquipment) => {
        equipment.selectStatus = 2
      },
    },
    {
      error: 't6',
      prepare: (equipment: ScriptedEquipment) => {
        equipment.selectStatus = undefined
      },
      timers: { t6: 0.3 },
    },
  ])('to a peer that ends in $error says so until it comes through', async ({ error, prepare, timers }) => {
    const { registry, id, equipment, errorOf } = await bench(prepare, timers)
    const connecting = registry.connect(id, 30)
    const failed = await errorOf(error)
    expect(failed.enabled).toBe(true)
    await until(() => equipment.connections >= 3)
    expect((await registry.get(id)).last_error).toMatchObject({ code: error })
    equipment.greeting = undefined
    equipment.selectStatus = 0
    expect(await connecting).toMatchObject({ communication_state: 'COMMUNICATING', last_error: null })
  })

  test('to equipment that denies communication asks again until it is granted', async () => {
    const { live, registry, id, equipment, errorOf } = await bench((denying) => {
      denying.commack = 1
    })
    const connecting = registry.connect(id, 30)
    expect(await errorOf('communication_denied')).toMatchObject({
      connection_state: 'SELECTED',
      last_error: { detail: expect.stringContaining('COMMACK 1') },
    })
    await expect(live.gateway.messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject({
      code: 'equipment_not_communicating',
    })
    await live.event(({ data }) => data['from'] === 'WAIT_DELAY' && data['to'] === 'WAIT_CRA')
    equipment.commack = 0
    expect(await connecting).toMatchObject({ communication_state: 'COMMUNICATING', last_error: null })
    expect(equipment.connections).toBe(1)
  })

  test('to equipment whose S1F14 is no SECS-II says that it cannot be read', async () => {
    const { registry, id, errorOf } = await bench((other) => {
      other.commack = undefined
      other.reply = () => ({ function: 14, body: Uint8Array.of(1, 2) })
    })
    await registry.connect(id, 0)
    const { last_error } = await errorOf('communication_denied')
    expect(last_error?.detail).toContain('with an S1F14 that cannot be read')
  })

  test('to equipment that answers under the session ID of Select.req names the cure at once, and still after T3', async () => {
    const clock = new ManualClock()
    const { registry, id, errorOf } = await bench(
      (other) => {
        other.deviceId = 65535
      },
      { t3: 10, establish: 600 },
      clock,
    )
    await registry.connect(id, 0)
    const { last_error } = await errorOf('wrong_session_id')
    expect(last_error?.detail).toContain('set its session_id to 0 (--session-id 0)')
    clock.advance(10_000)
    await until(async () => (await registry.get(id)).communication_state === 'WAIT_DELAY')
    expect((await registry.get(id)).last_error?.code).toBe('wrong_session_id')
  })

  test('to equipment that reports under another device ID than in its S1F14 says so, and is degraded', async () => {
    const { registry, id, equipment, errorOf } = await bench()
    expect(await registry.connect(id, 30)).toMatchObject({ health: 'ok', last_error: null })
    equipment.deviceId = 5
    equipment.send(6, 11, L())
    const { health, health_reason } = await errorOf('wrong_device_id')
    expect([health, health_reason]).toEqual(['degraded', expect.stringContaining('device ID 5, not 0')])
  })

  test('to equipment that reports under another device ID is degraded for 15 minutes after the last such report', async () => {
    const MINUTE = 60_000
    let later = 0
    const clock: Clock = { ...systemClock, date: () => new Date(systemClock.date().getTime() + later) }
    const { registry, id, equipment, errorOf } = await bench(undefined, undefined, clock)
    await registry.connect(id, 30)
    equipment.deviceId = 5
    equipment.send(6, 11, L())
    const first = await errorOf('wrong_device_id')
    later = 10 * MINUTE
    equipment.send(6, 11, L())
    await until(async () => (await registry.get(id)).last_error?.at !== first.last_error?.at)
    later = 24 * MINUTE
    expect((await registry.get(id)).health).toBe('degraded')
    later = 26 * MINUTE
    expect(await registry.get(id)).toMatchObject({ health: 'ok', last_error: { code: 'wrong_device_id' } })
  })

  test('to equipment that has another device ID says what it reported', async () => {
    const { registry, id, equipment, errorOf } = await bench((other) => {
      other.deviceId = 5
      other.commack = undefined
      other.refuseDevice = true
    })
    await registry.connect(id, 0)
    const { last_error } = await errorOf('wrong_device_id')
    expect(last_error?.detail).toMatch(/S9F1 .*device ID 5/)
    expect(equipment.connections).toBe(1)
  })

  test('is not told of what the equipment sent over the connection before', async () => {
    const { registry, id, equipment, errorOf } = await bench((other) => {
      other.deviceId = 5
      other.commack = undefined
      other.refuseDevice = true
    })
    await registry.connect(id, 0)
    await errorOf('wrong_device_id')
    await registry.disconnect(id)
    Object.assign(equipment, { deviceId: 0, commack: 1 })
    await registry.connect(id, 0)
    const { last_error } = await errorOf('communication_denied')
    expect(last_error?.detail).not.toContain('S9')
  })

  test('by a caller who sends S1F13 counts as well as by ours', async () => {
    const { live, registry, id, equipment } = await bench(
      (denying) => {
        denying.commack = 1
      },
      { establish: 600 },
    )
    await registry.connect(id, 0)
    await live.event(({ data }) => data['to'] === 'WAIT_DELAY')
    equipment.commack = 0
    await live.gateway.messages.send(id, { stream: 1, function: 13 })
    expect(await registry.get(id)).toMatchObject({ communication_state: 'COMMUNICATING' })
  })

  test('of equipment that nobody knows is refused', async () => {
    const { registry } = await bench()
    await expect(registry.connect('eq_0', 0)).rejects.toMatchObject({ code: 'equipment_not_found' })
    await expect(registry.disconnect('eq_0')).rejects.toMatchObject({ code: 'equipment_not_found' })
  })
})

describe('disconnect', () => {
  test('ends the session with Separate.req', async () => {
    const { registry, id, equipment, live } = await bench()
    await registry.connect(id, 30)
    expect(await registry.disconnect(id)).toMatchObject({
      enabled: false,
      connection_state: 'NOT_CONNECTED',
      communication_state: 'DISABLED',
      control_state: 'UNKNOWN',
      connected_since: null,
      last_error: null,
      model: { mdln: 'SCRIPT' },
    })
    await until(() => equipment.separated)
    const [last] = (await live.events({ type: ['connection'] })).slice(-1)
    expect(last).toMatchObject({ name: 'disconnected', data: { from: 'SELECTED', to: 'NOT_CONNECTED' } })
  })

  test('gives up what is under way, and whoever waits for it is answered', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: await freePort(), timers: { t5: 600 } })
    const connecting = live.gateway.equipment.connect(id, 120)
    await live.event(({ name }) => name === 'attempt_failed')
    await live.gateway.equipment.disconnect(id)
    expect(await connecting).toMatchObject({
      enabled: false,
      connection_state: 'NOT_CONNECTED',
      communication_state: 'DISABLED',
      retry_at: null,
    })
  })

  test('by deleting leaves nobody waiting, and keeps the history', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: await freePort(), timers: { t5: 600 } })
    const connecting = live.gateway.equipment.connect(id, 120)
    await live.event(({ name }) => name === 'attempt_failed')
    await live.gateway.equipment.delete(id)
    await expect(connecting).rejects.toMatchObject({ code: 'equipment_not_found' })
    expect((await live.events({ equipment_id: id })).length).toBeGreaterThan(2)
  })
})

describe('a wish to be connected', () => {
  test('outlives a session that the equipment ends', async () => {
    const { live, registry, id, equipment } = await bench()
    await registry.connect(id, 30)
    equipment.control('separateReq', { systemBytes: 9 })
    const { data } = await live.event(({ name }) => name === 'disconnected')
    expect(data).toMatchObject({
      from: 'SELECTED',
      to: 'CONNECTING',
      cause: 'separated',
      error: { code: 'separated' },
    })
    expect((await registry.get(id)).last_error).toMatchObject({ code: 'separated' })
    expect(await registry.connect(id, 30)).toMatchObject({
      communication_state: 'COMMUNICATING',
      last_error: null,
    })
    expect(equipment.connections).toBe(2)
  })

  test('outlives the process, and is taken up again without a call', async () => {
    const { live, registry, id, equipment } = await bench()
    await registry.connect(id, 30)
    const again = await live.reopen()
    await until(async () => (await again.equipment.get(id)).communication_state === 'COMMUNICATING')
    expect(equipment.connections).toBe(2)
    await again.equipment.disconnect(id)
    expect(await (await live.reopen()).equipment.get(id)).toMatchObject({
      enabled: false,
      connection_state: 'NOT_CONNECTED',
    })
  })

  test('that nothing comes of is reported once, and then once in ten minutes with the number of attempts', async () => {
    const clock = new ManualClock()
    const live = await LiveGateway.open({ clock, journal: new HeldJournal() })
    const { id } = await live.add({ port: await freePort(), timers: { t5: 100 } })
    const { equipment } = live.gateway
    const attempts = async () =>
      (await live.events())
        .filter(({ name }) => name === 'attempt_failed')
        .map(({ data }) => data['attempts'])
    const retry = () => until(async () => (await equipment.get(id)).retry_at ?? undefined)
    await equipment.connect(id, 0)
    for (let attempt = 1; attempt <= 14; attempt++) {
      await retry()
      clock.advance(102_000) // T5, and the most that is added to it
    }
    await retry()
    expect(await attempts()).toEqual([1, 7, 13])
    await equipment.disconnect(id)
    await equipment.connect(id, 0)
    await retry()
    expect(await attempts()).toEqual([1, 7, 13, 1])
  })

  test('is reported with its cause when a caller opens communication from the other side', async () => {
    const { live, registry, id, equipment } = await bench((mute) => {
      mute.commack = undefined
    })
    await registry.connect(id, 0)
    await equipment.next()
    equipment.send(1, 13, L())
    await until(async () => (await registry.get(id)).communication_state === 'COMMUNICATING')
    expect((await live.events({ type: ['state'] })).at(-1)?.data).toMatchObject({
      to: 'COMMUNICATING',
      cause: 'the peer sent S1F13',
    })
  })
})
