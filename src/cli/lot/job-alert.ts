import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { reasonsOf } from '../gem300/object-result.js'

/** Alerts that are searched, the newest first. */
const SEARCHED = 50

/** S16F7, as far as it is used here. */
interface Alert {
  readonly PRJOBID?: unknown
  readonly ERRORS?: readonly { readonly ERRCODE?: unknown; readonly ERRTEXT?: unknown }[]
}

/**
 * What the equipment has said is wrong with a process job by S16F7, which needs no mapping. `after`: the message that
 * created the job, since an earlier one may have had its ID. Undefined where it has said nothing, or that cannot be asked.
 */
export async function jobAlert(
  on: EquipmentCommand,
  { id }: Equipment,
  job: string,
  after: string | undefined,
): Promise<string | undefined> {
  const query = { equipment_id: [id], stream: 16, function: 7, limit: SEARCHED }
  const page = await on.call(endpoints.listMessages, { query }).catch(() => undefined)
  for (const message of page?.items ?? []) {
    if (after !== undefined && Number(message.id) <= Number(after)) return undefined
    const { PRJOBID, ERRORS = [] } = (message.data ?? {}) as Alert
    if (String(PRJOBID) !== job || ERRORS.length === 0) continue
    const errors = ERRORS.map(({ ERRCODE, ERRTEXT }) => ({
      port: null,
      code: ERRCODE === undefined ? null : Number(ERRCODE),
      code_text: null,
      text: String(ERRTEXT ?? '').trim(),
    }))
    return reasonsOf({ errors }).join('; ')
  }
  return undefined
}
