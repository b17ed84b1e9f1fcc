import type { Traffic, TrafficWay } from '../../contract/topics/traffic.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

/** One kind of frame or message, and its count in each direction. */
export interface TrafficRow {
  readonly what: string
  readonly in: number
  readonly out: number
}

export const TRAFFIC_COLUMNS: readonly Column<TrafficRow>[] = [
  { title: 'WHAT', text: ({ what }) => what },
  { title: 'IN', text: (row) => String(row.in) },
  { title: 'OUT', text: (row) => String(row.out) },
]

/** What is counted once, not each way, for a person. */
export function trafficFields(traffic: Traffic, formatTime: FormatTime): (readonly [string, string])[] {
  const {
    since,
    connects,
    losses,
    attempts_failed,
    unrecorded = 0,
    refused,
    timeouts,
    round_trip,
    open,
    line,
  } = traffic
  return [
    ['since', formatTime(since)],
    ['connections', String(connects)],
    ['lost', listed(losses.map(({ code, count }) => [code, count]))],
    ['failed attempts', String(attempts_failed)],
    ...(unrecorded > 0 ? [['not recorded', String(unrecorded)] as const] : []),
    ...refusedFields(refused),
    ['timeouts', listed(timeouts.map(({ timer, count }) => [timer, count]))],
    ['replies', String(round_trip.count)],
    ['round trip', roundTrip(round_trip)],
    ['waiting now', String(open)],
    ...lineFields(line ?? {}),
  ]
}

/** Connections to a tap that were refused; nothing for a gateway of an earlier version. */
function refusedFields(refused: Traffic['refused'] | undefined): (readonly [string, string])[] {
  const { stranger = 0, in_use = 0 } = refused ?? {}
  const counts = listed([
    ['from another address', stranger],
    ['the connection is taken', in_use],
  ])
  return stranger + in_use > 0 ? [['refused connections', counts]] : []
}

/** What passed on a SECS-I line; nothing for HSMS, and for a gateway of an earlier version. */
function lineFields(line: Partial<Traffic['line']>): (readonly [string, string])[] {
  const counts = Object.entries(line).map(([name, count]): [string, number] => [
    name.replace('_', ' '),
    count,
  ])
  return counts.some(([, count]) => count > 0) ? [['SECS-I line', listed(counts)]] : []
}

/** Everything that is counted each way, with the messages in the order of stream and function. */
export function trafficRows({ in: from, out: to }: Traffic): TrafficRow[] {
  const rows: TrafficRow[] = [
    { what: 'messages', in: from.frames, out: to.frames },
    { what: 'bytes', in: from.bytes, out: to.bytes },
  ]
  const counts = new Map<string, TrafficRow>()
  const add = (direction: 'in' | 'out', what: string, count: number): void => {
    counts.set(what, { in: 0, out: 0, ...counts.get(what), what, [direction]: count })
  }
  for (const [direction, way] of [
    ['in', from],
    ['out', to],
  ] as const) {
    for (const [what, count] of kindsOf(way)) add(direction, what, count)
  }
  return [...rows, ...[...counts.values()].sort(byKind)]
}

function kindsOf(way: TrafficWay): [string, number][] {
  return [
    ...way.messages.map(({ name, frames }): [string, number] => [name, frames]),
    ...some('other messages', way.other_messages.frames),
    ...way.control.map(({ name, count }): [string, number] => [name, count]),
    ...way.rejects.map(({ reason, text, count }): [string, number] => [`rejects, ${reason} ${text}`, count]),
    ...some('unknown', way.unknown),
  ]
}

const some = (what: string, count: number): [string, number][] => (count > 0 ? [[what, count]] : [])

function byKind(a: TrafficRow, b: TrafficRow): number {
  return placeOf(a.what) - placeOf(b.what)
}

function placeOf(what: string): number {
  const [, stream, fn] = /^S(\d+)F(\d+)\b/.exec(what) ?? []
  return stream === undefined ? Number.MAX_SAFE_INTEGER : Number(stream) * 256 + Number(fn)
}

function listed(counts: readonly (readonly [string, number])[]): string {
  const seen = counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  return seen.length === 0 ? 'none' : seen.map(([what, count]) => `${what} ${count}`).join(', ')
}

/** `half within 1 ms, 99 % within 5 ms, mean 1.2 ms`; nothing where there was no reply. */
function roundTrip({ count, sum, buckets }: Traffic['round_trip']): string {
  if (count === 0) return ''
  const within = (share: number): string => {
    const bucket = buckets.find((each) => each.count >= share * count)
    if (bucket?.le !== undefined && bucket.le !== null) return `within ${shortTime(bucket.le)}`
    return `beyond ${shortTime(buckets.at(-2)?.le ?? 0)}`
  }
  return `half ${within(0.5)}, 99 % ${within(0.99)}, mean ${shortTime(sum / count)}`
}

const shortTime = (seconds: number): string =>
  seconds >= 1 ? `${Number(seconds.toPrecision(3))} s` : `${Number((seconds * 1000).toPrecision(3))} ms`
