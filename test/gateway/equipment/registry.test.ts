import { describe, expect, test } from 'vitest'
import { DEFAULT_TIMERS, type EquipmentChange, type NewEquipment } from '../../../src/contract/equipment.js'
import type { EquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { MESSAGE_RECEIVED } from '../../../src/gateway/records/journal-kinds.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { freePort } from '../../support/free-port.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { ScriptedEquipment } from '../../support/scripted-equipment.js'
import { until } from '../../support/until.js'

const ETCHER: NewEquipment = { name: 'etcher', ip_address: '192.0.2.5', port: 5000 }

async function registry(clock = new ManualClock()) {
  const live = await LiveGateway.open({ clock })
  return { clock, live, equipment: live.gateway.equipment }
}

describe('equipment that is registered', () => {
  test('has the defaults for all that was not given', async () => {
    const { equipment } = await registry()
    const made = await equipment.create({ ...ETCHER, timers: { t3: 1.5 } })
    expect(made).toEqual({
      ...ETCHER,
      id: expect.stringMatching(/^eq_[0-9a-z]{10}$/),
      ...{ transport: 'hsms', serial_port: null, baud_rate: 9600, rty: 3, master: 'equipment' },
      mode: 'passive',
      device_id: 0,
      session_id: 65535,
      gateway_role: 'active',
      enabled: false,
      connection_state: 'NOT_CONNECTED',
      communication_state: 'DISABLED',
      control_state: 'UNKNOWN',
      health: 'ok',
      health_reason: null,
      responsiveness: {
        last_message_at: null,
        last_reply_at: null,
        p99_ms: null,
        t3_timeouts: 0,
        t6_timeouts: 0,
      },
      connected_since: null,
      retry_at: null,
      last_error: null,
      lock: null,
      node: null,
      model: null,
      timers: { ...DEFAULT_TIMERS, t3: 1.5 },
      linktest_mode: 'always',
      gem_startup: true,
      communication: 'gem',
      item_formats: {},
      text_encoding: 'latin1',
      labels: {},
      tap: null,
      tap_link: null,
      revision: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    })
    expect(await equipment.get(made.id)).toEqual(made)
  })

  test('is known to have sent its last message before a restart, though it is not there', async () => {
    const { equipment, live } = await registry()
    const { id } = await equipment.create(ETCHER)
    const data = { stream: 1, function: 1, w_bit: true, session_id: 0, system_bytes: 1, body: '' }
    await live.journal.append({ ...MESSAGE_RECEIVED, key: id, at: '2026-01-01T00:00:05.678Z', data })
    const reopened = (await live.reopen()).equipment
    const { responsiveness } = await until(async () => {
      const known = await reopened.get(id)
      return known.responsiveness.last_message_at !== null && known
    })
    expect(responsiveness.last_message_at).toBe('2026-01-01T00:00:05.000Z')
  })

  test('is one object as long as it stays the same, whose JSON is what it shows', async () => {
    const { equipment } = await registry()
    const made = await equipment.create(ETCHER)
    const json = (value: object): string => [...jsonParts(value)].join('')
    expect(await equipment.get(made.id)).toBe(made)
    expect(json(made)).toBe(JSON.stringify(made))
    const changed = await equipment.update(made.id, { name: 'other' })
    expect(JSON.parse(json(changed))).toMatchObject({ name: 'other', revision: 2 })
    expect(JSON.parse(json(await equipment.list({}))).items).toEqual([JSON.parse(json(changed))])
  })

  test('is dialled where it is passive, and awaited where it is active', async () => {
    const { equipment } = await registry()
    expect(await equipment.create({ ...ETCHER, mode: 'active' })).toMatchObject({ gateway_role: 'passive' })
  })

  test('has a name of its own, also among those that are made at once', async () => {
    const { equipment } = await registry()
    const made = await Promise.allSettled([
      equipment.create(ETCHER),
      equipment.create({ ...ETCHER, port: 5001 }),
    ])
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const other = await equipment.create({ ...ETCHER, name: 'other' })
    await expect(equipment.update(other.id, { name: 'etcher' })).rejects.toMatchObject({
      code: 'equipment_name_taken',
    })
    expect((await equipment.list({})).items).toHaveLength(2)
  })

  test('has an address and port of its own where it dials in', async () => {
    const { equipment } = await registry()
    const active = { ...ETCHER, mode: 'active' } as const
    await equipment.create(active)
    await expect(equipment.create({ ...active, name: 'b' })).rejects.toMatchObject({
      code: 'equipment_address_taken',
    })
    await equipment.create({ ...active, name: 'c', ip_address: '192.0.2.6' })
    await equipment.create({ ...active, name: 'd', port: 5001 })
    const passive = await equipment.create({ ...ETCHER, name: 'e' })
    await expect(equipment.update(passive.id, { mode: 'active' })).rejects.toMatchObject({
      code: 'equipment_address_taken',
    })
  })

  test('has a serial port of its own, whatever its mode', async () => {
    const { equipment } = await registry()
    const serial = { name: 'a', transport: 'secs1-serial', serial_port: '/dev/ttyS7' } as const
    expect(await equipment.create(serial)).toMatchObject({ ip_address: null, port: null })
    for (const mode of ['passive', 'active'] as const)
      await expect(equipment.create({ ...serial, name: mode, mode })).rejects.toMatchObject({
        code: 'equipment_address_taken',
      })
    await equipment.create({ ...serial, name: 'b', serial_port: '/dev/ttyS8' })
  })

  test('does not open the serial port of other equipment by another path', async () => {
    const { equipment, clock, live } = await registry()
    const serial = { transport: 'secs1-serial' } as const
    const { id: first } = await equipment.create({ ...serial, name: 'a', serial_port: '/dev/tty-not-there' })
    clock.advance(1000)
    const { id: second } = await equipment.create({ ...serial, name: 'b', serial_port: '/dev/null' })
    // As if the adapter was plugged in, and both paths led to it.
    const record = (await live.collection.get(first)) as EquipmentRecord
    await live.collection.put({ ...record, serial_port: '/dev/./null' })
    const reopened = (await live.reopen()).equipment
    await reopened.connect(second, 0)
    await until(async () => (await reopened.get(second)).last_error !== null)
    expect((await reopened.get(second)).last_error?.detail).toContain('of other equipment')
  })

  test('that leaves a serial port needs an address', async () => {
    const { equipment } = await registry()
    const place = { transport: 'secs1-serial', serial_port: '/dev/ttyS7' } as const
    const { id } = await equipment.create({ name: 'etcher', ...place })
    const over = { transport: 'secs1-tcp', port: 4001 } as const
    await expect(equipment.update(id, over)).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { errors: [{ pointer: '/ip_address' }] },
    })
    for (const { change, at } of [
      { change: { ip_address: '192.0.2.6' }, at: ['/ip_address'] },
      { change: { port: 5000 }, at: ['/port'] },
      { change: { transport: 'hsms' }, at: ['/ip_address', '/port'] },
    ] as const)
      await expect(equipment.update(id, change)).rejects.toMatchObject({
        code: 'invalid_request',
        extra: { errors: at.map((pointer) => ({ pointer })) },
      })
    const moved = await equipment.update(id, { ...over, ip_address: '192.0.2.6' })
    expect(moved).toMatchObject({ ...over, ip_address: '192.0.2.6', serial_port: null })
    expect(await equipment.update(id, place)).toMatchObject({ ...place, ip_address: null, port: null })
  })

  test('takes no format and no encoding that is unknown, and says so of each', async () => {
    const { equipment } = await registry()
    const wrong = {
      item_formats: { SVID: 'U3', CPVAL: 'L', CEID: 'U2', NOPE: 'U2', constructor: 'U2' },
      text_encoding: 'klingon',
    }
    const refusal = {
      code: 'invalid_request',
      extra: {
        errors: [
          '/item_formats/SVID',
          '/item_formats/CPVAL',
          '/item_formats/NOPE',
          '/item_formats/constructor',
          '/text_encoding',
        ].map((pointer) => ({ pointer })),
      },
    }
    await expect(equipment.create({ ...ETCHER, ...wrong })).rejects.toMatchObject(refusal)
    const { id } = await equipment.create(ETCHER)
    await expect(equipment.update(id, wrong)).rejects.toMatchObject(refusal)
    expect(await equipment.get(id)).toMatchObject({ revision: 1, item_formats: {} })
  })

  test('is gone once it is deleted, also after a restart', async () => {
    const { live, equipment } = await registry()
    const { id } = await equipment.create(ETCHER)
    await equipment.delete(id)
    await expect(equipment.get(id)).rejects.toMatchObject({ code: 'equipment_not_found' })
    await expect(equipment.delete(id)).rejects.toMatchObject({ code: 'equipment_not_found' })
    expect((await (await live.reopen()).equipment.list({})).items).toEqual([])
  })
})

describe('labels of equipment', () => {
  test('are merged with a change, in which null removes a label', async () => {
    const { equipment, live } = await registry()
    const { id } = await equipment.create({ ...ETCHER, labels: { bay: '3', area: 'etch', spare: '' } })
    expect((await equipment.get(id)).labels).toEqual({ area: 'etch', bay: '3', spare: '' })
    const changed = await equipment.update(id, { labels: { bay: '4', spare: null, none: null } })
    expect(changed).toMatchObject({ labels: { area: 'etch', bay: '4' }, revision: 2 })
    expect(Object.keys(changed.labels)).toEqual(['area', 'bay'])
    expect(await equipment.update(id, { labels: { bay: '4', none: null } })).toMatchObject({ revision: 2 })
    expect(await equipment.update(id, { name: 'other' })).toMatchObject({ labels: changed.labels })
    expect((await (await live.reopen()).equipment.get(id)).labels).toEqual(changed.labels)
  })

  test('are {} in a record of an older version', async () => {
    const { live, equipment } = await registry()
    const { id } = await equipment.create(ETCHER)
    const { labels: _, ...old } = (await live.collection.get(id)) as EquipmentRecord
    await live.collection.put(old as EquipmentRecord)
    expect((await (await live.reopen()).equipment.get(id)).labels).toEqual({})
  })

  test('are bounded in keys and number, also after a change', async () => {
    const { equipment } = await registry()
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`k${from + at}`, '']))
    const { id } = await equipment.create({ ...ETCHER, labels: many(0, 30) })
    const refused = (pointer: string) => ({ code: 'invalid_request', extra: { errors: [{ pointer }] } })
    await expect(equipment.update(id, { labels: many(30, 33) })).rejects.toMatchObject(refused('/labels'))
    await equipment.update(id, { labels: { ...many(30, 33), k0: null } })
    await expect(equipment.update(id, { labels: { 'a/b': '1', k1: null } })).rejects.toMatchObject(
      refused('/labels/a~1b'),
    )
  })
})

test('a record from before there was a linktest mode is tested always', async () => {
  const { live, equipment } = await registry()
  const { id } = await equipment.create({ ...ETCHER, linktest_mode: 'idle' })
  const kept = await live.collection.get(id)
  expect(kept).toMatchObject({ linktest_mode: 'idle' })
  const { linktest_mode: _, ...old } = kept as EquipmentRecord
  await live.collection.put(old as EquipmentRecord)
  expect(await (await live.reopen()).equipment.get(id)).toMatchObject({ linktest_mode: 'always' })
})

describe('a change', () => {
  test('takes what is given, keeps the rest, and raises the revision', async () => {
    const { clock, live, equipment } = await registry()
    const before = await equipment.create({ ...ETCHER, timers: { t3: 1 }, item_formats: { SVID: 'U2' } })
    clock.advance(5)
    const after = await equipment.update(before.id, {
      port: 5001,
      timers: { t5: 2 },
      linktest_mode: 'idle',
    })
    expect(after).toEqual({
      ...before,
      port: 5001,
      timers: { ...before.timers, t5: 2 },
      linktest_mode: 'idle',
      revision: 2,
      updated_at: '2026-01-01T00:00:00.005Z',
    })
    expect(await (await live.reopen()).equipment.get(before.id)).toEqual(after)
  })

  test('of nothing changes nothing, whatever read-only fields come with it', async () => {
    const { clock, equipment } = await registry()
    const before = await equipment.create({ ...ETCHER, item_formats: { SVID: 'U2', CEID: 'U4' } })
    clock.advance(5)
    const sentBack: EquipmentChange = {
      ...before,
      connection_state: 'SELECTED',
      item_formats: { CEID: 'U4', SVID: 'U2' },
    }
    expect(await equipment.update(before.id, sentBack)).toEqual(before)
  })

  test('of a revision that is not current is refused', async () => {
    const { equipment } = await registry()
    const { id } = await equipment.create(ETCHER)
    const both = await Promise.allSettled([
      equipment.update(id, { port: 1 }, ['1']),
      equipment.update(id, { port: 2 }, ['1']),
    ])
    expect(both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'revision_mismatch' } },
    ])
    expect(await equipment.get(id)).toMatchObject({ port: 1, revision: 2 })
    await expect(equipment.update(id, { port: 3 }, ['1', '7'])).rejects.toMatchObject({
      message: expect.stringContaining('is at revision 2, not 1 or 7'),
    })
    expect(await equipment.update(id, { port: 3 }, ['7', '2'])).toMatchObject({ port: 3, revision: 3 })
    await expect(equipment.update(id, { port: 4, revision: 2 })).rejects.toMatchObject({
      code: 'revision_mismatch',
    })
    expect(await equipment.update(id, { port: 4, revision: 3 })).toMatchObject({ port: 4, revision: 4 })
    await expect(equipment.delete(id, ['3'])).rejects.toMatchObject({ code: 'revision_mismatch' })
    expect(equipment.isRegistered(id)).toBe(true)
    await equipment.delete(id, ['4'])
  })

  test('of the wire is refused while connected; of name, formats and encoding it is not', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.connectScripted()
    const { equipment } = live.gateway
    for (const change of [
      { port: 1 },
      { device_id: 3 },
      { session_id: 3 },
      { mode: 'active' },
      { ip_address: '127.0.0.2' },
      { timers: { linktest: 1 } },
      { linktest_mode: 'idle' },
    ] as const) {
      await expect(equipment.update(id, change)).rejects.toMatchObject({
        code: 'equipment_connected',
        extra: { next: [{ operation: 'disconnectEquipment', parameters: { id } }] },
      })
    }
    const changed = await equipment.update(id, {
      name: 'renamed',
      item_formats: { SVID: 'U2' },
      text_encoding: 'utf-8',
    })
    expect(changed).toMatchObject({ name: 'renamed', revision: 2, connection_state: 'SELECTED' })
    await equipment.disconnect(id)
    expect(await equipment.update(id, { device_id: 3 })).toMatchObject({ device_id: 3 })
  })

  test('of the wire is refused, too, where the equipment is selected while the change is written', async () => {
    const live = await LiveGateway.open()
    const port = await freePort()
    const { id } = await live.add({ port, timers: { t5: 0.05 } })
    await live.gateway.equipment.connect(id, 0)
    await live.event(({ name }) => name === 'attempt_failed')
    const put = live.collection.put.bind(live.collection)
    live.collection.put = async (record) => {
      live.collection.put = put
      await put(record)
      await ScriptedEquipment.listen(port)
      await live.event(({ data }) => data['to'] === 'SELECTED')
    }
    await expect(live.gateway.equipment.update(id, { device_id: 3 })).rejects.toMatchObject({
      code: 'equipment_connected',
    })
    const expected = { connection_state: 'SELECTED', device_id: 0, revision: 1 }
    expect(await live.gateway.equipment.get(id)).toMatchObject(expected)
    expect(await live.collection.get(id)).toMatchObject({ device_id: 0, revision: 1 })
    expect((await live.events({ type: ['connection'] })).map(({ name }) => name)).not.toContain(
      'disconnected',
    )
  })

  test('of the wire is refused while TCP is up and nothing is selected', async () => {
    const live = await LiveGateway.open()
    const silent = await ScriptedEquipment.listen()
    silent.selectStatus = undefined
    const { id } = await live.add({ port: silent.port })
    await live.gateway.equipment.connect(id, 0)
    await live.event(({ data }) => data['to'] === 'NOT_SELECTED')
    await expect(live.gateway.equipment.update(id, { port: 1 })).rejects.toMatchObject({
      code: 'equipment_connected',
    })
  })

  test('of the wire takes effect at once while dialling, also for who waits in connect', async () => {
    const live = await LiveGateway.open()
    const equipment = await ScriptedEquipment.listen()
    const { id } = await live.add({ port: await freePort(), timers: { t5: 600 } })
    const connecting = live.gateway.equipment.connect(id, 60)
    await live.event(({ name }) => name === 'attempt_failed')
    await live.gateway.equipment.update(id, { port: equipment.port })
    expect(await connecting).toMatchObject({
      connection_state: 'SELECTED',
      communication_state: 'COMMUNICATING',
      port: equipment.port,
    })
  })

  test('of the wire takes effect at once while listening', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: await freePort(), mode: 'active' })
    await live.gateway.equipment.connect(id, 0)
    const port = await freePort()
    expect(await live.gateway.equipment.update(id, { port })).toMatchObject({
      connection_state: 'LISTENING',
      enabled: true,
      port,
    })
  })
})

describe('the list of equipment', () => {
  test('is whole, newest first, unless a limit is given', async () => {
    const { clock, equipment } = await registry()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      ids.push((await equipment.create({ ...ETCHER, name: `e${at}` })).id)
      if (at % 2 === 0) clock.advance(1)
    }
    const all = await equipment.list({})
    // Those of one instant, 1 and 2, 3 and 4, are in the order of their ids.
    const [first = '', ...pairs] = ids
    expect(all.items.map(({ id }) => id)).toEqual([
      ...pairs.slice(2).sort().reverse(),
      ...pairs.slice(0, 2).sort().reverse(),
      first,
    ])
    expect(all.next_cursor).toBeNull()
    const ascending = await equipment.list({ order: 'asc' })
    expect(ascending.items).toEqual([...all.items].reverse())
    for (const order of ['asc', 'desc'] as const) {
      const paged: string[] = []
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const page = await equipment.list({ order, limit: 2, ...(cursor !== undefined && { cursor }) })
        paged.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor
      }
      expect(paged).toEqual((order === 'asc' ? ascending : all).items.map(({ id }) => id))
    }
  })

  test('is narrowed by name and connection state, and a cursor belongs to its filters', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.connectScripted({ name: 'here' })
    await live.add({ name: 'there', port: 1 })
    const { equipment } = live.gateway
    const ids = async (query: Parameters<typeof equipment.list>[0]) =>
      (await equipment.list(query)).items.map((found) => found.id)
    expect(await ids({ name: 'here' })).toEqual([id])
    expect(await ids({ connection_state: 'SELECTED' })).toEqual([id])
    expect(await ids({ name: 'there', connection_state: 'SELECTED' })).toEqual([])
    expect(await ids({ health: 'ok' })).toEqual(await ids({ health: ['degraded', 'ok'] }))
    expect(await ids({ health: 'ok' })).toContain(id)
    expect(await ids({ health: ['degraded', 'failing'] })).toEqual([])
    const { next_cursor } = await equipment.list({ limit: 1 })
    for (const name of ['here', 'desc']) {
      const elsewhere = equipment.list({ limit: 1, name, cursor: next_cursor ?? '' })
      await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    await expect(equipment.list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })
})
