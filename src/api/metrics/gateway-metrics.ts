import type { Equipment } from '../../contract/equipment.js'
import type { Activity } from '../../gateway/gateway.js'
import type { Metric, Sample } from './prometheus-text.js'

/** For every equipment, by name, whether it is wanted, whether it is there, and its three states. */
export function equipmentMetrics(records: readonly Equipment[]): Metric[] {
  const holding = (name: string, help: string, holds: (record: Equipment) => boolean): Metric => ({
    name: `secsctl_equipment_${name}`,
    help,
    type: 'gauge',
    samples: records.map((record) => ({
      labels: { equipment: record.name },
      value: holds(record) ? 1 : 0,
    })),
  })
  const state = (
    name: 'connection_state' | 'communication_state' | 'control_state' | 'health',
    help = '1 for the state that it is in; there is no sample for the others.',
  ): Metric => ({
    name: `secsctl_equipment_${name}`,
    help,
    type: 'gauge',
    samples: records.map((record) => ({
      labels: { equipment: record.name, state: record[name] },
      value: 1,
    })),
  })
  return [
    holding('enabled', '1 where it is wanted to be connected.', ({ enabled }) => enabled),
    holding(
      'communicating',
      '1 where messages can be exchanged with it.',
      ({ communication_state }) => communication_state === 'COMMUNICATING',
    ),
    state('connection_state'),
    state('communication_state'),
    state('control_state'),
    state('health', '1 for ok, degraded or failing; there is no sample for the others.'),
    {
      name: 'secsctl_equipment_last_reply_timestamp_seconds',
      help: 'When it last replied to a primary of the gateway, in seconds since 1970.',
      type: 'gauge',
      samples: records.flatMap(({ name: equipment, responsiveness: { last_reply_at } }) =>
        last_reply_at === null ? [] : [{ labels: { equipment }, value: Date.parse(last_reply_at) / 1000 }],
      ),
    },
  ]
}

/** What was recorded since the gateway started, and how far the disk is behind. */
export function activityMetrics(activity: Activity): Metric[] {
  const { lag, waiting, last } = activity.journal
  const all = activity.equipment()
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `secsctl_journal_${name}`,
    help,
    type: 'gauge',
    samples: [{ labels: {}, value }],
  })
  return [
    gauge('lag_seconds', 'How long the oldest record that is not on disk yet has waited.', lag / 1000),
    gauge('waiting', 'Appends that are not on disk yet.', waiting),
    gauge('last_event', 'The id of the newest event.', last),
    {
      name: 'secsctl_messages_total',
      help: 'Messages recorded.',
      type: 'counter',
      samples: all.flatMap(({ name: equipment, sent, received }): Sample[] => [
        { labels: { equipment, direction: 'sent' }, value: sent },
        { labels: { equipment, direction: 'received' }, value: received },
      ]),
    },
    {
      name: 'secsctl_transactions_total',
      help: 'Primaries of the gateway by what became of them.',
      type: 'counter',
      samples: all.flatMap(({ name: equipment, outcomes }) =>
        outcomes.map(([outcome, value]) => ({ labels: { equipment, outcome }, value })),
      ),
    },
  ]
}
