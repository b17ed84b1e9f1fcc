import { STEP } from '../../secs2/in-parts.js'
import type { ItemReader } from '../../secs2/item-reader.js'
import type { DataItem } from '../data-item.js'
import type { Structure } from '../structure/structure.js'
import type { View } from '../view.js'
import { leafReads, readLeaf } from './leaf.js'
import type { NamedValues } from './read.js'

/** Values and rows that are kept of one body. */
const MAX_KEPT = 16 * 1024

/**
 * As `read`, for a body of very many items, in steps: its items are not made, and of more than `maxKept` values those
 * of the lists that exceed it are left out. `reader` has passed over the whole body before: it is valid SECS-II.
 */
export function* readBodySteps(
  structure: Structure,
  reader: ItemReader,
  view: View,
  itemNamed: (name: string) => DataItem,
  maxKept = MAX_KEPT,
): Generator<undefined, NamedValues | null> {
  reader.goBack(0)
  const values: Record<string, unknown> = {}
  const fits = yield* new BodyReader(reader, view, itemNamed, maxKept).into(values, structure)
  return fits ? values : null
}

class BodyReader {
  #kept = 0
  #read = 0

  constructor(
    private readonly reader: ItemReader,
    private readonly view: View,
    private readonly itemNamed: (name: string) => DataItem,
    private readonly maxKept: number,
  ) {}

  *into(values: Record<string, unknown>, structure: Structure): Generator<undefined, boolean> {
    switch (structure.kind) {
      case 'nothing':
        return false
      case 'item': {
        const value = yield* this.#value(this.itemNamed(structure.name), structure.many)
        values[structure.name] = value
        return value !== undefined
      }
      case 'choice':
        return yield* this.#choice(values, structure.alternatives)
    }
    const { item, items } = this.reader.outermost()
    if (item.format !== 'L') return false
    switch (structure.kind) {
      case 'list':
        if (structure.mayBeEmpty && items === 0) return true
        if (items !== structure.members.length) return false
        for (const member of structure.members) if (!(yield* this.into(values, member))) return false
        return true
      case 'items': {
        const known = this.itemNamed(structure.name)
        return yield* this.#all(values, structure.name, items, () => this.#value(known, false))
      }
      case 'group':
        return yield* this.#all(values, structure.name, items, () => this.#row(structure.member))
    }
  }

  /** Reads `count` values or rows by `read`; false where one does not fit. */
  *#all(
    values: Record<string, unknown>,
    name: string,
    count: number,
    read: () => Generator<undefined, unknown>,
  ): Generator<undefined, boolean> {
    const all: unknown[] = []
    for (let at = 0; at < count; at++) {
      if (++this.#read % STEP === 0) yield
      const one = yield* read()
      if (one === undefined) return false
      if (this.#keeps(1)) all.push(one)
    }
    values[name] = all.length === count ? all : []
    return true
  }

  /** Undefined where it does not fit. */
  *#row(structure: Structure): Generator<undefined, NamedValues | undefined> {
    const row: Record<string, unknown> = {}
    return (yield* this.into(row, structure)) ? row : undefined
  }

  /** Undefined where it does not fit. */
  *#value(known: DataItem, many: boolean): Generator<undefined, unknown> {
    if (++this.#read % STEP === 0) yield
    const { item, items } = this.reader.outermost()
    if (!leafReads(known, item, many, this.view)) return undefined
    if (items === 0) return this.#kept < this.maxKept ? readLeaf(item, this.view) : ''
    const { at } = this.reader
    const inside = yield* this.reader.pass(items)
    if (!this.#keeps(inside)) return []
    this.reader.goBack(at)
    return readLeaf({ format: 'L', items: this.reader.items(items, 0) }, this.view)
  }

  *#choice(
    values: Record<string, unknown>,
    alternatives: readonly Structure[],
  ): Generator<undefined, boolean> {
    const { at } = this.reader
    for (const alternative of alternatives) {
      this.reader.goBack(at)
      const row = yield* this.#row(alternative)
      if (!row) continue
      Object.assign(values, row)
      return true
    }
    return false
  }

  #keeps(count: number): boolean {
    this.#kept += count
    return this.#kept <= this.maxKept
  }
}
