import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import type { Constant, ConstantsChange, ConstantsChanged } from '../../contract/constants.js'
import type { SendQuery } from '../../contract/messages.js'
import type { Page } from '../../contract/schema.js'
import type { NamedValue } from '../../contract/values.js'
import type { NamelistQuery, ValueQuery } from '../../contract/variables.js'
import { unpadded } from '../../gem/content.js'
import { onePage, valuesOf } from './answered-values.js'
import type { Asking, AskOptions } from './asking.js'
import { constantRows, isTyped, pointerTo } from './constant-rows.js'
import { givenId } from './given-id.js'
import type { Naming } from './naming.js'
import type { Constants } from './services.js'

/** Equipment constants: what they are (S2F29), their values (S2F13), and new ones (S2F15). */
export class GemConstants implements Constants {
  constructor(
    private readonly asking: Asking,
    private readonly naming: Naming,
  ) {}

  async list(equipmentId: string, { known, ...options }: NamelistQuery): Promise<Page<Constant>> {
    if (known) return onePage(this.#known(equipmentId))
    const { content } = await this.asking.ask(equipmentId, 'S2F29', {}, options)
    return onePage(
      content.ROWS.map(({ ECID, ECNAME, ECMIN, ECMAX, ECDEF, UNITS }) => ({
        id: String(ECID),
        name: unpadded(ECNAME),
        unit: unpadded(UNITS),
        minimum: bound(ECMIN),
        maximum: bound(ECMAX),
        default: bound(ECDEF),
      })),
    )
  }

  async read(equipmentId: string, { id: given = [], ...options }: ValueQuery): Promise<Page<NamedValue>> {
    const ids =
      given.length > 0
        ? await this.naming.idsOf(equipmentId, 'constants', given, options)
        : (await this.list(equipmentId, options)).items.map(({ id }) => id)
    return onePage(ids.length === 0 ? [] : await this.#values(equipmentId, ids, options))
  }

  async write(
    equipmentId: string,
    { values }: ConstantsChange,
    options: SendQuery,
  ): Promise<ConstantsChanged> {
    const given = Object.keys(values)
    const where = (at: number): string => pointerTo(given[at] ?? '')
    const ids = await this.naming.idsOf(equipmentId, 'constants', given, { where, ...options })
    const asked = ids.filter((_, at) => !isTyped(values[given[at] ?? '']))
    const now = asked.length > 0 ? await this.#values(equipmentId, asked, options) : []
    const wanted = given.map((name, at) => ({ name, id: ids[at] ?? '', value: values[name] }))
    const ROWS = constantRows(wanted, now, this.asking.nameOf(equipmentId))
    const { code, ...said } = await this.asking.acknowledge(equipmentId, 'S2F15', { ROWS }, options)
    return {
      accepted: said.accepted,
      eac: code,
      eac_text: said.text,
      message_id: said.message_id,
      reply_id: said.reply_id,
    }
  }

  #known(equipmentId: string): Constant[] {
    this.asking.nameOf(equipmentId)
    const { constants } = this.naming.of(equipmentId)
    return [...constants].map(([id, { minimum, maximum, default: own, ...named }]) => ({
      ...{ id, ...named, minimum: bound(minimum), maximum: bound(maximum), default: bound(own) },
    }))
  }

  async #values(equipmentId: string, ids: readonly string[], options: AskOptions): Promise<NamedValue[]> {
    const ECID = ids.map(givenId)
    const answer = await this.asking.ask(equipmentId, 'S2F13', { ECID }, options)
    const { constants } = this.naming.of(equipmentId)
    return valuesOf(this.asking, equipmentId, { message: 'S2F13', ids, known: constants, answer })
  }
}

/** A bound as text; equipment sends an empty text or an empty list for a missing bound. */
const bound = (value: ReadValue): string | null => {
  const text = typeof value === 'string' ? unpadded(value) : value.map(String).join(' ')
  return text === '' ? null : text
}
