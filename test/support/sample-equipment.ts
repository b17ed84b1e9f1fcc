import type { Equipment } from '../../src/contract/equipment.js'
import { DEFAULT_TIMERS } from '../../src/contract/equipment.js'

/** An equipment record as the API answers it. */
export const sampleEquipment = (change: Partial<Equipment> = {}): Equipment => ({
  id: 'eq_7f3k2m9qta',
  name: 'etcher',
  ip_address: '10.0.0.5',
  port: 5000,
  mode: 'passive',
  device_id: 0,
  session_id: 65535,
  gateway_role: 'active',
  enabled: true,
  connection_state: 'SELECTED',
  communication_state: 'COMMUNICATING',
  control_state: 'ONLINE_REMOTE',
  health: 'ok',
  health_reason: null,
  responsiveness: { last_reply_at: null, p99_ms: null, t3_timeouts: 0, t6_timeouts: 0 },
  connected_since: '2026-03-01T08:00:00.000Z',
  retry_at: null,
  last_error: null,
  model: { mdln: 'ETCHER', softrev: '1.0' },
  timers: DEFAULT_TIMERS,
  linktest_mode: 'always',
  gem_startup: true,
  item_formats: {},
  text_encoding: 'latin1',
  revision: 1,
  created_at: '2026-03-01T07:00:00.000Z',
  updated_at: '2026-03-01T07:00:00.000Z',
  ...change,
})
