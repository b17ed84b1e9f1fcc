import { type Item, itemsIn } from '../../secs2/item.js'
import { SLOT_MAP_REASON_WORDS } from '../carrier.js'
import { slotMapOf } from '../carrier-attributes.js'
import { BodyError } from '../messages/body-error.js'
import { readCode, sameWord, text } from '../messages/body-part.js'
import { KINDS, type ObjectKind, portId } from '../object-states.js'
import { BLOCKED_REASON_WORDS, TASK_TYPE_WORDS } from '../performance.js'
import { slotMapText } from '../slot-map.js'
import type { ToldObject } from '../told-object.js'
import type { Gem300View } from '../variants.js'
import type { Source } from './compiled-mapping.js'
import type { Reference } from './mapping.js'

/** A value with what is known of its variable. */
export interface NamedValue {
  readonly vid: string | null
  readonly name: string | null
  readonly item: Item
}

/** What a source has told. */
export interface ToldBySource {
  readonly objects: readonly ToldObject[]
  /** Ports whose carrier it is about, and is not known: the equipment has to be asked. */
  readonly carrierAt: readonly string[]
}

/** The ID of the performance of equipment that has no modules. */
const WHOLE_EQUIPMENT = 'equipment'
/** The number of an object that is not there (one source for jobs; the numbers of the standards end before it). */
const NONE = 255

const TEXT = text('OBJID')

/** Whether a reference is to what has this number and name. */
export const isMeant = (reference: Reference, number: string | null, name: string | null): boolean =>
  String(reference) === number || (name !== null && name !== '' && sameWord(String(reference), name))

/** What the values say by this source. `carrierAt`: the carrier at a port. What cannot be understood is left out. */
export function toldBySource(
  source: Source,
  values: readonly NamedValue[],
  view: Gem300View,
  carrierAt: (port: string) => string | undefined,
): ToldBySource {
  const items = new Map<string, Item>()
  for (const [name, reference] of Object.entries(source.variables)) {
    const found = values.find(({ vid, name: known }) => isMeant(reference, vid, known))
    if (found) items.set(name, found.item)
  }
  const count = rowsIn(source, items)
  if (count !== undefined) {
    const rows = Array.from({ length: count }, (_, at) => rowOf(items, at))
    const objects = rows.flatMap((row, at) => {
      const id = idIn(row, source, view) || (source.kind === 'port' ? String(at + 1) : '')
      return objectOf(source, id, row, view) ?? []
    })
    return { objects, carrierAt: [] }
  }
  // The variable says that there is none: a port without a carrier, a carrier whose ID could not be read.
  const hasNone = source.object === undefined && items.has('id') && idIn(items, source, view) === ''
  if (hasNone) return { objects: [], carrierAt: [] }
  const id = idIn(items, source, view) || idBy(source, carrierAt)
  const isAtPort = source.kind === 'carrier' && source.port !== undefined
  if (id === undefined || id === '')
    return { objects: [], carrierAt: isAtPort && source.port !== undefined ? [source.port] : [] }
  const object = objectOf(source, id, items, view)
  return { objects: object ? [object] : [], carrierAt: [] }
}

/** How many objects it is about, where a list says so; undefined where it is about one. */
function rowsIn({ kind, state, variables }: Source, items: ReadonlyMap<string, Item>): number | undefined {
  const id = items.get('id')
  if (id?.format === 'L') return id.items.length
  // A list of the states of all ports, in their order.
  if (id !== undefined || variables['id'] !== undefined || kind !== 'port') return undefined
  const states = items.get(state ?? 'transfer')
  return states?.format === 'L' ? states.items.length : undefined
}

/** Row by row: a value that is no list is that of each. */
const rowOf = (items: ReadonlyMap<string, Item>, at: number): Map<string, Item> =>
  new Map(
    [...items].flatMap(([name, item]) => {
      const own = item.format === 'L' ? itemsIn(item)[at] : item
      return own ? [[name, own] as const] : []
    }),
  )

function idIn(items: ReadonlyMap<string, Item>, { kind, object }: Source, view: Gem300View): string {
  if (object !== undefined) return object
  const item = items.get('id')
  const id = item ? (textIn(item, view) ?? '') : ''
  return kind === 'port' ? portId(id) : id
}

function idBy(
  { kind, port, variables }: Source,
  carrierAt: (port: string) => string | undefined,
): string | undefined {
  if (kind === 'port') return port
  if (kind === 'carrier' && port !== undefined) return carrierAt(port)
  return kind === 'performance' && variables['id'] === undefined ? WHOLE_EQUIPMENT : undefined
}

const textIn = (item: Item, view: Gem300View): string | undefined =>
  understood(() => TEXT.read(item, view, ''))?.trim()

function understood<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  }
}

function objectOf(
  { kind, state, to, port }: Source,
  id: string,
  items: ReadonlyMap<string, Item>,
  view: Gem300View,
): ToldObject | undefined {
  if (to === 'NO_STATE') return { kind, id, states: {}, isGone: true }
  const states: Record<string, string> = {}
  for (const [name, { words }] of Object.entries(KINDS[kind].states)) {
    if (state !== undefined && name !== state) continue
    const item = items.get(name)
    const word = item && understood(() => readCode(item, words(view.variants), view, ''))
    if (to === undefined && word === `unknown (${NONE})`) return { kind, id, states: {}, isGone: true }
    // The variable of a transition may say a later state: several were passed through.
    const isKnown = word !== undefined && !word.startsWith('unknown (')
    const found = isKnown || to === undefined ? word : to
    if (found === 'NO_STATE') return { kind, id, states: {}, isGone: true }
    if (found !== undefined) states[name] = found
  }
  const details = detailsIn(kind, items, view)
  if (kind === 'carrier' && port !== undefined) details['port'] = port
  return { kind, id, states, details }
}

/** How a detail is read that is no plain text. */
const DETAILS: Readonly<Record<string, (item: Item, view: Gem300View) => string>> = {
  slot_map: (item, view) => slotMapText(slotMapOf(item, view)),
  reason: (item, view) => readCode(item, SLOT_MAP_REASON_WORDS, view, ''),
  task_type: (item, view) => readCode(item, TASK_TYPE_WORDS, view, ''),
  blocked_reason: (item, view) => readCode(item, BLOCKED_REASON_WORDS, view, ''),
  port: (item, view) => portId(TEXT.read(item, view, '')),
}

function detailsIn(
  kind: ObjectKind,
  items: ReadonlyMap<string, Item>,
  view: Gem300View,
): Record<string, string> {
  const found = Object.keys(KINDS[kind].details).flatMap((name) => {
    const item = items.get(name)
    const read = DETAILS[name]
    const value = item && (read ? understood(() => read(item, view)) : textIn(item, view))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}
