import { Flags } from '@oclif/core'
import { parseTime } from './durations.js'
import { Failure } from './failure.js'

/** What narrows most lists. */
export const LIST_FLAGS = {
  equipment: Flags.string({ helpValue: 'EQ', summary: 'Only of this equipment.' }),
  since: Flags.string({ helpValue: 'TIME', summary: 'Only from this time on, or from so long ago: 10m.' }),
  until: Flags.string({ helpValue: 'TIME', summary: 'Only before this time, or before so long ago.' }),
  limit: Flags.integer({
    char: 'n',
    min: 1,
    default: 50,
    helpValue: 'N',
    summary: 'At most so many, the newest.',
  }),
}

interface Given {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** `--since` and `--until` as the API's range. */
export function rangeGiven(
  { since, until }: Given,
  now: Date,
): { readonly from?: string; readonly to?: string } {
  const from = since === undefined ? undefined : parseTime(since, '--since', now)
  const to = until === undefined ? undefined : parseTime(until, '--until', now)
  if (from !== undefined && to !== undefined && to < from)
    throw new Failure('usage', `--until ${until} is before --since ${since}: there is nothing between them`)
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
