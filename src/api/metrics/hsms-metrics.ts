import type { Traffic, TrafficWay } from '../../contract/traffic.js'
import type { TrafficCounts } from '../../gateway/gateway.js'
import type { Metric, Sample } from './prometheus-text.js'

type Labels = Readonly<Record<string, string | number>>
/** Some counts of an equipment, each with what tells it from the others. */
type Counts = readonly (readonly [Labels, number])[]

/** What the gateway's HSMS drivers counted, by the name of the equipment. */
export function hsmsMetrics(counted: TrafficCounts): Metric[] {
  const all = counted.all()
  const metric = (
    type: Metric['type'],
    name: string,
    help: string,
    samplesOf: (traffic: Traffic) => readonly Sample[],
  ): Metric => ({
    name: `secsctl_hsms_${name}`,
    help,
    type,
    samples: all.flatMap(({ name: equipment, traffic }) =>
      samplesOf(traffic).map((sample) => ({ ...sample, labels: { equipment, ...sample.labels } })),
    ),
  })
  const counter = (name: string, help: string, countsOf: (traffic: Traffic) => Counts): Metric =>
    metric('counter', `${name}_total`, help, (traffic) =>
      countsOf(traffic).map(([labels, value]) => ({ labels, value })),
    )
  const { strangers, surplus } = counted.refused
  return [
    counter(
      'frames',
      'HSMS messages.',
      bothWays(({ frames }) => [[{}, frames]]),
    ),
    counter(
      'bytes',
      'Bytes of HSMS messages.',
      bothWays(({ bytes }) => [[{}, bytes]]),
    ),
    counter('messages', 'Data messages by stream and function.', bothWays(messageCounts)),
    counter(
      'control_messages',
      'Control messages by kind.',
      bothWays(({ control }) => control.map(({ name, count }) => [{ message: name }, count])),
    ),
    counter(
      'rejects',
      'Reject.req messages by reason code.',
      bothWays(({ rejects }) => rejects.map(({ reason, count }) => [{ reason }, count])),
    ),
    counter('timeouts', 'What ended because a timer did.', ({ timeouts }) =>
      timeouts.map(({ timer, count }) => [{ timer }, count]),
    ),
    counter('connects', 'TCP connections that were established.', ({ connects }) => [[{}, connects]]),
    counter('connection_losses', 'TCP connections that were lost.', ({ losses }) =>
      losses.map(({ code, count }) => [{ code }, count]),
    ),
    counter('failed_attempts', 'Attempts to connect that failed.', ({ attempts_failed }) => [
      [{}, attempts_failed],
    ]),
    metric('gauge', 'open_transactions', 'Primaries of the gateway that wait for a reply.', ({ open }) => [
      { labels: {}, value: open },
    ]),
    metric(
      'histogram',
      'round_trip_seconds',
      'Time from a primary of the gateway to its reply.',
      roundTripSamples,
    ),
    {
      name: 'secsctl_hsms_refused_connections_total',
      help: 'TCP connections closed at once: from an address that nobody awaits, or a second one.',
      type: 'counter',
      samples: [
        { labels: { reason: 'stranger' }, value: strangers },
        { labels: { reason: 'surplus' }, value: surplus },
      ],
    },
  ]
}

const bothWays =
  (countsOf: (way: TrafficWay) => Counts) =>
  (traffic: Traffic): Counts =>
    (['in', 'out'] as const).flatMap((direction) =>
      countsOf(traffic[direction]).map(([labels, value]) => [{ direction, ...labels }, value] as const),
    )

function messageCounts({ messages, other_messages }: TrafficWay): Counts {
  const counts: (readonly [Labels, number])[] = messages.map(({ stream, function: fn, frames }) => [
    { message: `S${stream}F${fn}` },
    frames,
  ])
  // There is no end to what a peer may send; there is one to what is told apart.
  if (other_messages.frames > 0) counts.push([{ message: 'other' }, other_messages.frames])
  return counts
}

const roundTripSamples = ({ round_trip: { buckets, sum, count } }: Traffic): Sample[] => [
  ...buckets.map(({ le, count: value }) => ({ suffix: '_bucket', labels: { le: le ?? '+Inf' }, value })),
  { suffix: '_sum', labels: {}, value: sum },
  { suffix: '_count', labels: {}, value: count },
]
