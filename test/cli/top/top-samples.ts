import { beginning, type News, type TopState, withNews } from '../../../src/cli/top/top-state.js'
import type { AlarmsOf } from '../../../src/client/site/alarm-counts.js'
import type { Equipment } from '../../../src/contract/equipment.js'
import type { Alarm } from '../../../src/contract/topics/alarms.js'
import type { Event } from '../../../src/contract/topics/events.js'
import type { Traffic } from '../../../src/contract/topics/traffic.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { NO_LINE } from '../../support/served-gateway.js'

export const NOW = new Date('2026-03-01T08:10:00.000Z')

export const etcher = sampleEquipment()
export const coater = sampleEquipment({
  id: 'eq_coater0000',
  name: 'coater',
  connection_state: 'CONNECTING',
  communication_state: 'NOT_COMMUNICATING',
  control_state: 'UNKNOWN',
  health: 'failing',
  health_reason: 'CONNECTING: nothing listens there',
  connected_since: null,
  last_error: { code: 'connection_refused', detail: 'nothing listens there', at: '2026-03-01T08:00:00.000Z' },
})

export const alarmOf = (change: Partial<Alarm> = {}): Alarm => ({
  id: '7',
  equipment_id: etcher.id,
  equipment_name: 'etcher',
  alid: '42',
  text: 'Chamber pressure high',
  category: 1,
  category_text: 'Personal safety',
  severity: 'personal_safety',
  active: true,
  set_at: '2026-03-01T08:05:00.000Z',
  cleared_at: null,
  count: 1,
  acknowledged: false,
  acknowledged_by: null,
  acknowledged_at: null,
  comment: null,
  shelved: null,
  ...change,
})

export const eventOf = (change: Partial<Event> = {}): Event => ({
  id: '9',
  type: 'connection',
  name: 'selected',
  equipment_id: etcher.id,
  equipment_name: 'etcher',
  at: '2026-03-01T08:06:00.000Z',
  data: { from: 'NOT_SELECTED', to: 'SELECTED', cause: 'Select.rsp' },
  ...change,
})

const way = (frames: number) => ({
  ...{ frames, bytes: 20 * frames, messages: [], other_messages: { frames: 0, bytes: 0 } },
  ...{ control: [], unknown: 0, rejects: [] },
})

/** Traffic after so many messages each way. */
export const trafficOf = (into: number, out: number, since = '2026-03-01T07:00:00.000Z'): Traffic => ({
  since,
  in: way(into),
  out: way(out),
  timeouts: [{ timer: 't3', count: 2 }],
  line: NO_LINE,
  connects: 1,
  losses: [],
  attempts_failed: 0,
  unrecorded: 0,
  refused: { stranger: 0, in_use: 0 },
  round_trip: { count: 0, sum: 0, buckets: [] },
  open: 0,
})

/** The news of these equipments and these open alarms. */
export const site = (equipment: readonly Equipment[], alarms: readonly Alarm[] = [alarmOf()]): News => ({
  kind: 'site',
  equipment: new Map(equipment.map((one) => [one.id, one])),
  counts: new Map(equipment.map(({ id }) => [id, countsOf(alarms.filter((one) => one.equipment_id === id))])),
  alarms,
})

const countsOf = (alarms: readonly Alarm[]): AlarmsOf => ({
  active: alarms.filter(({ active }) => active).length,
  unacknowledged: alarms.filter(({ acknowledged }) => !acknowledged).length,
  shelved: 0,
  worst: undefined,
})

/** A screen that has been told so much. */
export const stateOf = (...news: readonly News[]): TopState =>
  news.reduce(withNews, beginning('http://gateway.example', NOW))

/** Two equipments, of which one has an alarm and has been heard for two looks. */
export const SAMPLE = stateOf(
  site([etcher, coater]),
  { kind: 'past_events', events: [eventOf()] },
  { kind: 'traffic', id: etcher.id, traffic: trafficOf(0, 0), at: 1000 },
  { kind: 'traffic', id: etcher.id, traffic: trafficOf(10, 20), at: 3000 },
)
