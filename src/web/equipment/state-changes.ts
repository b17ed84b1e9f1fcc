import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Change, changeOf, lastBefore, restartsIn, withOutage } from '../../contract/state-changes.js'
import { eventEndpoints } from '../../contract/topics/events.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { readEventsOf } from './event-pages.js'
import { CHANGE_NAMES, MAX_CHANGES, withChange } from './state-segments.js'
import type { TimeView } from './time-view.js'

/** Changes before a view of the past, which are searched for the states at its beginning. */
const SEARCHED = 50
/** Milliseconds between two renderings. */
const RENDER_MS = 1000
/** Restarts of the gateway, the last ones, before each of which the last event is looked for. */
const MAX_RESTARTS = 20

/** The changes of the time that is shown, oldest first, and between them what nobody knows. */
export async function readChanges(
  { calls }: Pick<Live, 'calls'>,
  id: string,
  view: Pick<TimeView, 'needed' | 'past'>,
  signal: AbortSignal,
) {
  const name = CHANGE_NAMES
  const read = await readEventsOf(calls, { id, name, view, most: MAX_CHANGES }, signal)
  const events = [...read.events]
  if (view.past && !read.isCut) {
    const query = { equipment_id: id, name, to: new Date(view.past.from).toISOString(), limit: SEARCHED }
    events.push(...(await calls.call(eventEndpoints.listEvents, { query }, signal)).items)
  }
  const found = events.flatMap((event) => changeOf(event) ?? [])
  let changes: readonly Change[] = found.reverse()
  for (const restart of restartsIn(changes).slice(-MAX_RESTARTS)) {
    const from = lastBefore(changes, restart)
    const query = {
      equipment_id: id,
      ...(from !== undefined && { from: new Date(from).toISOString() }),
      to: new Date(restart.at).toISOString(),
      limit: 1,
    }
    const { items } = await calls.call(eventEndpoints.listEvents, { query }, signal)
    changes = withOutage(changes, Date.parse(items[0]?.at ?? '') || restart.at, restart)
  }
  return { changes, isCut: read.isCut }
}

/** The changes of the states of an equipment in the time that is shown, and those that come. */
export function useChanges(live: Live, id: string, view: TimeView) {
  const changes = useSignal<readonly Change[]>([])
  const isCut = useSignal(false)
  const now = useSignal(live.calls.date().getTime())

  useEffect(() => {
    const left = new AbortController()
    let kept: readonly Change[] = []
    /** Changes that come while those before them are read. */
    let arrived: Change[] | undefined
    const render = (): void => {
      changes.value = kept
      // While the gateway is silent, nobody knows how the equipment is.
      if (!live.isStale.peek()) now.value = live.calls.date().getTime()
    }
    const load = async (): Promise<void> => {
      arrived = []
      try {
        const found = await readChanges(live, id, view, left.signal)
        isCut.value = found.isCut
        kept = found.changes
        const last = kept.at(-1)?.at ?? 0
        for (const change of arrived) if (change.at > last) kept = withChange(kept, change)
      } catch {
        // What came before stays shown; it is read again after the next gap.
      } finally {
        arrived = undefined
      }
      render()
    }
    const unfollow = live.follow((event) => {
      const change = event.equipment_id === id && !view.past ? changeOf(event) : undefined
      if (!change) return
      if (arrived) return void arrived.push(change)
      const restarts = restartsIn(kept).length
      kept = withChange(kept, change)
      if (restartsIn(kept).length > restarts) void load()
    })
    void load()
    const stop = every(RENDER_MS, render)
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [id, view.key, live, live.gaps.value])

  return { changes, isCut, now }
}
