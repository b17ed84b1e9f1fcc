/** The cause of a disconnection because the gateway stops, or gives the equipment to another gateway of the site. */
export const GATEWAY_STOPS = 'the gateway stops'

/** The states of equipment that its events tell over time, each in a lane of its own. */
export const LANES = ['connection_state', 'communication_state', 'control_state'] as const
export type Lane = (typeof LANES)[number]

export interface Change<Name extends string = Lane> {
  readonly lane: Name
  /** Milliseconds since 1970. */
  readonly at: number
  readonly from: string | undefined
  readonly to: string
}

/** A time during which a state stayed the same. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly value: string
}

/** While nobody knows the state: the gateway did not run, or had no connection to its database. */
export const UNKNOWN_STATE = 'UNKNOWN'

/** What of an event, or of the entry that it is made of, tells a change. */
interface Told {
  readonly type: string
  readonly name: string
  readonly at: string
  readonly data: object
}

/** The change that an event is; undefined for one that changes none of these states. */
export function changeOf({ type, name, at, data }: Told): Change | undefined {
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

/**
 * The latest time, before a restart, of what was recorded before it. The last sign of the gateway is not older: an entry of
 * a clock that was behind is none. `changes`: in the order in which they were recorded.
 */
export function lastBefore(
  changes: readonly Change[],
  { at: until }: Pick<Restart, 'at'>,
): number | undefined {
  const begin = changes.findIndex(({ at }) => at === until)
  const times = changes.slice(0, Math.max(0, begin)).flatMap(({ at }) => (at < until ? [at] : []))
  return times.length === 0 ? undefined : Math.max(...times)
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
export function segmentsOf<Name extends string = Lane>(
  changes: readonly Change<Name>[],
  lane: Name,
  { from, to }: { readonly from: number; readonly to: number },
  now: Readonly<Record<Name, string>>,
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
