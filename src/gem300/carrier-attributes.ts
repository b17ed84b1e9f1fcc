import { type Item, itemsIn, L, lengthOf, U1, U2 } from '../secs2/item.js'
import { codeOf, wordOf } from './code-words.js'
import { BodyError } from './messages/body-error.js'
import { sameWord, text, valuesIn } from './messages/body-part.js'
import type { SlotMap } from './slot-map.js'
import { MOST_SLOTS } from './slot-ranges.js'
import type { CarrierAttributeName, Gem300View } from './variants.js'

/** What a slot holds, as a host knows it; both empty for a slot without a substrate. */
export interface SlotContent {
  readonly lotId: string
  readonly substrateId: string
}

/** What a host says of a carrier. What is left out is not sent. */
export interface CarrierContents {
  readonly capacity?: number
  readonly substrateCount?: number
  readonly usage?: string
  readonly slotMap?: SlotMap
  /** One entry a slot: equipment refuses others. */
  readonly contentMap?: readonly SlotContent[]
}

/** An attribute as S3F17 has it, and as stream 14 has it. */
export interface CarrierAttribute {
  readonly CATTRID: string
  readonly CATTRDATA: Item
}
export interface ObjectAttribute {
  readonly ATTRID: string
  readonly ATTRDATA: Item
}

/** The value of an attribute. Names are compared without case and blanks: `SlotMap`, `Slot map`. */
export function attributeNamed(
  rows: readonly (CarrierAttribute | ObjectAttribute)[],
  name: string,
): Item | undefined {
  const row = rows.find((one) => sameWord('ATTRID' in one ? one.ATTRID : one.CATTRID, name))
  return row && ('ATTRID' in row ? row.ATTRDATA : row.CATTRDATA)
}

/** The attributes of these names that are known of the carrier, for S3F17. Throws `BodyError`. */
export const carrierAttributes = (
  names: readonly CarrierAttributeName[],
  contents: CarrierContents,
  view: Gem300View,
): readonly CarrierAttribute[] =>
  names.flatMap((name) => {
    const value = WRITERS[name](contents, view)
    return value === undefined ? [] : [{ CATTRID: name, CATTRDATA: value }]
  })

/** Any text. */
const USAGE = text('CATTRDATA')

const WRITERS: Readonly<
  Record<CarrierAttributeName, (contents: CarrierContents, view: Gem300View) => Item | undefined>
> = {
  Capacity: ({ capacity }) => (capacity === undefined ? undefined : U1(capacity)),
  SubstrateCount: ({ substrateCount }) => (substrateCount === undefined ? undefined : U1(substrateCount)),
  Usage: ({ usage }, view) => (usage === undefined ? undefined : USAGE.build(usage, view, '/Usage')),
  SlotMap: ({ slotMap }, view) => slotMap && slotMapItem(slotMap, view),
  ContentMap: ({ contentMap }, view) => contentMap && contentMapItem(contentMap, view),
}

/** SlotMap as an attribute. Throws `BodyError` for a state that this equipment has no number for. */
export function slotMapItem(slots: SlotMap, view: Gem300View): Item {
  const format = view.variants.slotFormat === 'U2' ? U2 : U1
  return L(
    ...slots.map((slot, index) => {
      const code = codeOf(view.variants.slots, slot)
      if (code === undefined)
        throw new BodyError(`/SlotMap/${index}`, `${slot} has no number on this equipment`)
      return format(code)
    }),
  )
}

/**
 * The slots of SlotMap: a list of numbers, one item of them, or text with a character for each. Y and N say whether a
 * substrate is there, which one host reads (one source). Throws `BodyError` also for more slots than any carrier has.
 */
export function slotMapOf(item: Item, view: Gem300View): SlotMap {
  const items = item.format === 'L' ? item.items : [item]
  checkLength(
    '/SlotMap',
    items.reduce((sum, one) => sum + lengthOf(one), 0),
  )
  const values = items.flatMap((one, index): (number | bigint | string)[] => {
    if (one.format === 'L') throw new BodyError(`/SlotMap/${index}`, 'is a list and not the state of a slot')
    return valuesIn(one, view).flatMap((value): (number | bigint | string)[] =>
      typeof value === 'string' ? [...value.trim()] : [value],
    )
  })
  return values.map((value) => {
    if (value === 'Y' || value === 'y') return 'CORRECTLY_OCCUPIED'
    if (value === 'N' || value === 'n') return 'EMPTY'
    return wordOf(view.variants.slots, value)
  })
}

/** Before anything is made of each. */
function checkLength(at: string, length: number): void {
  if (length > MOST_SLOTS) throw new BodyError(at, `has ${length} slots: a carrier has ${MOST_SLOTS} at most`)
}

const ID = text('MID')

/** ContentMap as an attribute. */
export const contentMapItem = (contents: readonly SlotContent[], view: Gem300View): Item =>
  L(
    ...contents.map(({ lotId, substrateId }, index) =>
      L(
        ID.build(lotId, view, `/ContentMap/${index}/LotID`),
        ID.build(substrateId, view, `/ContentMap/${index}/SubstrateID`),
      ),
    ),
  )

/** ContentMap, read by position: further items of an entry are passed over. Throws `BodyError` as for a slot map. */
export function contentMapOf(item: Item, view: Gem300View): readonly SlotContent[] {
  checkLength('/ContentMap', itemsIn(item).length)
  return itemsIn(item).map((entry, index) => {
    const [lot, substrate] = itemsIn(entry)
    const read = (one: Item | undefined, name: string): string =>
      one ? ID.read(one, view, `/ContentMap/${index}/${name}`) : ''
    return { lotId: read(lot, 'LotID'), substrateId: read(substrate, 'SubstrateID') }
  })
}
