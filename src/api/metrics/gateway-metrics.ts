import type { Equipment } from '../../contract/equipment.js'
import type { Labels as EquipmentLabels } from '../../contract/selector.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import type { AlarmCounts } from '../../gateway/alarms/alarm-occurrences.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { type Metric, metric, type Sample, samplesOf, single } from './prometheus-text.js'

const ONE_STATE = '1 for the state that it is in; there is no sample for the others.'

/** Labels with names that Prometheus takes; keys that would have the same name get a number, as in kube-state-metrics. */
function metricLabels(labels: EquipmentLabels): Record<string, string> {
  const byName = new Map<string, string[]>()
  for (const key of Object.keys(labels).sort()) {
    const name = `label_${key.replace(/\W/g, '_')}`
    byName.set(name, [...(byName.get(name) ?? []), labels[key] ?? ''])
  }
  const named = [...byName].flatMap(([name, values]) =>
    values.map((value, at) => [values.length === 1 ? name : `${name}_conflict${at + 1}`, value] as const),
  )
  return Object.fromEntries(named)
}

const NO_ALARMS = { active: 0, unacknowledged: 0 }

/**
 * For each equipment, by name: its labels, its desired state, whether messages can be exchanged, its states, and its
 * open alarms, which are given by its id.
 */
export function equipmentMetrics(
  records: readonly Equipment[],
  alarms: ReadonlyMap<string, AlarmCounts> = new Map(),
): Metric[] {
  const gauge = (name: string, help: string, sample: (record: Equipment) => Sample): Metric =>
    metric(
      'gauge',
      `equipment_${name}`,
      help,
      samplesOf(records, (record) => [sample(record)]),
    )
  const holds = (name: string, help: string, of: (record: Equipment) => boolean): Metric =>
    gauge(name, help, (record) => [{ equipment: record.name }, of(record) ? 1 : 0])
  const state = (
    name: 'connection_state' | 'communication_state' | 'control_state' | 'health',
    help = ONE_STATE,
  ): Metric => gauge(name, help, (record) => [{ equipment: record.name, state: record[name] }, 1])
  const alarmCount = (name: string, help: string, member: 'active' | 'unacknowledged'): Metric =>
    gauge(name, help, ({ id, name: equipment }) => [{ equipment }, (alarms.get(id) ?? NO_ALARMS)[member]])
  return [
    gauge(
      'labels',
      'Always 1. The labels of the equipment, each as label_KEY: for a join with other metrics by `equipment`.',
      (record) => [{ equipment: record.name, ...metricLabels(record.labels) }, 1],
    ),
    holds('enabled', '1 where it is wanted to be connected.', ({ enabled }) => enabled),
    holds(
      'communicating',
      '1 where messages can be exchanged with it.',
      ({ communication_state }) => communication_state === 'COMMUNICATING',
    ),
    state('connection_state'),
    state('communication_state'),
    state('control_state'),
    ...tapMetrics(records),
    alarmCount('active_alarms', 'Alarms that are set.', 'active'),
    alarmCount(
      'unacknowledged_alarms',
      'Alarms, set or cleared, that nobody has acknowledged.',
      'unacknowledged',
    ),
    state('health', '1 for ok, degraded or failing; there is no sample for the others.'),
    metric(
      'gauge',
      'equipment_last_reply_timestamp_seconds',
      'When it last replied to a primary of the gateway, in seconds since 1970.',
      samplesOf(records, ({ name: equipment, responsiveness: { last_reply_at } }) =>
        last_reply_at === null ? [] : [[{ equipment }, Date.parse(last_reply_at) / 1000]],
      ),
    ),
  ]
}

/** For each equipment with a tap, by name: how its link stands. */
function tapMetrics(records: readonly Equipment[]): Metric[] {
  const tapped = records.filter(({ tap }) => tap !== null)
  return [
    metric(
      'gauge',
      'tap_connected',
      '1 where equipment with a tap and its own host are both connected.',
      tapped.map(({ name: equipment, tap_link }) => [{ equipment }, tap_link?.state === 'connected' ? 1 : 0]),
    ),
    metric(
      'gauge',
      'tap_state',
      ONE_STATE,
      tapped.map(({ name: equipment, tap_link }) => [{ equipment, state: tap_link?.state ?? 'closed' }, 1]),
    ),
  ]
}

/** For each sink, by name: what it has delivered, and what not yet. */
export function sinkMetrics(sinks: readonly Sink[]): Metric[] {
  const of = (type: 'gauge' | 'counter', name: string, help: string, value: (sink: Sink) => number): Metric =>
    metric(
      type,
      `sink_${name}`,
      help,
      sinks.map((one): Sample => [{ sink: one.name, kind: one.kind }, value(one)]),
    )
  return [
    of('gauge', 'active', '1 where it delivers; 0 where it fails, is blocked or paused.', ({ state }) =>
      state === 'active' ? 1 : 0,
    ),
    of('gauge', 'lag_entries', 'Entries of the journal that it has not finished.', (one) => one.lag_entries),
    of('gauge', 'lag_seconds', 'Age of the oldest entry that it has not finished.', (one) => one.lag_seconds),
    of('gauge', 'dead_letters', 'Messages that its target rejected.', ({ dead }) => dead),
    of('counter', 'delivered_total', 'Messages delivered since the start.', ({ delivered }) => delivered),
  ]
}

/** What was recorded since the gateway started, and how much waits for the disk. */
export function activityMetrics(activity: Gateway['activity']): Metric[] {
  const { lag, waiting, last } = activity.journal
  const all = activity.equipment()
  return [
    single(
      'gauge',
      'journal_lag_seconds',
      'How long the oldest record that is not on disk yet has waited.',
      lag / 1000,
    ),
    single('gauge', 'journal_waiting', 'Appends that are not on disk yet.', waiting),
    single('gauge', 'journal_last_event', 'The id of the newest event.', last),
    metric(
      'counter',
      'messages_total',
      'Messages recorded.',
      samplesOf(all, ({ name: equipment, sent, received }) => [
        [{ equipment, direction: 'sent' }, sent],
        [{ equipment, direction: 'received' }, received],
      ]),
    ),
    metric(
      'gauge',
      'equipment_last_message_timestamp_seconds',
      'When the last message of the equipment was received, in seconds since 1970. No sample before the first since the start.',
      samplesOf(all, ({ name: equipment, lastReceivedAt }) =>
        lastReceivedAt === null ? [] : [[{ equipment }, Date.parse(lastReceivedAt) / 1000]],
      ),
    ),
    metric(
      'counter',
      'transactions_total',
      'Primaries of the gateway by what became of them.',
      samplesOf(all, ({ name: equipment, outcomes }) =>
        outcomes.map(([outcome, value]): Sample => [{ equipment, outcome }, value]),
      ),
    ),
  ]
}
