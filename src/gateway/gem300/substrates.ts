import { onePage } from '../../contract/schema.js'
import type { Substrate, substrateEndpoints } from '../../contract/topics/gem300/substrates.js'
import { SUBSTRATE_ID_WORDS } from '../../gem300/substrate.js'
import { visitsOf } from '../../gem300/substrate-visits.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Handlers } from '../handler.js'
import { attributesIn } from './object-exchange.js'
import {
  attributeRead,
  codeAttribute,
  listedObjects,
  oneObject,
  type ToldObject,
  textAttribute,
} from './object-query.js'
import { shownInTurns } from './objects-in-turns.js'
import { objectHistory } from './view/object-history.js'

const TYPE = 'Substrate'

/** Substrates (SEMI E90): objects (S14F1), and their way through the equipment as it was recorded. */
export const substrateHandlers: Handlers<typeof substrateEndpoints> = {
  async listSubstrates({ params: { id }, query }, { asking }) {
    const { objects, view } = await listedObjects(asking, id, TYPE, query)
    return onePage(await shownInTurns(objects, (object) => substrateOf(object, view)))
  },

  async getSubstrate({ params: { id, substrate }, query }, { asking }) {
    const { object, view } = await oneObject(asking, id, TYPE, substrate, query)
    return substrateOf(object, view)
  },

  async listSubstrateHistory({ params: { id, substrate }, query }, { equipment, events }) {
    await equipment.get(id)
    return objectHistory(events.journal, { equipmentId: id, kind: 'substrate', objectId: substrate }, query)
  },
}

function substrateOf(object: ToldObject, view: Gem300View): Substrate {
  const { variants } = view
  return {
    substrate_id: object.id,
    lot_id: textAttribute(object, 'LotID', view),
    location: textAttribute(object, 'SubstLocID', view),
    state: codeAttribute(object, ['SubstState'], variants.substrate, view),
    processing: codeAttribute(object, ['SubstProcState'], variants.substrateProcessing, view),
    id_status: codeAttribute(object, ['SubstIDStatus'], SUBSTRATE_ID_WORDS, view),
    source: textAttribute(object, 'SubstSource', view),
    destination: textAttribute(object, 'SubstDestination', view),
    visits: [...(attributeRead(object, ['SubstHistory'], (item) => visitsOf(item, view)) ?? [])],
    attributes: attributesIn(object.attributes, view),
  }
}
