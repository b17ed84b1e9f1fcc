import { categoryOf } from '../../catalogue/codes.js'
import { Problem } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { equipmentAlarmEndpoints } from '../../contract/topics/alarms.js'
import { unpadded } from '../../gem/content.js'
import { L } from '../../secs2/item.js'
import type { Handler, Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import type { Answered, Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import { passOverRefusal } from './unknown-message.js'
import { requireOne, verdict } from './verdict.js'

/** ALCD: the alarm is set. */
const SET = 0x80
const CATEGORY = 0x7f

/** ALED. */
const ENABLE = 128
const DISABLE = 0

type Rows = typeof equipmentAlarmEndpoints

/** The alarms that an equipment has (S5F5, S5F7), and whether it reports them (S5F3). */
export const equipmentAlarmHandlers: Handlers<Rows> = {
  async listEquipmentAlarms({ params: { id }, query }, { asking }) {
    const { content } = await allAlarms(id, query, asking)
    const enabled = content.ROWS.length > 0 ? await enabledAlarms(id, query, asking) : undefined
    return onePage(
      content.ROWS.map(({ ALCD, ALID, ALTX }) => ({
        alid: String(ALID),
        text: unpadded(ALTX),
        set: (Number(ALCD) & SET) !== 0,
        category: Number(ALCD) & CATEGORY,
        category_text: categoryOf(Number(ALCD)),
        enabled: enabled?.has(String(ALID)) ?? null,
      })),
    )
  },

  enableAlarms: (call, gateway) => switched(ENABLE, call, gateway),
  disableAlarms: (call, gateway) => switched(DISABLE, call, gateway),
}

async function switched(
  ALED: number,
  { params: { id }, send, body }: Parameters<Handler<Rows['enableAlarms']>>[0],
  { asking }: Gateway,
) {
  const { alid, all = false } = body
  requireOne(['alid', alid !== undefined], ['all', all], 'Give either alid or all, and all as true.')
  // No ALID at all stands for every alarm.
  const data = { ALED, ...(alid !== undefined && { ALID: givenId(alid) }) }
  return verdict('ackc5', await asking.acknowledge(id, 'S5F3', data, send))
}

/** Some equipment refuses the empty array that stands for all alarms (SxF0, S9F7), but accepts an empty list. */
async function allAlarms(id: string, options: AskOptions, asking: Asking): Promise<Answered<'S5F5'>> {
  try {
    return await asking.ask<'S5F5'>(id, 'S5F5', {}, options)
  } catch (error) {
    const isRefused =
      error instanceof Problem && (error.code === 'transaction_aborted' || error.code === 'equipment_error')
    if (!isRefused) throw error
    return asking.askBody<'S5F5'>(id, 'S5F5', L(), options)
  }
}

/** The ALIDs of enabled alarms; undefined where the equipment does not support S5F7, as is common. */
async function enabledAlarms(
  id: string,
  options: AskOptions,
  asking: Asking,
): Promise<ReadonlySet<string> | undefined> {
  const answer = await asking.ask(id, 'S5F7', {}, options).catch(passOverRefusal)
  return answer && new Set(answer.content.ROWS.map(({ ALID }) => String(ALID)))
}
