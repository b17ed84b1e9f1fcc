import { basename } from 'node:path'
import { Problem } from '../contract/errors.js'
import { NotOwner, StoreDamaged, StoreUnavailable } from '../store/failure.js'

/** The problem to report for a thrown error; undefined for an error that is a bug. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof NotOwner) {
    const detail = 'Another daemon drives this equipment, or is about to take it over. Try again.'
    return new Problem('equipment_unowned', detail, { retry_after: 1 }, error)
  }
  if (error instanceof StoreUnavailable) {
    return new Problem(
      'store_unavailable',
      'The gateway cannot write to its store now, so nothing is acknowledged.',
      {},
      error,
    )
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
