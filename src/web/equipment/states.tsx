import type { Equipment } from '../../contract/equipment.js'
import { LANES, type Lane, type Segment, segmentsOf, UNKNOWN_STATE } from '../../contract/state-changes.js'
import { texts } from '../texts.js'
import type { useChanges } from './state-changes.js'
import { marksOf } from './state-segments.js'
import type { Span } from './time-span.js'
import type { TimeView } from './time-view.js'

const words = texts.equipment
/** Narrower segments have no text, in percent of the width. */
const MIN_TEXT = 6
/** Marks of the axis after this have no room for their time, in percent of the width. */
const LAST_MARK = 93

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exactTime = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const dayTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
/** A shorter time than this has marks with seconds, in milliseconds. */
const EXACT_BELOW_MS = 5 * 60_000

/** `present`: by the clock of the gateway. */
const axisTime = ({ from, to }: Span, present: number): Intl.DateTimeFormat => {
  if (to - from < EXACT_BELOW_MS) return exactTime
  return new Date(to).toDateString() === new Date(present).toDateString() ? clockTime : dayTime
}

/** Where no change says it, nothing is known of the past. */
const UNKNOWN: Record<Lane, string> = {
  connection_state: UNKNOWN_STATE,
  communication_state: UNKNOWN_STATE,
  control_state: UNKNOWN_STATE,
}

/** How good a state is, for its colour; its word is in the segment and in its title. */
const TONES: Readonly<Record<string, string>> = {
  SELECTED: 'good',
  COMMUNICATING: 'good',
  ONLINE_REMOTE: 'good',
  ONLINE_LOCAL: 'local',
  HOST_OFFLINE: 'offline',
  EQUIPMENT_OFFLINE: 'offline',
  NOT_CONNECTED: 'bad',
  NOT_COMMUNICATING: 'bad',
  [UNKNOWN_STATE]: 'unknown',
}

interface Props {
  readonly record: Equipment
  readonly view: TimeView
  readonly history: ReturnType<typeof useChanges>
}

/** The states of an equipment over the time that is shown. */
export function States({ record, view, history: { changes, isCut, now } }: Props) {
  // Is rendered again as time goes on.
  const present = now.value
  const window = view.part ?? { from: Math.min(view.whole.from, present), to: view.past?.to ?? present }
  const percent = (ms: number): number => (ms / (window.to - window.from)) * 100
  const known = {
    from: Math.max(window.from, Date.parse(record.created_at)),
    to: Math.min(window.to, present),
  }
  return (
    <div class="lanes">
      {LANES.map((lane) => {
        const segments = segmentsOf(changes.value, lane, known, view.past ? UNKNOWN : record).filter(
          ({ from, to }) => to > from,
        )
        return (
          <div class="lane" key={lane}>
            <span class="lane-name">{words.lanes[lane]}</span>
            <div class="lane-bar" role="img" aria-label={spoken(lane, segments)}>
              {segments.map(({ from, to, value }) => {
                const width = percent(to - from)
                return (
                  <span
                    key={from}
                    class={`segment tone-${TONES[value] ?? 'middle'}`}
                    style={{ left: `${percent(from - window.from)}%`, width: `${width}%` }}
                    title={words.segment(value, clockTime.format(from), clockTime.format(to))}
                  >
                    {width >= MIN_TEXT && value}
                  </span>
                )
              })}
              <Pointer view={view} window={window} />
            </div>
          </div>
        )
      })}
      <div class="lane lane-axis" aria-hidden="true">
        <span class="lane-name" />
        <div class="lane-bar">
          {marksOf(window)
            .filter((at) => percent(at - window.from) < LAST_MARK)
            .map((at) => (
              <span key={at} style={{ left: `${percent(at - window.from)}%` }}>
                {axisTime(window, present).format(at)}
              </span>
            ))}
        </div>
      </div>
      {isCut.value && <p class="notice">{words.cut}</p>}
    </div>
  )
}

/** The time at the pointer of a chart. */
function Pointer({ view, window: { from, to } }: { readonly view: TimeView; readonly window: Span }) {
  const at = view.pointer.value
  if (at === undefined || at < from || at > to) return null
  return <i class="lane-pointer" style={{ left: `${((at - from) / (to - from)) * 100}%` }} />
}

function spoken(lane: Lane, segments: readonly Segment[]): string {
  const last = segments.at(-1)
  if (!last) return words.lanes[lane]
  return words.laneSpoken(words.lanes[lane], last.value, clockTime.format(last.from), segments.length - 1)
}
