import type { KnownObject } from '../../../contract/topics/gem300/mapping.js'

/** Slots of a carrier whose slot map is not known. */
const USUAL_SLOTS = 25
/** Slots that a slot map has at most. */
const MOST_SLOTS = 255

/** What a letter of a slot map says, as `carriers list` prints it. */
const LETTERS: Readonly<Record<string, SlotWord>> = {
  '?': 'UNDEFINED',
  '.': 'EMPTY',
  '*': 'NOT_EMPTY',
  o: 'CORRECTLY_OCCUPIED',
  D: 'DOUBLE_SLOTTED',
  X: 'CROSS_SLOTTED',
}

export type SlotWord =
  | 'UNDEFINED'
  | 'EMPTY'
  | 'NOT_EMPTY'
  | 'CORRECTLY_OCCUPIED'
  | 'DOUBLE_SLOTTED'
  | 'CROSS_SLOTTED'
  | 'UNKNOWN' // a number without a known meaning
  | 'NOT_READ' // nobody has told a slot map

/** What a carrier said of one slot when it was asked. */
export interface SlotContent {
  readonly slot: number
  readonly state: string
  readonly lot_id: string
  readonly substrate_id: string
}

export interface Slot {
  readonly slot: number
  readonly word: SlotWord
  /** The word as it is shown: with its number where that has no known meaning. */
  readonly text: string
  readonly substrateId: string
  readonly lot: string
  readonly substrate: KnownObject | undefined
  /** Where the substrate is, if that is not its slot. */
  readonly away: string | undefined
}

/** The ID of a port in any spelling: `1`, `LP1` and `Port 01` are one. */
const portId = (text: string): string => {
  const [digits] = /\d{1,9}$/.exec(text.trim()) ?? []
  return digits === undefined ? text.trim() : String(Number(digits))
}

/** The carrier at a port: the one that the port names, otherwise the one that says that it is there. */
export function carrierAt(port: KnownObject, carriers: readonly KnownObject[]): KnownObject | undefined {
  const named = port.details['carrier'] ?? ''
  const found = named === '' ? undefined : carriers.find(({ object_id }) => object_id === named)
  return (
    found ??
    carriers.findLast(
      ({ details }) =>
        details['port'] === port.object_id || portId(details['location'] ?? '') === port.object_id,
    )
  )
}

/** The slot in a location such as `FOUP7.07`, `FOUP7-7` or `LP1/Slot 7`; undefined where it is another place. */
export function slotIn(location: string, places: readonly string[]): number | undefined {
  for (const place of places) {
    if (place === '' || !location.startsWith(place)) continue
    const [, digits] = /^[\W_]*(?:slot)?[\W_]*0*(\d{1,3})$/i.exec(location.slice(place.length)) ?? []
    // `FOUP71` is another carrier than `FOUP7`.
    if (digits !== undefined && !/^\d/.test(location.slice(place.length))) return Number(digits)
  }
  return undefined
}

/** The slots of a carrier from slot 1, each with what is known of its substrate. `contents`: what the carrier said of them. */
export function slotsOf(
  carrier: KnownObject,
  substrates: readonly KnownObject[],
  contents: readonly SlotContent[] = [],
): readonly Slot[] {
  const map = carrier.details['slot_map'] ?? ''
  const places = [carrier.object_id, carrier.details['location'] ?? '']
  const homes = new Map<number, KnownObject>()
  const byId = new Map<string, KnownObject>()
  for (const substrate of substrates) {
    byId.set(substrate.object_id, substrate)
    const home = homeOf(substrate, places)
    if (home !== undefined) homes.set(home, substrate)
  }
  const highest = Math.max(0, ...homes.keys())
  const count = Math.min(MOST_SLOTS, map.length || contents.length || Math.max(USUAL_SLOTS, highest))
  return Array.from({ length: count }, (_, at): Slot => {
    const content = contents[at]
    const letter = map[at]
    const word = letter === undefined ? 'NOT_READ' : (LETTERS[letter] ?? 'UNKNOWN')
    const substrate = byId.get(content?.substrate_id ?? '') ?? homes.get(at + 1)
    return {
      slot: at + 1,
      word,
      text: word === 'UNKNOWN' && content?.state.startsWith('unknown') ? content.state : word,
      substrateId: content?.substrate_id || (substrate?.object_id ?? ''),
      lot: content?.lot_id || (substrate?.details['lot'] ?? ''),
      substrate,
      away: substrate && awayOf(substrate, places),
    }
  })
}

/** The slot that a substrate came from, or is in. */
function homeOf({ object_id, details }: KnownObject, places: readonly string[]): number | undefined {
  const told = [details['source'], details['location'], details['destination']]
  const known = told.map((place) => (place === undefined ? undefined : slotIn(place, places)))
  // Many tools name a substrate after its slot.
  return known.find((slot) => slot !== undefined) ?? slotIn(object_id, places.slice(0, 1))
}

function awayOf({ details }: KnownObject, places: readonly string[]): string | undefined {
  const location = details['location'] ?? ''
  return location === '' || slotIn(location, places) !== undefined ? undefined : location
}
