import { SELECTOR_FLAG } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { parseTime } from './durations.js'
import { numberFlag, switchFlag, textFlag, textsFlag } from './flags.js'

/** Only of some equipment. */
export const EQUIPMENT_FLAG = textsFlag('EQ', 'Only of this equipment. May be repeated.')

/** A range of time. */
export const RANGE_FLAGS = {
  since: textFlag(
    'TIME',
    'Only from this time on: 08:00, yesterday, 2026-03-01 (local time), or 10m for ten minutes ago.',
  ),
  until: textFlag('TIME', 'Only before this time, such as today (00:00) or 08:00.'),
}

/** What narrows most lists. */
export const LIST_FLAGS = {
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  ...RANGE_FLAGS,
  limit: numberFlag('Print at most N, the newest; the default is 50.', { char: 'n', min: 1 }),
  all: switchFlag('All of them.', { exclusive: ['limit'] }),
}

/** How much a list prints without `--limit` and `--all`. */
export const DEFAULT_AMOUNT = { limit: 50 }

/** The values of the flags that narrow lists. */
export interface ListGiven {
  readonly equipment?: readonly string[] | undefined
  readonly selector?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** `--since` and `--until` as the API's range. */
export function rangeGiven(
  { since, until }: ListGiven,
  now: Date,
): { readonly from?: string; readonly to?: string } {
  const from = since === undefined ? undefined : parseTime(since, '--since', now)
  const to = until === undefined ? undefined : parseTime(until, '--until', now)
  if (from !== undefined && to !== undefined && to < from)
    throw wrongUsage(`--until ${until} is before --since ${since}: there is nothing between them`)
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
