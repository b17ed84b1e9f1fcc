import { expect, test } from 'vitest'
import { hsmsSettingsOf } from '../../../src/gateway/link/session-settings.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'

const AT = '2026-01-01T00:00:00.000Z'
const GIVEN = { name: 'etcher', ip_address: '10.0.0.5', port: 5000 }

test('an equipment that listens is dialled, by its own values', () => {
  const record = newEquipmentRecord(
    'eq_1',
    { ...GIVEN, device_id: 3, session_id: 4, timers: { t3: 1.5, linktest: 0 }, linktest_mode: 'idle' },
    AT,
  )
  expect(hsmsSettingsOf(record, '0.0.0.0')).toMatchObject({
    role: 'active',
    host: '10.0.0.5',
    port: 5000,
    deviceId: 3,
    controlSessionId: 4,
    timers: { t3: 1_500, t5: 10_000, linktest: 0 },
    linktestMode: 'idle',
  })
})

test('an equipment that dials in is awaited at our address, from its own alone', () => {
  const settings = hsmsSettingsOf(newEquipmentRecord('eq_1', { ...GIVEN, mode: 'active' }, AT), '0.0.0.0')
  expect(settings).toMatchObject({ role: 'passive', host: '0.0.0.0', port: 5000, peer: '10.0.0.5' })
  expect(settings).toMatchObject({ controlSessionId: 0xffff, linktestMode: 'always' })
})

test.each([
  [{ session_id: 7 }, 7, 7],
  [{ session_id: 32_767 }, 32_767, 32_767],
  [{ session_id: 32_768 }, 0, 32_768],
  [{ session_id: 7, device_id: 0 }, 0, 7],
  [{}, 0, 0xffff],
])('the device ID of %j is %i', (given, deviceId, controlSessionId) => {
  const record = newEquipmentRecord('eq_1', { ...GIVEN, ...given }, AT)
  expect(hsmsSettingsOf(record, '0.0.0.0')).toMatchObject({ deviceId, controlSessionId })
})
