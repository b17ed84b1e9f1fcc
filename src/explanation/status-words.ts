import { ERRORS } from '../contract/errors.js'
import { advice, type Entry } from './explanation.js'

/** What each HTTP status of an error says: the codes that come with it. */
export function statusWords(): readonly Entry[] {
  const rows = Object.entries(ERRORS)
  const statuses = [...new Set(rows.map(([, { status }]) => status))]
  return statuses.map((status) => {
    const codes = rows.filter((row) => row[1].status === status)
    return {
      word: String(status),
      kind: 'HTTP status',
      meaning: `${codes.map(([, { title }]) => title).join('; ')}.`,
      facts: [['errors', codes.map(([code]) => code).join(', ')]],
      also: [`HTTP ${status}`, `status ${status}`],
      ...advice(
        'The code in the body of the answer tells which it is, and what to do.',
        ...codes.map(([code]) => `secsctl explain ${code}`),
      ),
    }
  })
}
