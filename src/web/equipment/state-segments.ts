import type { Change } from '../../contract/state-changes.js'
import { CONNECTION_CHANGES, type EventQuery } from '../../contract/topics/events.js'
import type { CsvColumn } from '../parts/csv.js'

/** Names of the events that change a state that is drawn. A 300 mm tool has many other events about states. */
export const CHANGE_NAMES: NonNullable<EventQuery['name']> = [
  ...CONNECTION_CHANGES,
  'communication_state',
  'control_state',
]

/** Changes that are kept of an equipment; of more the oldest are dropped. */
export const MAX_CHANGES = 1500

/** A change as a row of a file. */
export const CHANGE_CSV: readonly CsvColumn<Change>[] = [
  ['at', ({ at }) => new Date(at).toISOString()],
  ['state', ({ lane }) => lane],
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
]

/** Adds a change, in the order of time. */
export function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  const last = changes.at(-1)
  const added = [...changes, change]
  if (last && last.at > change.at) added.sort((one, other) => one.at - other.at)
  return added.slice(-MAX_CHANGES)
}

/** Times at which an axis has marks: whole steps of local time, six at most. */
export function marksOf({ from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  const MINUTE = 60_000
  const steps = [1 / 60, 1 / 12, 1 / 4, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map(
    (minutes) => minutes * MINUTE,
  )
  const step = steps.find((one) => (to - from) / one <= 6) ?? (to - from) / 6
  const offset = new Date(from).getTimezoneOffset() * MINUTE
  const first = Math.ceil((from - offset) / step) * step + offset
  const marks: number[] = []
  for (let at = first; at < to; at += step) marks.push(at)
  return marks
}
