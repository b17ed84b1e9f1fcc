import { expect, test } from 'vitest'
import { addressFault } from '../../../src/gateway/records/equipment-address.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { IpNetworks } from '../../../src/kit/ip-networks.js'
import { LiveGateway, startSimulator } from '../../support/live-gateway.js'
import { openTestGateway } from '../../support/test-gateway.js'

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '169.254.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  'fe80::1',
  'ff02::1',
  '::ffff:169.254.169.254',
  '::ffff:0.0.0.0',
  '::ffff:e000:1',
])('%s cannot be equipment', (address) => {
  expect(addressFault(address)).toContain('cannot be equipment')
  expect(addressFault(address, new IpNetworks(['0.0.0.0/0', '::/0']))).toContain('cannot be equipment')
})

test.each(['127.0.0.1', '10.0.0.5', '192.168.1.1', '223.255.255.255', '169.253.1.1', '::1', '2001:db8::1'])(
  '%s may be equipment',
  (address) => {
    expect(addressFault(address)).toBeUndefined()
  },
)

test('where networks are permitted, equipment is in them alone', () => {
  const permitted = new IpNetworks(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'])
  for (const address of ['10.1.255.255', '192.0.2.7', '::ffff:10.1.0.1', '2001:db8::9']) {
    expect(addressFault(address, permitted)).toBeUndefined()
  }
  for (const address of ['10.2.0.0', '192.0.2.8', '127.0.0.1', '::ffff:10.2.0.1', 'tool.example', '']) {
    expect(addressFault(address, permitted)).toContain('is not in the networks')
  }
})

test.each(['', '10.1.0.0/33', '10.1/16', '10.1.0.0/-1', '10.1.0.0/16/8', 'tool', '10.1.0.0/', '::/129'])(
  '%j is no network',
  (network) => {
    expect(() => new IpNetworks([network])).toThrow('is neither an address nor a network')
  },
)

test('an address that cannot be equipment is refused when equipment is created or moved', async () => {
  const live = await LiveGateway.open()
  const refusal = { code: 'invalid_request', extra: { errors: [{ pointer: '/ip_address' }] } }
  await expect(live.add({ port: 5000, ip_address: '169.254.169.254' })).rejects.toMatchObject(refusal)
  const { id } = await live.add({ port: 5000 })
  const { equipment } = live.gateway
  await expect(equipment.update(id, { ip_address: '224.0.0.1' })).rejects.toMatchObject(refusal)
  expect((await equipment.get(id)).ip_address).toBe('127.0.0.1')
})

test('a record whose address is not permitted any more is not dialled, and says why', async () => {
  const live = await LiveGateway.open()
  const simulator = await startSimulator()
  const given = { name: 'old', ip_address: '127.0.0.1', port: simulator.port, gem_startup: false }
  const old = { ...newEquipmentRecord('eq_old', given, '2026-01-01T00:00:00.000Z'), enabled: true }
  await live.collection.put(old)
  const gateway = await openTestGateway({
    store: live.store,
    equipmentNetworks: new IpNetworks(['10.1.0.0/16']),
  })
  try {
    await gateway.equipment.disconnect('eq_old')
    const record = await gateway.equipment.connect('eq_old', 0.3)
    expect(record).toMatchObject({
      connection_state: 'NOT_CONNECTED',
      enabled: true,
      last_error: { detail: expect.stringContaining('is not in the networks') },
    })
    // Said beside the faults of other members, but not of an address that equipment has.
    const at = (given: object) => gateway.equipment.memberFaults(given).map(({ pointer }) => pointer)
    const faulty = { text_encoding: 'klingon' }
    expect(at({ ...faulty, ip_address: '10.2.0.5' })).toEqual(['/ip_address', '/text_encoding'])
    expect(at({ ...faulty, ip_address: '224.0.0.1' })).toEqual(['/ip_address', '/text_encoding'])
    for (const address of ['127.0.0.1', '10.1.0.5', '224', 7, undefined])
      expect(at({ ...faulty, ip_address: address })).toEqual(['/text_encoding'])
    // Other members can still be changed.
    expect(await gateway.equipment.update('eq_old', { ...given, name: 'new' })).toMatchObject({ name: 'new' })
  } finally {
    await gateway.close()
  }
})
