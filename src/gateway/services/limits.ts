import { type Fault, faultyRequest, Problem } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { LimitFault, limitEndpoints, NewLimit } from '../../contract/topics/limits.js'
import type { TypedItem } from '../../contract/topics/messages.js'
import { unpadded } from '../../gem/content.js'
import type { TypedValue } from '../../gem/typed-value.js'
import { itemsIn } from '../../secs2/item.js'
import { toTypedJson } from '../../secs2/json.js'
import type { Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import type { Acknowledged, AskOptions, SendOptions } from './asking.js'
import { isTyped, itemGiven } from './constant-rows.js'
import { bound } from './constants.js'
import { givenId } from './given-id.js'
import { verdict } from './verdict.js'

type Services = Pick<Gateway, 'asking' | 'naming'>

/** Links an S2F45 to an inquiry before it, which is not sent: a few limits are one block. */
const DATAID = 0

interface GivenLimit {
  readonly LIMITID: number
  readonly UPPERDB?: TypedValue
  readonly LOWERDB?: TypedValue
}

interface GivenVariable {
  readonly id: string
  readonly LIMITS: readonly GivenLimit[]
}

/** Limits of variables (SEMI E30): which there are (S2F47), new ones, and their end (S2F45). */
export const limitHandlers: Handlers<typeof limitEndpoints> = {
  async listLimits({ params: { id }, query: { id: given = [], ...options } }, { asking, naming }) {
    const ids = await naming.idsOf(id, 'variables', given, options)
    const { content } = await asking.ask(id, 'S2F47', { VID: ids.map(givenId) }, options)
    const known = naming.of(id)
    return onePage(
      content.VARIABLES.map(({ VID, UNITS, LIMITMIN, LIMITMAX, LIMITS }) => ({
        id: String(VID),
        name: known.named(String(VID))?.name ?? null,
        unit: UNITS === undefined ? null : unpadded(UNITS),
        minimum: LIMITMIN === undefined ? null : bound(LIMITMIN),
        maximum: LIMITMAX === undefined ? null : bound(LIMITMAX),
        limits:
          LIMITS?.map(({ LIMITID, UPPERDB, LOWERDB }) => ({
            limit_id: Number(LIMITID),
            lower: bound(LOWERDB) ?? '',
            upper: bound(UPPERDB) ?? '',
          })) ?? null,
      })),
    )
  },

  async setLimits({ params: { id }, query, send, body: { limits } }, gateway) {
    if (limits.length === 0)
      throw faultyRequest('invalid_message', [{ pointer: '/limits', detail: 'is empty: give a limit' }])
    const where = (at: number): string => `/limits/${at}/variable`
    const names = limits.map(({ variable }) => variable)
    const ids = await gateway.naming.idsOf(id, 'variables', names, { where, ...query })
    const plain = ids.filter((_, at) => !isTyped(limits[at]?.lower) || !isTyped(limits[at]?.upper))
    const formats = plain.length > 0 ? await formatsOf(id, [...new Set(plain)], query, gateway) : new Map()
    const equipment = { id, name: gateway.asking.nameOf(id) }
    const wanted = new Map<string, GivenLimit[]>()
    for (const [at, limit] of limitsGiven(limits, ids, formats, equipment).entries()) {
      const vid = ids[at] ?? ''
      wanted.set(vid, [...(wanted.get(vid) ?? []), limit])
    }
    const variables = [...wanted].map(([vid, LIMITS]) => ({ id: vid, LIMITS }))
    return defined(id, variables, send, gateway)
  },

  async clearLimits({ params: { id }, query, send }, gateway) {
    const { id: given = [], limit_id, ...options } = query
    if (limit_id !== undefined && given.length !== 1) {
      const errors = [{ pointer: 'limit_id', detail: 'is a limit of one variable: give one id beside it' }]
      throw new Problem('invalid_request', 'Give one id with limit_id.', { errors })
    }
    const ids = await gateway.naming.idsOf(id, 'variables', given, options)
    const LIMITS = limit_id === undefined ? [] : [{ LIMITID: limit_id }]
    // No variable at all stands for every limit of every variable.
    return defined(
      id,
      ids.map((vid) => ({ id: vid, LIMITS })),
      send,
      gateway,
    )
  },
}

/** LIMITMAX of variables, by VID: in its format the ends of a dead band are sent. */
async function formatsOf(
  id: string,
  ids: readonly string[],
  options: AskOptions,
  { asking }: Services,
): Promise<ReadonlyMap<string, TypedItem>> {
  const { content, body } = await asking.ask(id, 'S2F47', { VID: ids.map(givenId) }, options)
  const { text } = asking.reading(id)
  // The structure was checked: VID, and nothing or UNITS, LIMITMIN, LIMITMAX and the limits.
  const rows = itemsIn(body).map((row) => itemsIn(itemsIn(row)[1])[2])
  return new Map(
    content.VARIABLES.flatMap(({ VID }, at) => {
      const item = rows[at]
      return item ? [[String(VID), toTypedJson(item, text) as TypedItem] as const] : []
    }),
  )
}

/**
 * Throws `invalid_message` with all values that do not fit, `name_not_found` for variables that the equipment gives no
 * attributes of.
 */
function limitsGiven(
  limits: readonly NewLimit[],
  ids: readonly string[],
  formats: ReadonlyMap<string, TypedItem>,
  equipment: { readonly id: string; readonly name: string },
): GivenLimit[] {
  const needsFormat = ({ lower, upper }: NewLimit): boolean => !isTyped(lower) || !isTyped(upper)
  const missing = limits.flatMap((limit, at): Fault[] => {
    if (!needsFormat(limit) || formats.has(ids[at] ?? '')) return []
    const detail = `is ${limit.variable}, for which ${equipment.name} gives no limit attributes (S2F48)`
    return [{ pointer: `/limits/${at}/variable`, detail }]
  })
  if (missing.length > 0)
    throw new Problem('name_not_found', missing.map(({ detail }) => `A variable ${detail}.`).join(' '), {
      errors: missing,
      next: [{ operation: 'listLimits', parameters: { id: equipment.id } }],
    })
  const faults: Fault[] = []
  const made = limits.map(({ limit_id: LIMITID, lower, upper }, at): GivenLimit => {
    const [LOWERDB = {}, UPPERDB = {}] = Object.entries({ lower, upper }).map(([name, value]) => {
      const item = itemGiven(value, formats.get(ids[at] ?? '') ?? null, '')
      if (typeof item === 'object') return item
      faults.push({ pointer: `/limits/${at}/${name}`, detail: item })
      return {}
    })
    return { LIMITID, UPPERDB, LOWERDB }
  })
  if (faults.length > 0)
    throw faultyRequest('invalid_message', faults, { start: 'The limits cannot be sent: ' })
  return made
}

async function defined(
  id: string,
  variables: readonly GivenVariable[],
  send: SendOptions,
  gateway: Services,
) {
  const VARIABLES = variables.map(({ id: vid, LIMITS }) => ({ VID: givenId(vid), LIMITS }))
  const said = await gateway.asking.acknowledge(id, 'S2F45', { DATAID, VARIABLES }, send)
  return { ...verdict('vlaack', said), faults: faultsIn(id, said, gateway) }
}

/** What an S2F46 names; nothing where it has only its code. */
function faultsIn(id: string, { body }: Acknowledged, { asking, naming }: Services): LimitFault[] {
  const { catalogue, ...reading } = asking.reading(id)
  const content = catalogue.read('S2F46', body, { ...reading, sender: 'equipment' })
  return (content?.VARIABLES ?? []).map(({ VID, LVACK, LIMITID, LIMITACK }) => {
    const limitack = LIMITACK === undefined ? null : Number(LIMITACK)
    return {
      id: String(VID),
      name: naming.of(id).named(String(VID))?.name ?? null,
      lvack: Number(LVACK),
      lvack_text: catalogue.codeText('LVACK', Number(LVACK)),
      limit_id: LIMITID === undefined ? null : Number(LIMITID),
      limitack,
      limitack_text: limitack === null ? null : catalogue.codeText('LIMITACK', limitack),
    }
  })
}
