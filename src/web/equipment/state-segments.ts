import { GATEWAY_STOPS } from '../../contract/topics/event-data.js'
import type { Event, EventQuery } from '../../contract/topics/events.js'
import type { CsvColumn } from '../parts/csv.js'

/** The states that are drawn over time, each in a lane of its own. */
export const LANES = ['connection_state', 'communication_state', 'control_state'] as const
export type Lane = (typeof LANES)[number]

/** Names of the events that change one of them. A 300 mm tool has many other events about states. */
export const CHANGE_NAMES: NonNullable<EventQuery['name']> = [
  'connecting',
  'listening',
  'connected',
  'selected',
  'deselected',
  'disconnected',
  'communication_state',
  'control_state',
]

/** Changes that are kept of an equipment; of more the oldest are dropped. */
export const MAX_CHANGES = 1500

export interface Change {
  readonly lane: Lane
  /** Milliseconds since 1970. */
  readonly at: number
  readonly from: string | undefined
  readonly to: string
}

/** A change as a row of a file. */
export const CHANGE_CSV: readonly CsvColumn<Change>[] = [
  ['at', ({ at }) => new Date(at).toISOString()],
  ['state', ({ lane }) => lane],
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
]

/** A time during which a state stayed the same. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly value: string
}

/** What is drawn while nobody knows the state: the gateway did not run, or had no connection to its database. */
export const UNKNOWN_STATE = 'UNKNOWN'

/** The change that an event is; undefined for one that changes none of these states. */
export function changeOf({ type, name, at, data }: Event): Change | undefined {
  const { from, to: recorded, cause } = data as Readonly<Record<'from' | 'to' | 'cause', string | undefined>>
  // A gateway that stops disconnects: what the equipment does then, nobody sees.
  const to = cause === GATEWAY_STOPS ? UNKNOWN_STATE : recorded
  const lane = type === 'connection' ? 'connection_state' : LANES.find((known) => known === name)
  if (lane === undefined || to === undefined || (type !== 'connection' && type !== 'state')) return undefined
  return { lane, at: Date.parse(at), from, to }
}

/** A restart of the gateway, as the events of one equipment show it. */
export interface Restart {
  readonly at: number
  /** The state of the connection then. */
  readonly connection: string
}

/** Milliseconds within which a session that starts has enabled its communication and begun to connect. */
const START_MS = 5000

/**
 * Where a connection goes on from another state than it was in. `changes`: oldest first. A session that starts enables
 * its communication first: that is the first sign of the gateway then.
 */
export function restartsIn(changes: readonly Change[]): readonly Restart[] {
  const restarts: Restart[] = []
  let state: string | undefined
  let enabledAt = Number.NEGATIVE_INFINITY
  for (const { lane, at, from, to } of changes) {
    if (lane === 'communication_state' && from === 'DISABLED') enabledAt = at
    if (lane !== 'connection_state') continue
    if (state !== undefined && from !== undefined && from !== state)
      restarts.push({ at: at - enabledAt < START_MS ? enabledAt : at, connection: from })
    state = to
  }
  return restarts
}

/** Adds to each lane that nothing is known of it from `since`, the last sign of the gateway, until its restart. */
export function withOutage(
  changes: readonly Change[],
  since: number,
  { at: until, connection }: Restart,
): readonly Change[] {
  const known = changes.filter(({ at }) => at <= since)
  const atStart = {
    connection_state: connection,
    communication_state: 'DISABLED',
    control_state: UNKNOWN_STATE,
  }
  const outage = LANES.flatMap((lane) => [
    { lane, at: since, from: undefined, to: UNKNOWN_STATE },
    { lane, at: until, from: undefined, to: atStart[lane] },
  ])
  outage.sort((one, other) => one.at - other.at)
  return [...known, ...outage, ...changes.filter(({ at }) => at >= until)]
}

/** A lane between two times, without a gap. `changes`: oldest first. `now`: the record as it is. */
export function segmentsOf(
  changes: readonly Change[],
  lane: Lane,
  { from, to }: { readonly from: number; readonly to: number },
  now: Readonly<Record<Lane, string>>,
): Segment[] {
  const inLane = changes.filter((change) => change.lane === lane && change.at < to)
  const before = inLane.findLast(({ at }) => at <= from)
  const within = inLane.filter(({ at }) => at > from)
  const segments: Segment[] = []
  let value: string = before?.to ?? within[0]?.from ?? now[lane]
  let since = from
  for (const change of within) {
    if (change.to === value) continue
    segments.push({ from: since, to: change.at, value })
    value = change.to
    since = change.at
  }
  return [...segments, { from: since, to, value }]
}

/** Adds a change, in the order of time. */
export function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  const last = changes.at(-1)
  const added = [...changes, change]
  if (last && last.at > change.at) added.sort((one, other) => one.at - other.at)
  return added.slice(-MAX_CHANGES)
}

/** Times at which an axis has marks: whole steps of local time, six at most. */
export function marksOf({ from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  const MINUTE = 60_000
  const steps = [1 / 60, 1 / 12, 1 / 4, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map(
    (minutes) => minutes * MINUTE,
  )
  const step = steps.find((one) => (to - from) / one <= 6) ?? (to - from) / 6
  const offset = new Date(from).getTimezoneOffset() * MINUTE
  const first = Math.ceil((from - offset) / step) * step + offset
  const marks: number[] = []
  for (let at = first; at < to; at += step) marks.push(at)
  return marks
}
