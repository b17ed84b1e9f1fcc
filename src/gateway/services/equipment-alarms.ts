import { categoryOf } from '../../catalogue/codes.js'
import { Problem } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { equipmentAlarmEndpoints } from '../../contract/topics/alarms.js'
import { unpadded } from '../../gem/content.js'
import { ALARMS_BY_LIST } from '../../gem/host/host-startup.js'
import { L } from '../../secs2/item.js'
import type { Handler, Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import type { Asking, AskOptions, Replied } from './asking.js'
import { givenId } from './given-id.js'
import { isUnknownMessage, passOverRefusal } from './unknown-message.js'
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

/**
 * All alarms are asked for by an empty array (SEMI E5), or by an empty list, which some equipment takes instead: first
 * in the form that it is known to support, then in the other one, unless it is known not to support that.
 */
async function allAlarms(id: string, options: AskOptions, asking: Asking): Promise<Replied<'S5F5'>> {
  const byArray = { name: 'S5F5', ask: () => asking.ask<'S5F5'>(id, 'S5F5', {}, options) }
  const byList = { name: ALARMS_BY_LIST, ask: () => asking.askBody<'S5F5'>(id, 'S5F5', L(), options) }
  const isRefused = (name: string): boolean => asking.reading(id).knowledge?.isRefused(name) ?? false
  const [first, second] = isRefused(byArray.name) ? [byList, byArray] : [byArray, byList]
  try {
    return await first.ask()
  } catch (error) {
    if (!hasNoReply(error) || isRefused(second.name)) throw error
    return second.ask()
  }
}

/** The equipment refused a question, or did not reply in time; other problems are not of its form. */
const hasNoReply = (error: unknown): boolean =>
  error instanceof Problem && (isUnknownMessage(error) || error.code === 'reply_timeout')

/** The ALIDs of enabled alarms; undefined where the equipment does not support S5F7, as is common. */
async function enabledAlarms(
  id: string,
  options: AskOptions,
  asking: Asking,
): Promise<ReadonlySet<string> | undefined> {
  const reply = await asking.ask(id, 'S5F7', {}, options).catch(passOverRefusal)
  return reply && new Set(reply.content.ROWS.map(({ ALID }) => String(ALID)))
}
