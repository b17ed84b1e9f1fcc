import { useSignal } from '@preact/signals'
import type { Alarm } from '../../contract/topics/alarms.js'

/** The rows that were shown when they were held, with the alarms as they are now. What is not open any more ended. */
export function heldRows(held: readonly Alarm[], open: readonly Alarm[]): readonly Alarm[] {
  const current = new Map(open.map((alarm) => [alarm.id, alarm]))
  return held.map((alarm) => current.get(alarm.id) ?? { ...alarm, active: false, acknowledged: true })
}

/**
 * Rows that stand still while the pointer is over them, so that nobody acknowledges what has just moved there. `filter`:
 * other rows are wanted when it changes.
 */
export function useHeldRows(shown: readonly Alarm[], open: readonly Alarm[], filter: string) {
  const held = useSignal<{ readonly filter: string; readonly rows: readonly Alarm[] } | undefined>(undefined)
  const rows = held.value?.filter === filter ? held.value.rows : undefined
  const known = new Set(rows?.map(({ id }) => id))
  return {
    alarms: rows ? heldRows(rows, open) : shown,
    /** Alarms that came meanwhile. */
    fresh: rows ? shown.filter(({ id }) => !known.has(id)).length : 0,
    hold: () => {
      held.value = { filter, rows: shown }
    },
    release: () => {
      held.value = undefined
    },
  }
}
