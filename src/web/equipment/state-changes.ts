import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { eventEndpoints } from '../../contract/topics/events.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { type Change, changeOf, MAX_CHANGES, restartsIn, withChange, withOutage } from './state-segments.js'

const HOUR_MS = 3_600_000
const PAGE = 500
/** Milliseconds between two renderings. */
const RENDER_MS = 1000
/** Restarts of the gateway, the last ones, before each of which the last event is looked for. */
const MAX_RESTARTS = 20

/** The changes of the last hours, oldest first, and between them what nobody knows. */
async function readChanges({ calls }: Live, id: string, hours: number, signal: AbortSignal) {
  const from = new Date(calls.date().getTime() - hours * HOUR_MS).toISOString()
  const types = ['connection' as const, 'state' as const]
  const found: Change[] = []
  let cursor: string | null | undefined
  do {
    const query = { equipment_id: id, type: types, from, limit: PAGE, ...(cursor && { cursor }) }
    const page = await calls.call(eventEndpoints.listEvents, { query }, signal)
    found.push(...page.items.flatMap((event) => changeOf(event) ?? []))
    cursor = page.next_cursor
  } while (cursor && found.length < MAX_CHANGES)
  let changes: readonly Change[] = found.reverse()
  for (const restart of restartsIn(changes).slice(-MAX_RESTARTS)) {
    const query = { equipment_id: id, to: new Date(restart.at).toISOString(), limit: 1 }
    const { items } = await calls.call(eventEndpoints.listEvents, { query }, signal)
    changes = withOutage(changes, Date.parse(items[0]?.at ?? '') || restart.at, restart)
  }
  return { changes, isCut: Boolean(cursor) }
}

/** The changes of the states of an equipment over the last hours, and those that come. */
export function useChanges(live: Live, id: string, hours: number) {
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
        const found = await readChanges(live, id, hours, left.signal)
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
      const change = event.equipment_id === id ? changeOf(event) : undefined
      if (!change) return
      if (arrived) return void arrived.push(change)
      kept = withChange(kept, change)
      if (restartsIn(kept).some(({ at }) => at === change.at)) void load()
    })
    void load()
    const stop = every(RENDER_MS, render)
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [id, hours, live, live.gaps.value])

  return { changes, isCut, now }
}
