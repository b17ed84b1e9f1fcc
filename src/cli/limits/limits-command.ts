import type { Reply } from '../../contract/endpoint.js'
import type { endpoints } from '../../contract/endpoints.js'
import type { LimitFault } from '../../contract/topics/limits.js'
import { ServiceCommand } from '../service-command.js'

/** A command that changes limits in an equipment. */
export abstract class LimitsCommand extends ServiceCommand {
  protected printLimitsChange(result: Reply<typeof endpoints.setLimits>): void {
    this.printVerdict('VLAACK', result)
    for (const fault of result.faults) this.note(faultText(fault))
  }
}

/** Such as `ChamberPressure: LVACK 4, a limit is wrong: limit 1: LIMITACK 2, upper end above the maximum`. */
const faultText = ({
  id,
  name,
  lvack,
  lvack_text,
  limit_id,
  limitack,
  limitack_text,
}: LimitFault): string => {
  const limit = limit_id === null ? '' : `; limit ${limit_id}: LIMITACK ${limitack}, ${limitack_text}`
  return `${name || id}: LVACK ${lvack}, ${lvack_text}${limit}`
}
