import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Change, changeOf } from '../../contract/state-changes.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { addChange, readSiteChanges, type SiteChanges } from './site-changes.js'
import { type ShiftWindow, spanOf } from './window.js'

/** Milliseconds between two renderings of a window that goes on. */
const RENDER_MS = 5000
/** Milliseconds from the first equipment that shows a restart of the gateway until all changes are read again. */
const RESTART_MS = 5000

const connectionsOf = ({ site }: Live): ReadonlyMap<string, string> =>
  new Map(site.tools.peek().map(({ id, record }) => [id, record.connection_state]))

/** The changes of all equipment in a window, and those that come. `now`: of the gateway, as of the last rendering. */
export function useSiteChanges(live: Live, window: ShiftWindow) {
  const found = useSignal<SiteChanges | undefined>(undefined)
  const problem = useSignal('')
  const now = useSignal(live.calls.date().getTime())
  const { hours, begin } = window
  const isLoaded = live.isLoaded.value

  useEffect(() => {
    if (!isLoaded) return
    const left = new AbortController()
    let changes = new Map<string, readonly Change[]>()
    let known = { from: 0, to: 0 }
    let arrived: (readonly [string, Change])[] | undefined
    let readAgainAt = Number.POSITIVE_INFINITY
    const render = (): void => {
      // While the gateway is silent, nobody knows how the equipment is.
      if (!live.isStale.peek()) now.value = live.calls.date().getTime()
      found.value = { changes, known }
    }
    const load = async (): Promise<void> => {
      arrived = []
      readAgainAt = Number.POSITIVE_INFINITY
      const at = live.calls.date().getTime()
      const reading = {
        calls: live.calls,
        scope: live.scope,
        signal: left.signal,
        connections: connectionsOf(live),
      }
      try {
        const read = await readSiteChanges(reading, spanOf(window, at), at)
        changes = new Map(read.changes)
        known = read.known
        for (const [id, change] of arrived)
          if (change.at > (changes.get(id)?.at(-1)?.at ?? 0)) addChange(changes, id, change)
        problem.value = ''
        render()
      } catch (error) {
        if (!left.signal.aborted) problem.value = error instanceof Error ? error.message : ''
      } finally {
        arrived = undefined
      }
    }
    const unfollow = live.follow((event) => {
      const change = changeOf(event)
      if (!change) return
      if (arrived) arrived.push([event.equipment_id, change])
      else if (addChange(changes, event.equipment_id, change))
        readAgainAt = Math.min(readAgainAt, live.clock.now() + RESTART_MS)
    })
    void load()
    const stop = every(RENDER_MS, () => {
      if (arrived || document.hidden) return
      if (live.clock.now() >= readAgainAt) void load()
      else if (found.peek()) render()
    })
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [hours, begin, live, live.gaps.value, isLoaded])

  return { found, problem, now }
}
