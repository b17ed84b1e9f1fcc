import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Change, LANES, UNKNOWN_STATE } from '../../contract/state-changes.js'
import type { Event } from '../../contract/topics/events.js'
import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import { readEventsOf } from './event-pages.js'
import type { TimeView } from './time-view.js'

const words = texts.equipment
/** Alarms that are marked in charts; of more the oldest have no mark. */
const MAX_ALARMS = 1000

/** A moment that charts show: a change of a state, or an alarm. */
export interface Mark {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: 'state' | 'alarm' | 'cleared'
  readonly text: string
}

/** The mark of an alarm that is set or cleared; undefined for another event. */
export function alarmMark({ name, at, data }: Event): Mark | undefined {
  const { text, alid = '' } = data as { readonly text?: string; readonly alid?: string }
  const said = text || texts.alarms.alid(alid)
  if (name === 'alarm_set') return { at: Date.parse(at), kind: 'alarm', text: said }
  if (name === 'alarm_cleared') return { at: Date.parse(at), kind: 'cleared', text: words.alarmCleared(said) }
  return undefined
}

/** Changes of states and alarms together, oldest first. What only says that nothing is known is no mark. */
export function chartMarks(changes: readonly Change[], alarms: readonly Mark[]): readonly Mark[] {
  const states = changes
    .filter(({ from, to, lane }) => to !== from && !(to === UNKNOWN_STATE && lane !== LANES[0]))
    .map(({ lane, at, to }): Mark => ({ at, kind: 'state', text: words.stateMark(words.lanes[lane], to) }))
  return [...states, ...alarms].sort((one, other) => one.at - other.at)
}

/** The alarms of an equipment in the time that is shown, and those that come. */
export function useAlarmMarks(live: Live, id: string, view: TimeView) {
  const marks = useSignal<readonly Mark[]>([])
  useEffect(() => {
    const left = new AbortController()
    const known = new Map<string, Mark>()
    const add = (events: readonly Event[]): void => {
      for (const event of events) {
        const mark = alarmMark(event)
        if (mark) known.set(event.id, mark)
      }
      const sorted = [...known].sort(([, one], [, other]) => one.at - other.at)
      for (const [dropped] of sorted.splice(0, sorted.length - MAX_ALARMS)) known.delete(dropped)
      marks.value = sorted.map(([, mark]) => mark)
    }
    add([])
    const unfollow = view.past
      ? undefined
      : live.follow((event) => {
          if (event.equipment_id === id && event.type === 'alarm') add([event])
        })
    readEventsOf(live.calls, { id, type: ['alarm'], view, most: MAX_ALARMS }, left.signal).then(
      ({ events }) => add(events),
      // Charts without marks are better than none.
      () => undefined,
    )
    return () => {
      left.abort()
      unfollow?.()
    }
  }, [id, live, view.key, live.gaps.value])
  return marks
}
