import type { Equipment } from '../../contract/equipment.js'
import { type Change, LANES, type Lane, segmentsOf, UNKNOWN_STATE } from '../../contract/state-changes.js'
import { controlWord } from '../gateway/tool-state.js'
import { E10_WORDS, type E10Word, type GatewayState, type Mapping } from './e10.js'

/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A time during which an equipment was in one state. */
export interface Stretch extends Span {
  /** Undefined while the gateway did not run, and before the equipment was registered. */
  readonly state: GatewayState | undefined
  readonly word: E10Word
}

type States = Readonly<Record<Lane, string>>

/** The state that the three states of an equipment are; undefined where the gateway does not know. */
function gatewayStateOf({
  connection_state,
  communication_state,
  control_state,
}: States): GatewayState | undefined {
  if (connection_state === UNKNOWN_STATE) return undefined
  if (connection_state === 'NOT_CONNECTED') return 'disabled'
  if (connection_state === 'CONNECTING' || connection_state === 'LISTENING') return 'disconnected'
  if (connection_state !== 'SELECTED' || communication_state !== 'COMMUNICATING') return 'connecting'
  return controlWord(control_state)
}

/**
 * The states of an equipment during `span`, without a gap. `changes`: oldest first, and those after the span as well if
 * there are any. `known`: the time of which changes were read. `record`: as it is now.
 */
export function timelineOf(
  changes: readonly Change[],
  span: Span,
  known: Span,
  record: Pick<Equipment, Lane | 'created_at'>,
  mapping: Mapping,
): readonly Stretch[] {
  const inside = {
    from: Math.min(span.to, Math.max(span.from, known.from, Date.parse(record.created_at))),
    to: Math.max(span.from, Math.min(span.to, known.to)),
  }
  if (inside.to <= inside.from) return span.to > span.from ? [unknown(span.from, span.to)] : []
  const after = (lane: Lane) => changes.find((one) => one.lane === lane && one.at >= inside.to)?.from
  const lanes = LANES.map((lane) => ({
    lane,
    segments: segmentsOf(changes, lane, inside, { ...record, [lane]: after(lane) ?? record[lane] }),
  }))
  const times = [...new Set(lanes.flatMap(({ segments }) => segments.map(({ from }) => from)))].sort(
    (one, other) => one - other,
  )
  const found: Stretch[] = inside.from > span.from ? [unknown(span.from, inside.from)] : []
  for (const [at, from] of times.entries()) {
    const to = times[at + 1] ?? inside.to
    if (to <= from) continue
    const states = Object.fromEntries(
      lanes.map(({ lane, segments }) => [lane, segments.findLast((one) => one.from <= from)?.value]),
    ) as States
    const state = gatewayStateOf(states)
    const last = found.at(-1)
    if (last && last.to === from && last.state === state) found[found.length - 1] = { ...last, to }
    else found.push({ from, to, state, word: state ? mapping[state] : 'unknown' })
  }
  if (inside.to < span.to) found.push(unknown(inside.to, span.to))
  return withoutReconnects(found)
}

/** A gateway that has started connects to its equipment within this time, unless the equipment is away. */
const RECONNECT_MS = 60_000

/** The short time in which the gateway connects again after it did not run is unknown: the equipment was not down. */
function withoutReconnects(timeline: readonly Stretch[]): readonly Stretch[] {
  const kept: Stretch[] = []
  for (let at = 0; at < timeline.length; at++) {
    const [one, last] = [timeline[at] as Stretch, kept.at(-1)]
    let end = at
    while (isConnecting(timeline[end])) end++
    const until = timeline[end - 1]?.to ?? one.to
    if (last && last.state === undefined && end > at && until - one.from < RECONNECT_MS) {
      kept[kept.length - 1] = unknown(last.from, until)
      at = end - 1
    } else if (last && last.state === undefined && one.state === undefined)
      kept[kept.length - 1] = unknown(last.from, one.to)
    else kept.push(one)
  }
  return kept
}

const isConnecting = (one: Stretch | undefined): boolean =>
  one?.state === 'disconnected' || one?.state === 'connecting'

const unknown = (from: number, to: number): Stretch => ({ from, to, state: undefined, word: 'unknown' })

/** Milliseconds in each word. */
export type Times = Readonly<Record<E10Word, number>>

export function timesOf(timelines: readonly (readonly Stretch[])[]): Times {
  const times = Object.fromEntries(E10_WORDS.map((word) => [word, 0])) as Record<E10Word, number>
  for (const timeline of timelines) for (const { word, from, to } of timeline) times[word] += to - from
  return times
}

/** Shares from 0 to 1; undefined where no time is known. */
export interface Shares {
  /** Productive time of the known time. */
  readonly productive: number | undefined
  /** Productive, standby and engineering time of the known time. */
  readonly up: number | undefined
  /** Unknown time of all time. */
  readonly unknown: number | undefined
}

export function sharesOf(times: Times): Shares {
  const all = E10_WORDS.reduce((sum, word) => sum + times[word], 0)
  const known = all - times.unknown
  const share = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)
  return {
    productive: share(times.productive, known),
    up: share(times.productive + times.standby + times.engineering, known),
    unknown: share(times.unknown, all),
  }
}
