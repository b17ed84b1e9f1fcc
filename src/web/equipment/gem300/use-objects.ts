import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { EquipmentObjects, type ObjectKind } from '../../../client/site/equipment-objects.js'
import type { Event } from '../../../contract/topics/events.js'
import { gem300Endpoints, type KnownObject } from '../../../contract/topics/gem300/mapping.js'
import type { Cancel } from '../../../kit/clock.js'
import type { Live } from '../../gateway/live.js'
import { every } from '../../parts/every.js'

/** Milliseconds from an event to the rendering of it: a lot has many in a second. */
const RENDER_MS = 250
/** Milliseconds until what could not be read is read again. */
const RETRY_MS = 10_000

export type Objects = Readonly<Record<ObjectKind, readonly KnownObject[]>>

const listed = (objects: EquipmentObjects): Objects => ({
  port: objects.list('port'),
  carrier: objects.list('carrier'),
  job: objects.list('job'),
  control_job: objects.list('control_job'),
  substrate: objects.list('substrate'),
  performance: objects.list('performance'),
})

/**
 * The objects of an equipment: read once, which asks the equipment nothing, and then kept up to date by events. Undefined
 * until they are known. `problem`: why they could not be read, or empty.
 */
export function useObjects(live: Live, id: string) {
  const shown = useSignal<Objects | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    const objects = new EquipmentObjects()
    /** Events that come while the objects are read: what is read may be from before them. */
    let arrived: Event[] | undefined
    let cancel: Cancel | undefined
    const render = (): void => {
      cancel = undefined
      shown.value = listed(objects)
    }
    const load = async (): Promise<void> => {
      arrived = []
      try {
        const { items } = await live.calls.call(
          gem300Endpoints.listKnownObjects,
          { params: { id } },
          left.signal,
        )
        objects.set(items)
        for (const event of arrived) objects.apply(event)
        problem.value = ''
        render()
      } catch (error) {
        if (!left.signal.aborted) problem.value = (error as Error).message
      } finally {
        arrived = undefined
      }
    }
    const unfollow = live.follow((event) => {
      if (event.equipment_id !== id) return
      if (arrived) arrived.push(event)
      // Without what was there before, a change says too little.
      else if (!problem.peek() && objects.apply(event))
        cancel ??= live.clock.at(live.clock.now() + RENDER_MS, render)
    })
    void load()
    const stop = every(RETRY_MS, () => {
      if (problem.peek() && !arrived) void load()
    })
    return () => {
      left.abort()
      unfollow()
      stop()
      cancel?.()
    }
  }, [id, live, live.gaps.value])
  return { objects: shown.value, problem: problem.value }
}
