import type { Equipment } from '../../contract/equipment.js'
import { MAX_WIRE_LOGS } from '../../contract/topics/wire.js'
import { namesOf } from '../equipment/unreached.js'
import { wrongUsage } from '../errors/failure.js'

/** Throws where these are more than the gateway shows to one user at once. */
export function checkWireLogs(chosen: readonly Equipment[]): void {
  if (chosen.length <= MAX_WIRE_LOGS) return
  const what = `these are ${chosen.length} equipment (${namesOf(chosen)})`
  throw wrongUsage(`${what}, and the gateway serves ${MAX_WIRE_LOGS} wire logs to one user at once`)
}
