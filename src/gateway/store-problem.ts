import { basename } from 'node:path'
import { Problem } from '../contract/errors.js'
import { ChangedElsewhere, NotBegun, NotOwner, StoreDamaged, StoreUnavailable } from '../store/failure.js'

/** The problem to report for a thrown error; undefined for an error that is a bug. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof NotOwner) {
    const detail = 'Another daemon drives this equipment, or is about to take it over. Try again.'
    return new Problem('equipment_unowned', detail, { retry_after: 1 }, error)
  }
  if (error instanceof ChangedElsewhere || error instanceof NotBegun) {
    const detail = `${error.message} This call has changed nothing. Try again.`
    return new Problem('equipment_unowned', detail, { retry_after: 1 }, error)
  }
  if (error instanceof StoreUnavailable) {
    // What is away is in its message; the rest of that is for the log.
    const [what = 'The store'] = /^The (?:database|disk)\b/.exec(error.message) ?? []
    const detail = `${what} of the gateway does not take records now, so nothing is acknowledged.`
    return new Problem('store_unavailable', detail, {}, error)
  }
  if (error instanceof StoreDamaged) {
    return new Problem(
      'history_damaged',
      `A part of the recorded history cannot be read: ${basename(error.file)} is damaged.`,
      {},
      error,
    )
  }
  return undefined
}

/** Ignores problems and store failures of background work (a store failure ends the gateway anyway). Throws bugs. */
export function throwBug(error: unknown): void {
  if (!problemOf(error)) throw error
}
