import { type Item, itemsIn } from '../secs2/item.js'
import { text } from './messages/body-part.js'
import type { Gem300View } from './variants.js'

/** A place at which a substrate was. */
export interface SubstrateVisit {
  readonly location: string
  /** As the equipment writes times. */
  readonly since: string
  /** Empty while it is there. */
  readonly until: string
}

const TEXT = text('OBJID')

/** SubstHistory, read by position: L3 SubstLocID, TimeIn, TimeOut (two sources). Throws `BodyError`. */
export const visitsOf = (item: Item, view: Gem300View): readonly SubstrateVisit[] =>
  itemsIn(item).map((entry, index) => {
    const [location, timeIn, timeOut] = itemsIn(entry)
    const read = (one: Item | undefined, name: string): string =>
      one ? TEXT.read(one, view, `/SubstHistory/${index}/${name}`) : ''
    return {
      location: read(location, 'SubstLocID'),
      since: read(timeIn, 'TimeIn'),
      until: read(timeOut, 'TimeOut'),
    }
  })
