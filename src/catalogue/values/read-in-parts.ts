import { type InParts, jsonParts } from '../../kit/text/json-parts.js'
import { atOnce } from '../../kit/turns.js'
import { CHUNK, STEP } from '../../secs2/in-parts.js'
import type { Item } from '../../secs2/item.js'
import type { DataItem } from '../data-item.js'
import type { Structure } from '../structure/structure.js'
import type { View } from '../view.js'
import { leafReads } from './leaf.js'
import { leafInParts } from './leaf-parts.js'
import type { NamedValues } from './read.js'

/** Values or rows of a body that may have a million: each is made when it is written. */
class LaterList<T> implements InParts {
  constructor(
    readonly length: number,
    private readonly at: (place: number) => T,
  ) {}

  map<Other>(make: (value: T, place: number) => Other): LaterList<Other> {
    return new LaterList(this.length, (place) => make(this.at(place), place))
  }

  *jsonParts(): Generator<string> {
    let part = '['
    for (let place = 0; place < this.length; place++) {
      if (place > 0) part += ','
      const value = this.at(place)
      if (typeof value === 'string') part += JSON.stringify(value)
      else
        for (const piece of jsonParts(value, Number.POSITIVE_INFINITY)) {
          part += piece
          if (piece !== '' && part.length < CHUNK) continue
          yield part
          part = ''
        }
      if (part.length < CHUNK) continue
      yield part
      part = ''
    }
    yield `${part}]`
  }
}

/**
 * As `read`, for a long body, in steps: whether it fits is checked at once, and its lists are each a `LaterList`. Long
 * items are written in parts, too.
 */
export function* readInParts(
  structure: Structure,
  item: Item | undefined,
  view: View,
  itemNamed: (name: string) => DataItem,
): Generator<undefined, NamedValues | null> {
  if (item === undefined) return structure.kind === 'nothing' ? {} : null
  const reader = new PartsReader(view, itemNamed)
  return (yield* reader.fits(structure, item)) ? reader.read(structure, item) : null
}

class PartsReader {
  #seen = 0

  constructor(
    private readonly view: View,
    private readonly itemNamed: (name: string) => DataItem,
  ) {}

  *fits(structure: Structure, item: Item): Generator<undefined, boolean> {
    if (++this.#seen % STEP === 0) yield
    switch (structure.kind) {
      case 'nothing':
        return false
      case 'item':
        return leafReads(this.itemNamed(structure.name), item, structure.many, this.view)
      case 'choice':
        for (const alternative of structure.alternatives) if (yield* this.fits(alternative, item)) return true
        return false
    }
    if (item.format !== 'L') return false
    const { items } = item
    switch (structure.kind) {
      case 'list': {
        const { members, mayBeEmpty } = structure
        if (items.length !== members.length) return mayBeEmpty && items.length === 0
        for (const [at, member] of members.entries())
          if (!(yield* this.fits(member, items[at] as Item))) return false
        return true
      }
      case 'items': {
        const known = this.itemNamed(structure.name)
        for (const inner of items) {
          if (++this.#seen % STEP === 0) yield
          if (!leafReads(known, inner, false, this.view)) return false
        }
        return true
      }
      case 'group':
        for (const inner of items) if (!(yield* this.fits(structure.member, inner))) return false
        return true
    }
  }

  /** Of an item that fits. */
  read(structure: Structure, item: Item): NamedValues {
    const values: Record<string, unknown> = {}
    this.#into(values, structure, item)
    return values
  }

  #into(values: Record<string, unknown>, structure: Structure, item: Item): void {
    const items = item.format === 'L' ? item.items : []
    const at = (place: number): Item => items[place] as Item
    switch (structure.kind) {
      case 'item':
        values[structure.name] = leafInParts(item, this.view)
        return
      case 'items':
        values[structure.name] = new LaterList(items.length, (place) => leafInParts(at(place), this.view))
        return
      case 'group': {
        const { name, member } = structure
        values[name] = new LaterList(items.length, (place) => this.read(member, at(place)))
        return
      }
      case 'list':
        if (items.length === 0) return
        for (const [place, member] of structure.members.entries()) this.#into(values, member, at(place))
        return
      case 'choice': {
        const fitting = structure.alternatives.find((alternative) => atOnce(this.fits(alternative, item)))
        if (fitting) this.#into(values, fitting, item)
      }
    }
  }
}
