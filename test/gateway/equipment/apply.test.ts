import { describe, expect, test } from 'vitest'
import type { EquipmentEntry } from '../../../src/contract/equipment.js'
import { Problem } from '../../../src/contract/errors.js'
import { matchesSelector, parseSelector } from '../../../src/contract/selector.js'
import type { ApplyOptions } from '../../../src/gateway/equipment/registry.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'

const ETCHER = { name: 'etcher', ip_address: '192.0.2.5', port: 5000, labels: { area: 'etch', bay: '3' } }
const ME = { id: 'usr_me' }

async function opened() {
  const live = await LiveGateway.open({ clock: new ManualClock() })
  const { equipment } = live.gateway
  const apply = (entries: readonly EquipmentEntry[], options: Partial<ApplyOptions> = {}) =>
    equipment.apply(entries, { dryRun: false, caller: ME, ...options })
  const names = async () => (await equipment.list({})).items.map(({ name, port }) => `${name}:${port}`).sort()
  return { live, equipment, apply, names }
}

const NEW = { name: 'new', ip_address: '192.0.2.9', port: 5009 }

describe('a list of equipment that is applied', () => {
  test('registers what is new, changes what differs, and leaves the rest', async () => {
    const { equipment, apply } = await opened()
    const etcher = await equipment.create({ ...ETCHER, item_formats: { SVID: 'U2' } })
    await equipment.create({ ...ETCHER, name: 'coater', port: 5001 })
    const entries = [
      NEW,
      { name: 'etcher', port: 5007, labels: { bay: '4', extra: '' }, timers: { t3: 60 }, item_formats: {} },
      { name: 'coater', port: 5001 },
    ]
    const dry = await apply(entries, { dryRun: true })
    expect(dry.changes[0]).toMatchObject({ change: 'add', equipment: 'new', equipment_id: null })
    expect((await equipment.list({})).items).toHaveLength(2)
    const applied = await apply(entries)
    expect(applied).toMatchObject({
      dry_run: false,
      changes: [
        { change: 'add', equipment: 'new' },
        {
          change: 'change',
          equipment_id: etcher.id,
          members: [
            { member: 'port', before: 5000, after: 5007 },
            { member: 'labels.area', before: 'etch', after: null },
            { member: 'labels.bay', before: '3', after: '4' },
            { member: 'labels.extra', before: null, after: '' },
            { member: 'timers.t3', before: 45, after: 60 },
            { member: 'item_formats.SVID', before: 'U2', after: null },
          ],
        },
      ],
    })
    expect(await equipment.get(etcher.id)).toMatchObject({
      port: 5007,
      labels: { bay: '4', extra: '' },
      timers: { t3: 60, t5: 10 },
      item_formats: {},
      revision: 2,
    })
    expect(await equipment.get(applied.changes[0]?.equipment_id ?? '')).toMatchObject({
      ...NEW,
      enabled: false,
    })
    expect((await apply(entries)).changes).toEqual([])
  })

  test('may be at a serial port, which has no address, and come back to the network', async () => {
    const { equipment, apply } = await opened()
    const line = { name: 'line', transport: 'secs1-serial', serial_port: '/dev/ttyS7' } as const
    const [added] = (await apply([line])).changes
    const id = added?.equipment_id ?? ''
    expect(await equipment.get(id)).toMatchObject({ ...line, ip_address: null, port: null })
    expect((await apply([{ ...line, ip_address: null, port: null }])).changes).toEqual([])
    await expect(apply([{ name: 'line', port: 5000 }])).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/equipment/0/port' }] },
    })
    const hsms = { name: 'line', transport: 'hsms', ip_address: '192.0.2.9', port: 5009 } as const
    await apply([hsms])
    expect(await equipment.get(id)).toMatchObject({ ...hsms, serial_port: null })
    await apply([line])
    expect(await equipment.get(id)).toMatchObject({ ...line, ip_address: null, port: null })
  })

  test.each([
    [
      'an address that no equipment has',
      { ...NEW, ip_address: '0.0.0.0' },
      'invalid_request',
      '/equipment/1/ip_address',
    ],
    ['no address', { name: 'x', port: 1 }, 'invalid_request', '/equipment/1/ip_address'],
    [
      'an encoding that is not known',
      { ...NEW, text_encoding: 'nope' },
      'invalid_request',
      '/equipment/1/text_encoding',
    ],
    ['a name twice', { ...ETCHER, port: 5055 }, 'invalid_request', '/equipment/1/name'],
    [
      'the address of other equipment that dials in',
      { ...NEW, ip_address: '192.0.2.7', port: 5070, mode: 'active' as const },
      'equipment_address_taken',
      '/equipment/1/port',
    ],
    ['locked equipment', { name: 'locked', port: 5071 }, 'equipment_locked', '/equipment/1'],
  ])('with %s changes nothing, and a dry run says the same', async (_, entry, code, pointer) => {
    const { equipment, apply, names } = await opened()
    await equipment.create({ name: 'there', ip_address: '192.0.2.7', port: 5070, mode: 'active' })
    const { id } = await equipment.create({ name: 'locked', ip_address: '192.0.2.8', port: 5000 })
    await equipment.lock(id, { id: 'usr_other', email: 'o@fab.example' } as never, {
      for_seconds: 60,
      reason: 'x',
    })
    const before = await names()
    for (const dryRun of [true, false]) {
      const problem = await apply([ETCHER, entry, { ...NEW, name: 'last', port: 5100 }], { dryRun }).catch(
        (error: Problem) => error,
      )
      expect(problem).toMatchObject({ code, extra: { errors: [{ pointer }] } })
    }
    expect(await names()).toEqual(before)
  })

  test('names every fault, and has the code of a state where one is about it', async () => {
    const { equipment, apply } = await opened()
    await equipment.create({ name: 'there', ip_address: '192.0.2.7', port: 5070, mode: 'active' })
    const twins = [
      { name: 'a', ip_address: '192.0.2.7', port: 5070, mode: 'active' as const },
      { name: 'b', ip_address: '192.0.2.7', port: 5080, mode: 'active' as const },
      { name: 'c', ip_address: '192.0.2.7', port: 5080, mode: 'active' as const },
      { name: 'd', ip_address: '0.0.0.0', port: 5000 },
    ]
    await expect(apply(twins)).rejects.toMatchObject({
      code: 'equipment_address_taken',
      extra: {
        errors: [
          { pointer: '/equipment/0/port' },
          { pointer: '/equipment/2/port' },
          { pointer: '/equipment/3/ip_address' },
        ],
      },
    })
  })

  test('lets two pieces of equipment exchange their addresses', async () => {
    const { equipment, apply, names } = await opened()
    const active = { ip_address: '192.0.2.7', mode: 'active' as const }
    await equipment.create({ ...active, name: 'a', port: 5001 })
    await equipment.create({ ...active, name: 'b', port: 5002 })
    await apply([
      { name: 'a', port: 5002 },
      { name: 'b', port: 5001 },
    ])
    expect(await names()).toEqual(['a:5002', 'b:5001'])
  })

  test('of a caller who is restricted changes nothing out of reach', async () => {
    const { equipment, apply } = await opened()
    await equipment.create(ETCHER)
    const selector = parseSelector('area=litho')
    const options = {
      reaches: (id: string) => matchesSelector(selector, equipment.labels.of(id) ?? {}),
      mayHave: (labels: Readonly<Record<string, string>>) => {
        if (!matchesSelector(selector, labels)) throw new Problem('forbidden', 'out of reach')
      },
    }
    await expect(apply([{ ...ETCHER, port: 5009 }], options)).rejects.toMatchObject({
      code: 'equipment_name_taken',
    })
    await expect(apply([NEW], options)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await apply([{ ...NEW, labels: { area: 'litho' } }], options)).changes).toHaveLength(1)
  })

  test('does not lose a change that is made at the same time', async () => {
    const { equipment, apply } = await opened()
    const { id } = await equipment.create(ETCHER)
    await Promise.all([
      equipment.update(id, { labels: { bay: '9' } }),
      apply([{ name: 'etcher', port: 5001 }]),
      equipment.connect(id, 0),
      apply([{ name: 'etcher', text_encoding: 'utf-8' }, NEW]),
    ])
    expect(await equipment.get(id)).toMatchObject({
      labels: { area: 'etch', bay: '9' },
      port: 5001,
      text_encoding: 'utf-8',
      enabled: true,
    })
  })

  test('is in the store altogether or not at all', async () => {
    const { live, equipment, apply, names } = await opened()
    await equipment.create(ETCHER)
    const collection = equipment.collection as unknown as { failure: Error | undefined }
    collection.failure = new Error('the disk is full')
    await expect(apply([{ name: 'etcher', port: 5001 }, NEW])).rejects.toThrow('the disk is full')
    expect(await names()).toEqual(['etcher:5000'])
    expect(await live.gateway.equipment.collection.all()).toHaveLength(1)
  })
})
