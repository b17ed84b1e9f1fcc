import type { Equipment } from '../../contract/equipment.js'
import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import { useChanges } from './state-changes.js'
import { LANES, type Lane, marksOf, type Segment, segmentsOf, UNKNOWN_STATE } from './state-segments.js'

const words = texts.equipment
const HOUR_MS = 3_600_000
/** Narrower segments have no text, in percent of the width. */
const MIN_TEXT = 6
/** Marks of the axis after this have no room for their time, in percent of the width. */
const LAST_MARK = 93

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

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
  readonly live: Live
  readonly record: Equipment
  readonly hours: number
}

/** The states of an equipment over the last hours. */
export function States({ live, record, hours }: Props) {
  const { changes, isCut, now } = useChanges(live, record.id, hours)
  const window = { from: now.value - hours * HOUR_MS, to: now.value }
  const percent = (ms: number): number => (ms / (window.to - window.from)) * 100
  return (
    <div class="lanes">
      {LANES.map((lane) => {
        const known = { from: Math.max(window.from, Date.parse(record.created_at)), to: window.to }
        const segments = segmentsOf(changes.value, lane, known, record).filter(({ from, to }) => to > from)
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
                {clockTime.format(at)}
              </span>
            ))}
        </div>
      </div>
      {isCut.value && <p class="notice">{words.cut}</p>}
    </div>
  )
}

function spoken(lane: Lane, segments: readonly Segment[]): string {
  const last = segments.at(-1)
  if (!last) return words.lanes[lane]
  return words.laneSpoken(words.lanes[lane], last.value, clockTime.format(last.from), segments.length - 1)
}
