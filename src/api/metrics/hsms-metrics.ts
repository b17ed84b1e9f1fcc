import type { Traffic, TrafficWay } from '../../contract/topics/traffic.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { type Metric, metric, type Sample, samplesOf } from './prometheus-text.js'

type Counted = Awaited<ReturnType<Gateway['traffic']['all']>>

/** Makes metrics of the traffic of each equipment, with its name as a label. */
function metricsOf(all: Counted) {
  const each = (
    type: Metric['type'],
    name: string,
    help: string,
    of: (traffic: Traffic) => readonly Sample[],
  ): Metric =>
    metric(
      type,
      `hsms_${name}`,
      help,
      samplesOf(all, ({ name: equipment, traffic }) =>
        of(traffic).map(([labels, ...value]): Sample => [{ equipment, ...labels }, ...value]),
      ),
    )
  const counter = (name: string, help: string, of: (traffic: Traffic) => readonly Sample[]): Metric =>
    each('counter', `${name}_total`, help, of)
  const bothWays = (name: string, help: string, of: (way: TrafficWay) => readonly Sample[]): Metric =>
    counter(name, help, (traffic) =>
      (['in', 'out'] as const).flatMap((direction) =>
        of(traffic[direction]).map(([labels, value]): Sample => [{ direction, ...labels }, value]),
      ),
    )
  return { each, counter, bothWays }
}

/** What the gateway's HSMS drivers counted, by the name of the equipment. */
export function hsmsMetrics(counted: Counted, ports: Gateway['traffic']['ports']): Metric[] {
  const { each, counter, bothWays } = metricsOf(counted)
  return [
    bothWays('frames', 'HSMS messages.', ({ frames }) => [[{}, frames]]),
    bothWays('bytes', 'Bytes of HSMS messages.', ({ bytes }) => [[{}, bytes]]),
    bothWays('messages', 'Data messages by stream and function.', ({ messages, other_messages: other }) => [
      ...messages.map(
        ({ stream, function: fn, frames }): Sample => [{ message: `S${stream}F${fn}` }, frames],
      ),
      // A peer may send any number of kinds; the first ones are counted each on its own.
      ...(other.frames > 0 ? [[{ message: 'other' }, other.frames] as const] : []),
    ]),
    bothWays('control_messages', 'Control messages by kind.', ({ control }) =>
      control.map(({ name, count }) => [{ message: name }, count]),
    ),
    bothWays('rejects', 'Reject.req messages by reason code.', ({ rejects }) =>
      rejects.map(({ reason, count }) => [{ reason }, count]),
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
    counter(
      'unrecorded_messages',
      'Messages that passed through a tap and were not recorded.',
      ({ unrecorded }) => [[{}, unrecorded]],
    ),
    counter(
      'tap_refused_connections',
      'Connections to a tap that were refused: from another address than that of the host, or while the connection was taken.',
      ({ refused }) => Object.entries(refused).map(([reason, count]): Sample => [{ reason }, count]),
    ),
    each('gauge', 'open_transactions', 'Primaries of the gateway that wait for a reply.', ({ open }) => [
      [{}, open],
    ]),
    each(
      'histogram',
      'round_trip_seconds',
      'Time from a primary of the gateway to its reply.',
      ({ round_trip: { buckets, sum, count } }) => [
        ...buckets.map(({ le, count: value }): Sample => [{ le: le ?? '+Inf' }, value, '_bucket']),
        [{}, sum, '_sum'],
        [{}, count, '_count'],
      ],
    ),
    ...portMetrics(ports),
  ]
}

/** Connections that belong to no equipment here. */
function portMetrics({ refused, forwardedConnections }: Gateway['traffic']['ports']): Metric[] {
  const { strangers, surplus, headers, unowned } = refused
  return [
    metric(
      'counter',
      'hsms_refused_connections_total',
      'TCP connections closed at once: from an address that nobody awaits, a second one, with a wrong PROXY protocol header, or of equipment whose owner is not reached.',
      [
        [{ reason: 'stranger' }, strangers],
        [{ reason: 'surplus' }, surplus],
        [{ reason: 'proxy_header' }, headers],
        [{ reason: 'unowned' }, unowned],
      ],
    ),
    metric(
      'gauge',
      'hsms_forwarded_connections',
      'TCP connections of equipment that are forwarded to the gateway that owns it.',
      [[{}, forwardedConnections]],
    ),
  ]
}
