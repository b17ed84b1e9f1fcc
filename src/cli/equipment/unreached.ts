import { Unreachable } from '../../client/failures.js'
import type { Equipment } from '../../contract/equipment.js'

const MAX_NAMES = 5

/** The names of equipment, such as `etcher, coater`; after five `and 3 more`. */
export function namesOf(equipment: readonly Pick<Equipment, 'name'>[]): string {
  const names = equipment.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = equipment.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * What to throw where a call about several equipment failed: that no gateway responds comes with the equipment for
 * which nothing was `done`, introduced by `verdict`, such as `Not connected`.
 */
export function withUnreached(
  failure: unknown,
  verdict: string,
  chosen: readonly Equipment[],
  done: readonly Equipment[],
): unknown {
  if (!(failure instanceof Unreachable) || chosen.length < 2) return failure
  const ready = new Set(done.map(({ id }) => id))
  const left = chosen.filter(({ id }) => !ready.has(id))
  return new Unreachable(failure.url, `${failure.message}\n${verdict}: ${namesOf(left)}.`, failure)
}
