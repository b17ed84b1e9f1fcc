import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Equipment } from '../../contract/equipment.js'
import { eventEndpoints } from '../../contract/topics/events.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { texts } from '../texts.js'
import {
  type Change,
  changeOf,
  LANES,
  type Lane,
  MAX_CHANGES,
  marksOf,
  type Segment,
  segmentsOf,
  withChange,
} from './state-segments.js'

const words = texts.equipment
const HOUR_MS = 3_600_000
const PAGE = 500
/** Milliseconds between two renderings. */
const RENDER_MS = 1000
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
}

interface Props {
  readonly live: Live
  readonly record: Equipment
  readonly hours: number
}

/** The states of an equipment over the last hours. */
export function States({ live, record, hours }: Props) {
  const changes = useSignal<readonly Change[]>([])
  const isCut = useSignal(false)
  const now = useSignal(live.calls.date().getTime())
  const { id } = record

  useEffect(() => {
    const left = new AbortController()
    let kept: readonly Change[] = []
    let isLoading = true
    const arrived: Change[] = []
    const unfollow = live.follow((event) => {
      const change = event.equipment_id === id ? changeOf(event) : undefined
      if (!change) return
      if (isLoading) arrived.push(change)
      else kept = withChange(kept, change)
    })
    const render = (): void => {
      changes.value = kept
      now.value = live.calls.date().getTime()
    }
    const load = async (): Promise<void> => {
      const from = new Date(live.calls.date().getTime() - hours * HOUR_MS).toISOString()
      const found: Change[] = []
      let cursor: string | null | undefined
      do {
        const query = {
          equipment_id: id,
          type: ['connection' as const, 'state' as const],
          from,
          limit: PAGE,
          ...(cursor && { cursor }),
        }
        const page = await live.calls.call(eventEndpoints.listEvents, { query }, left.signal)
        found.push(...page.items.flatMap((event) => changeOf(event) ?? []))
        cursor = page.next_cursor
      } while (cursor && found.length < MAX_CHANGES)
      isCut.value = Boolean(cursor)
      kept = found.reverse()
      for (const change of arrived) if (change.at > (kept.at(-1)?.at ?? 0)) kept = withChange(kept, change)
      isLoading = false
      render()
    }
    load().catch(() => {
      isLoading = false
    })
    const stop = every(RENDER_MS, render)
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [id, hours, live, live.gaps.value])

  const window = { from: now.value - hours * HOUR_MS, to: now.value }
  const percent = (ms: number): number => (ms / (window.to - window.from)) * 100
  return (
    <div class="lanes">
      {LANES.map((lane) => {
        const known = { from: Math.max(window.from, Date.parse(record.created_at)), to: window.to }
        const segments = segmentsOf(changes.value, lane, known, record)
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
