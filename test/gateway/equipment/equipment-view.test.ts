import { expect, test } from 'vitest'
import { EquipmentHealth } from '../../../src/gateway/equipment/equipment-health.js'
import { viewEquipment } from '../../../src/gateway/equipment/equipment-view.js'
import { LockState } from '../../../src/gateway/equipment/lock-state.js'
import { newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { ManualClock } from '../../support/manual-clock.js'

const record = (given: object = {}) =>
  newEquipmentRecord('eq', { name: 'etcher', ip_address: '10.0.0.1', port: 5000, ...given } as never, 'then')

/** An equipment whose session is in this state. */
function seen(session: object = {}, given: object = {}) {
  const clock = new ManualClock()
  const host = { communicationState: 'COMMUNICATING', controlState: 'ONLINE_LOCAL', model: null }
  return {
    record: { ...record(given), enabled: true },
    session: {
      host,
      connectionState: 'SELECTED',
      ready: true,
      lastError: null,
      connectedSince: 's',
      retryAt: null,
      ...session,
    },
    health: new EquipmentHealth(clock),
    lock: new LockState(clock, undefined),
    node: 'node-1',
  } as never as Parameters<typeof viewEquipment>[0] & {
    record: ReturnType<typeof record>
    health: EquipmentHealth
  }
}

test('equipment is its record, with the state of its session', () => {
  const one = seen()
  const { item_formats, text_encoding, timers } = one.record
  expect(viewEquipment(one)).toMatchObject({
    ...{ id: 'eq', name: 'etcher', ip_address: '10.0.0.1', port: 5000, serial_port: null, mode: 'passive' },
    ...{
      item_formats,
      text_encoding,
      timers,
      labels: {},
      revision: 1,
      created_at: 'then',
      updated_at: 'then',
    },
    ...{ enabled: true, connection_state: 'SELECTED', communication_state: 'COMMUNICATING' },
    ...{ control_state: 'ONLINE_LOCAL', health: 'ok', health_reason: null, connected_since: 's' },
    ...{ retry_at: null, last_error: null, lock: null, node: 'node-1', model: null },
  })
})

test.each([
  [{}, 'active'],
  [{ mode: 'active' }, 'passive'],
  [{ mode: 'active', transport: 'secs1-serial', serial_port: '/dev/ttyS0' }, 'active'],
])('of equipment with %j the gateway is %s', (given, role) => {
  expect(viewEquipment(seen({}, given)).gateway_role).toBe(role)
})

test('health follows the session, T3 and slow_reply of the record', () => {
  const away = {
    ready: false,
    connectionState: 'CONNECTING',
    lastError: { code: 't7', detail: 'refused', at: '' },
  }
  expect(viewEquipment(seen(away))).toMatchObject({ health: 'failing', last_error: { detail: 'refused' } })
  const slow = seen({}, { timers: { t3: 10, slow_reply: 1 } })
  slow.health.replied(900)
  expect(viewEquipment(slow).health).toBe('ok')
  slow.health.replied(1100)
  slow.health.replied(1100)
  expect(viewEquipment(slow).health_reason).toContain('slow_reply is 1000 ms')
  slow.health.replied(5100)
  expect(viewEquipment(slow).health_reason).toContain('T3 is 10000 ms')
})

test('it is the same object until something in it changes, also what another process has published', () => {
  const one = seen()
  const view = viewEquipment(one)
  expect(viewEquipment(one)).toBe(view)
  const published = { connection_state: 'NOT_CONNECTED', health: 'failing', name: 'old', revision: 0 }
  const elsewhere = viewEquipment(one, published)
  expect(elsewhere).toMatchObject({ connection_state: 'NOT_CONNECTED', health: 'failing' })
  expect(elsewhere).toMatchObject({ name: 'etcher', revision: 1, control_state: 'ONLINE_LOCAL' })
  expect(viewEquipment(one, published)).toBe(elsewhere)
  expect(viewEquipment(one)).not.toBe(elsewhere)
})
