import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { onePage } from '../../contract/schema.js'
import type { Constant, constantEndpoints } from '../../contract/topics/variables.js'
import type { NamedValue } from '../../contract/values.js'
import { unpadded } from '../../gem/content.js'
import type { Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import type { Asking, AskOptions } from './asking.js'
import { constantRows, isTyped, pointerTo } from './constant-rows.js'
import { givenId } from './given-id.js'
import { valuesOf } from './replied-values.js'
import { verdict } from './verdict.js'

/** Equipment constants: what they are (S2F29), their values (S2F13), and new ones (S2F15). */
export const constantHandlers: Handlers<typeof constantEndpoints> = {
  async listConstants({ params: { id }, query: { known, ...options } }, { asking, naming }) {
    if (!known) return onePage(await listed(id, options, asking))
    asking.nameOf(id)
    return onePage(
      [...naming.of(id).constants].map(([ecid, { minimum, maximum, default: own, ...named }]) => ({
        id: ecid,
        ...named,
        minimum: bound(minimum),
        maximum: bound(maximum),
        default: bound(own),
      })),
    )
  },

  async readConstants({ params: { id }, query: { id: given = [], ...options } }, gateway) {
    const ids =
      given.length > 0
        ? await gateway.naming.idsOf(id, 'constants', given, options)
        : (await listed(id, options, gateway.asking)).map((constant) => constant.id)
    return onePage(ids.length === 0 ? [] : await valuesNow(id, ids, options, gateway))
  },

  async writeConstants({ params: { id }, query, send, body: { values } }, gateway) {
    const { asking, naming } = gateway
    const given = Object.keys(values)
    const where = (at: number): string => pointerTo(given[at] ?? '')
    const ids = await naming.idsOf(id, 'constants', given, { where, ...query })
    const plain = ids.filter((_, at) => !isTyped(values[given[at] ?? '']))
    const now = plain.length > 0 ? await valuesNow(id, plain, query, gateway) : []
    const wanted = given.map((name, at) => ({ name, id: ids[at] ?? '', value: values[name] }))
    const ROWS = constantRows(wanted, now, asking.nameOf(id))
    return verdict('eac', await asking.acknowledge(id, 'S2F15', { ROWS }, send))
  },
}

async function listed(id: string, options: AskOptions, asking: Asking): Promise<Constant[]> {
  const { content } = await asking.ask(id, 'S2F29', {}, options)
  return content.ROWS.map(({ ECID, ECNAME, ECMIN, ECMAX, ECDEF, UNITS }) => ({
    id: String(ECID),
    name: unpadded(ECNAME),
    unit: unpadded(UNITS),
    minimum: bound(ECMIN),
    maximum: bound(ECMAX),
    default: bound(ECDEF),
  }))
}

async function valuesNow(
  id: string,
  ids: readonly string[],
  options: AskOptions,
  { asking, naming }: Pick<Gateway, 'asking' | 'naming'>,
): Promise<NamedValue[]> {
  const reply = await asking.ask(id, 'S2F13', { ECID: ids.map(givenId) }, options)
  const { constants: known } = naming.of(id)
  return valuesOf(asking, id, { message: 'S2F13', ids, known, reply })
}

/** A bound as text; equipment sends an empty text or an empty list for a missing bound. */
export const bound = (value: ReadValue): string | null => {
  const text = typeof value === 'string' ? unpadded(value) : value.map(String).join(' ')
  return text === '' ? null : text
}
