import { Problem } from '../contract/errors.js'
import { momentOf } from '../kit/time-text.js'

/** What four digits of a year can tell, in milliseconds since 1970. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * An RFC 3339 time, in any offset, as the UTC with milliseconds that records carry: the two can be compared as
 * text. Throws `invalid_request` for what is none.
 */
export function timeOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const moment = momentOf(given)
  if (moment === undefined) throw new Problem('invalid_request', `${given} is no RFC 3339 time.`)
  return new Date(Math.min(Math.max(moment, FIRST), LAST)).toISOString()
}
