import { basename } from 'node:path'
import { Problem } from '../contract/errors.js'
import { StoreDamaged, StoreUnavailable } from '../store/failure.js'

/** What was thrown, as the problem a caller is told of; undefined when it is none, and so a bug. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof StoreUnavailable) {
    return new Problem(
      'store_unavailable',
      'The gateway cannot write to its disk, and has to be restarted once the disk is well.',
      {},
      error,
    )
  }
  if (error instanceof StoreDamaged) {
    return new Problem(
      'internal_error',
      `A part of the recorded history cannot be read: ${basename(error.file)} is damaged. On the gateway's machine \`secsctl journal verify\` tells what is lost.`,
      {},
      error,
    )
  }
  return undefined
}

/** For what nobody waits for: a problem, or a store that fails and with it the gateway, is nothing to tell. Throws bugs. */
export function throwBug(error: unknown): void {
  if (!problemOf(error)) throw error
}
