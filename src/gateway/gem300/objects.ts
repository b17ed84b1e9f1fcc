import { CatalogueError } from '../../catalogue/catalogue.js'
import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { objectEndpoints } from '../../contract/topics/gem300/objects.js'
import type { ObjectAttribute } from '../../gem300/carrier-attributes.js'
import { errorsText } from '../../gem300/error-text.js'
import type { BodyContent } from '../../gem300/messages/bodies.js'
import { filterIn, type ObjectFilter } from '../../gem300/object-filter.js'
import type { Gem300View } from '../../gem300/variants.js'
import { type Item, itemsIn, L } from '../../secs2/item.js'
import type { Handlers } from '../handler.js'
import type { Exchanged } from '../services/asking.js'
import { passOverRefusal } from '../services/unknown-message.js'
import { attributesIn, bodyFor, errorsIn, exchanged, viewOf } from './object-exchange.js'
import { shownInTurns } from './objects-in-turns.js'

/** Objects of any type (SEMI E39): S14F1 to S14F12. */
export const objectHandlers: Handlers<typeof objectEndpoints> = {
  async listObjectTypes({ params: { id }, query: { specifier = '', timeout } }, { asking }) {
    const view = viewOf(asking.reading(id))
    const asked = { timeout, request: undefined }
    const types = await exchanged(asking, id, 'S14F5', bodyFor('S14F5', specifier, view), 'S14F6', asked)
    const { OBJTYPE, RESULT } = types.content
    if (OBJTYPE.length === 0 && RESULT.OBJACK !== 'DONE') {
      const { message_id, reply_id } = types
      const said = `${asking.nameOf(id)} gives no types of objects: ${errorsText(RESULT.ERRORS)}.`
      throw new Problem('equipment_error', said, { message_id, reply_id })
    }
    const item = bodyFor('S14F7', { OBJSPEC: specifier, OBJTYPE }, view)
    // Equipment without S14F7 has types all the same.
    const names = await exchanged(asking, id, 'S14F7', item, 'S14F8', asked).catch(passOverRefusal)
    return onePage(
      OBJTYPE.map((type) => ({
        type,
        attributes: [...(names?.content.TYPES.find((row) => row.OBJTYPE === type)?.ATTRID ?? [])],
      })),
    )
  },

  async getObjects({ params: { id }, query }, { asking }) {
    const { type, object = [], attribute = [], filter = [], specifier = '', timeout } = query
    const view = viewOf(asking.reading(id))
    const FILTERS = filtersGiven(filter, view)
    const question = { OBJSPEC: specifier, OBJTYPE: type, OBJID: object, FILTERS, ATTRID: attribute }
    const item = bodyFor('S14F1', question, view)
    return toldIn(await exchanged(asking, id, 'S14F1', item, 'S14F2', { timeout, request: undefined }))
  },

  async setObjects({ params: { id }, send, body }, { asking }) {
    const { type, objects, attributes, specifier = '' } = body
    const view = viewOf(asking.reading(id))
    const ATTRIBUTES = attributesGiven(attributes, view)
    if (ATTRIBUTES.length === 0)
      throw faultyRequest('invalid_message', [
        { pointer: '/attributes', detail: 'is empty: give an attribute' },
      ])
    const item = bodyFor('S14F3', { OBJSPEC: specifier, OBJTYPE: type, OBJID: objects, ATTRIBUTES }, view)
    return toldIn(await exchanged(asking, id, 'S14F3', item, 'S14F4', send))
  },

  async createObject({ params: { id }, send, body }, { asking }) {
    const { type, attributes, specifier = '' } = body
    const view = viewOf(asking.reading(id))
    const ATTRIBUTES = attributesGiven(attributes, view)
    const item = bodyFor('S14F9', { OBJSPEC: specifier, OBJTYPE: type, ATTRIBUTES }, view)
    const { content, ...ids } = await exchanged(asking, id, 'S14F9', item, 'S14F10', send)
    return { specifier: content.OBJSPEC, ...resultOf(content.RESULT, ids) }
  },

  async deleteObject({ params: { id }, query: { specifier }, send }, { asking }) {
    const item = bodyFor('S14F11', { OBJSPEC: specifier, ATTRIBUTES: [] }, viewOf(asking.reading(id)))
    const { content, ...ids } = await exchanged(asking, id, 'S14F11', item, 'S14F12', send)
    return resultOf(content.RESULT, ids)
  },
}

const resultOf = (
  { OBJACK, ERRORS }: BodyContent<'S14F2'>['RESULT'],
  { message_id, reply_id }: Exchanged,
) => ({ accepted: OBJACK === 'DONE', errors: errorsIn(ERRORS), message_id, reply_id })

const toldIn = async ({
  content: { OBJECTS, RESULT },
  view,
  ...ids
}: Exchanged & { readonly content: BodyContent<'S14F2'>; readonly view: Gem300View }) => ({
  ...resultOf(RESULT, ids),
  objects: await shownInTurns(
    OBJECTS.map(({ OBJID, ATTRIBUTES }) => ({ id: OBJID, attributes: ATTRIBUTES })),
    ({ id, attributes }) => ({ object_id: id, attributes: attributesIn(attributes, view) }),
  ),
})

function filtersGiven(texts: readonly string[], view: Gem300View): BodyContent<'S14F1'>['FILTERS'] {
  const filters = texts.map((text, at): ObjectFilter => {
    try {
      return filterIn(text)
    } catch (error) {
      throw faultyRequest('invalid_message', [
        { pointer: `/filter/${at}`, detail: `is none: ${(error as RangeError).message}` },
      ])
    }
  })
  const items = itemsGiven(
    filters.map(({ value }) => value),
    view,
    (at) => `/filter/${at}`,
  )
  return filters.map(({ attribute, relation }, at) => ({
    ATTRID: attribute,
    ATTRDATA: items[at] ?? L(),
    ATTRRELN: relation,
  }))
}

function attributesGiven(given: Readonly<Record<string, unknown>>, view: Gem300View): ObjectAttribute[] {
  const names = Object.keys(given)
  const items = itemsGiven(Object.values(given), view, (at) => `/attributes/${names[at] ?? ''}`)
  return names.map((ATTRID, at) => ({ ATTRID, ATTRDATA: items[at] ?? L() }))
}

/** Values as the caller gave them. S14F3's own rows are built by the catalogue, in the formats of the equipment. */
function itemsGiven(
  values: readonly unknown[],
  view: Gem300View,
  pointerOf: (at: number) => string,
): readonly Item[] {
  if (values.length === 0) return []
  const ATTRIBUTES = values.map((ATTRDATA) => ({ ATTRID: '', ATTRDATA }))
  try {
    const data = { OBJSPEC: '', OBJTYPE: '', OBJID: [], ATTRIBUTES }
    const body = STANDARD_CATALOGUE.buildAny(14, 3, data, { ...view, sender: 'host' })
    return itemsIn(itemsIn(body)[3]).map((row) => itemsIn(row)[1] ?? L())
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const faults = error.problems.map(({ item, detail }) => ({
      pointer: pointerOf(Number(/^ATTRIBUTES\/(\d+)/.exec(item)?.[1])),
      detail,
    }))
    throw faultyRequest('invalid_message', faults)
  }
}
