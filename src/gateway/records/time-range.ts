import { Problem } from '../../contract/errors.js'
import { momentOf } from '../../kit/time-text.js'

/** The range of four-digit years, in milliseconds since 1970. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const BEHIND_MILLISECONDS = /\.\d{3}\d*[1-9]/

/**
 * A bound of a time range: an RFC 3339 time, in any offset, as the UTC with milliseconds that records carry, so
 * that the two can be compared as text. One between two milliseconds is the later of them: that is the first that
 * is not before it, whether it is inclusive or exclusive. Throws `invalid_request` for what is no time.
 */
export function timeOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const moment = momentOf(given)
  if (moment === undefined) throw new Problem('invalid_request', `${given} is no RFC 3339 time.`)
  const bound = BEHIND_MILLISECONDS.test(given) ? moment + 1 : moment
  return new Date(Math.min(Math.max(bound, FIRST), LAST)).toISOString()
}
