import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Event } from '../../../contract/topics/events.js'
import { type Performance, performanceEndpoints } from '../../../contract/topics/gem300/performance.js'
import type { Cancel } from '../../../kit/clock.js'
import type { Live } from '../../gateway/live.js'
import { every } from '../../parts/every.js'
import type { TimeView } from '../time-view.js'
import { performanceAfter, performanceIn } from './performance-after.js'

/** Milliseconds from an event to the rendering of it, and to the next reading where the event alone does not tell it. */
const RENDER_MS = 250
const READ_MS = 1000
/** Milliseconds until what could not be read is read again, and until what lasts is drawn longer. */
const RETRY_MS = 10_000

function performanceOf(live: Live, id: string, view: TimeView, signal: AbortSignal): Promise<Performance> {
  const { from, to } = view.whole
  const query = {
    from: new Date(from).toISOString(),
    ...(view.past && { to: new Date(to).toISOString() }),
    stretches: true,
  }
  return live.calls.call(performanceEndpoints.getPerformance, { params: { id }, query }, signal)
}

/**
 * The performance of the modules in the time of the page: read once, since a module that is busy wafer by wafer has
 * thousands of stretches, and then kept up to date by events. `problem`: why it could not be read, or empty.
 */
export function usePerformance(live: Live, id: string, view: TimeView) {
  const shown = useSignal<{ readonly id: string; readonly value: Performance } | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    let value: Performance | undefined
    /** Events that come while it is read: what is read may be from before them. */
    let arrived: Event[] | undefined
    let cancelRender: Cancel | undefined
    let cancelRead: Cancel | undefined
    const render = (): void => {
      cancelRender = undefined
      if (!value) return
      if (!view.past) value = performanceIn(value, view.whole)
      shown.value = { id, value }
    }
    const load = async (): Promise<void> => {
      cancelRead = undefined
      if (arrived) return readSoon()
      arrived = []
      try {
        value = await performanceOf(live, id, view, left.signal)
        problem.value = ''
        for (const event of arrived) take(event)
        render()
      } catch (error) {
        if (!left.signal.aborted) problem.value = (error as Error).message
      } finally {
        arrived = undefined
      }
    }
    const readSoon = (): void => {
      cancelRead ??= live.clock.at(live.clock.now() + READ_MS, () => void load())
    }
    const take = (event: Event): void => {
      if (!value) return
      const after = performanceAfter(value, event)
      if (!after) return readSoon()
      if (after === value) return
      value = after
      cancelRender ??= live.clock.at(live.clock.now() + RENDER_MS, render)
    }
    const unfollow = view.past
      ? () => {}
      : live.follow((event) => {
          if (event.equipment_id !== id) return
          if (arrived) arrived.push(event)
          else take(event)
        })
    void load()
    const stop = every(RETRY_MS, () => {
      // While the gateway is silent, nobody knows what lasts.
      if (document.hidden || live.isStale.peek()) return
      if (problem.peek() && !arrived) void load()
      else render()
    })
    return () => {
      left.abort()
      unfollow()
      stop()
      cancelRender?.()
      cancelRead?.()
    }
  }, [id, live, view.key, live.gaps.value])
  return { value: shown.value?.id === id ? shown.value.value : undefined, problem: problem.value }
}
