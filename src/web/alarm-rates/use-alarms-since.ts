import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { AlarmsSince } from '../alarms/alarms-since.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { hoursUntil } from './rates.js'

/** Milliseconds between two renderings, while alarms come in their hundreds. */
const RENDER_MS = 1000

/** Local hours: they begin at half past where a time zone is half an hour apart from others. */
const hourOf = (at: number): number => hoursUntil(at, 1)[0] ?? at

/** The alarms since a time, read once and then followed. `now`: a time of the gateway in its present hour. */
export function useAlarmsSince(live: Live, from: number) {
  const problem = useSignal('')
  const now = useSignal(live.calls.date().getTime())
  const version = useSignal(0)
  const isLoaded = useSignal(false)
  const alarms = useMemo(() => new AlarmsSince(new Date(from)), [from, live, live.gaps.value])
  useEffect(() => {
    const left = new AbortController()
    const unfollow = live.follow((event) => alarms.take(event))
    problem.value = ''
    isLoaded.value = false
    alarms
      .load(live.calls, live.scope, left.signal)
      .catch((error: unknown) => {
        if (!left.signal.aborted) problem.value = error instanceof Error ? error.message : ''
      })
      .finally(() => {
        if (!left.signal.aborted) isLoaded.value = true
      })
    const stop = every(RENDER_MS, () => {
      version.value = alarms.version.peek()
      const at = live.calls.date().getTime()
      if (!live.isStale.peek() && hourOf(at) !== hourOf(now.peek())) now.value = at
    })
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [alarms, live])
  return { alarms, problem, now, version, isLoaded }
}
