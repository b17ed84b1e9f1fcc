import {
  attributeNamed,
  type CarrierAttribute,
  type CarrierContents,
  contentMapOf,
  slotMapOf,
} from '../../gem300/carrier-attributes.js'
import { idFault } from '../../gem300/identifier.js'
import { BodyError } from '../../gem300/messages/body-error.js'
import { USUAL_SLOTS } from '../../gem300/slot-ranges.js'
import type { Gem300View } from '../../gem300/variants.js'
import type { Item } from '../../secs2/item.js'
import { numberOf } from './item-values.js'
import { ERRCODE, Refusal } from './refusal.js'

/** What the attributes of an S3F17 say of the carrier; refused where they do not fit it. */
export function contentsIn(attributes: readonly CarrierAttribute[], view: Gem300View): CarrierContents {
  const read = <Value>(name: string, of: (item: Item) => Value): Value | undefined => {
    const item = attributeNamed(attributes, name)
    if (!item) return undefined
    try {
      return of(item)
    } catch (error) {
      if (!(error instanceof BodyError)) throw error
      throw new Refusal(ERRCODE.badValue, `${name}: ${error.message}`)
    }
  }
  const slotMap = read('SlotMap', (item) => slotMapOf(item, view))
  const contentMap = read('ContentMap', (item) => contentMapOf(item, view))
  const capacity = read('Capacity', numberOf)
  if (slotMap && slotMap.length !== USUAL_SLOTS)
    throw new Refusal(ERRCODE.badValue, `SlotMap has ${slotMap.length} slots, the carrier ${USUAL_SLOTS}`)
  if (contentMap && contentMap.length !== USUAL_SLOTS)
    throw new Refusal(ERRCODE.badValue, 'ContentMap length differs from slot count')
  for (const { lotId, substrateId } of contentMap ?? []) {
    const fault = [lotId, substrateId].map((id) => (id === '' ? undefined : idFault(id))).find(Boolean)
    if (fault !== undefined) throw new Refusal(ERRCODE.badValue, `ContentMap: an ID ${fault}`)
  }
  if (capacity !== undefined && capacity !== USUAL_SLOTS)
    throw new Refusal(ERRCODE.badValue, `Capacity is ${USUAL_SLOTS}`)
  const given = { slotMap, contentMap: contentMap?.length ? contentMap : undefined }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
