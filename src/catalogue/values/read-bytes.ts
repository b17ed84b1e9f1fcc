import { Secs2DecodeError } from '../../secs2/errors.js'
import type { Item } from '../../secs2/item.js'
import { ItemReader } from '../../secs2/item-reader.js'
import type { DataItem } from '../data-item.js'
import type { Structure } from '../structure/structure.js'
import type { ItemView, View } from '../view.js'
import { formatReads, readLeaf } from './leaf.js'
import type { NamedValues } from './read.js'

/**
 * As `read`, of the bytes of a short body: no items are made, and a value becomes text only when `String` asks for it.
 * Null also for bytes that are not valid SECS-II. The values keep the bytes.
 */
export function readBytes(
  structure: Structure,
  body: Uint8Array,
  view: View,
  itemNamed: (name: string) => DataItem,
): NamedValues | null {
  if (body.length === 0) return structure.kind === 'nothing' ? {} : null
  const reader = new ItemReader(body)
  const values: Record<string, unknown> = {}
  try {
    const fits = new BytesReader(reader, body, view, itemNamed).into(values, structure, 0)
    return fits && reader.at === body.length ? values : null
  } catch (error) {
    if (error instanceof Secs2DecodeError) return null
    throw error
  }
}

/** The text of the item that begins there. */
class LaterText {
  constructor(
    readonly body: Uint8Array,
    readonly at: number,
    readonly view: ItemView,
  ) {}

  toString(): string {
    const reader = new ItemReader(this.body)
    reader.goBack(this.at)
    const [item] = reader.items(1, 0)
    return String(readLeaf(item as Item, this.view))
  }
}

class BytesReader {
  constructor(
    private readonly reader: ItemReader,
    private readonly body: Uint8Array,
    private readonly view: View,
    private readonly itemNamed: (name: string) => DataItem,
  ) {}

  /** `above`: lists around it. */
  into(values: Record<string, unknown>, structure: Structure, above: number): boolean {
    const { reader } = this
    switch (structure.kind) {
      case 'nothing':
        return false
      case 'item': {
        const value = this.#value(this.itemNamed(structure.name), structure.many, above)
        values[structure.name] = value
        return value !== undefined
      }
      case 'choice':
        return this.#choice(values, structure.alternatives, above)
    }
    if (reader.passHead(above) !== 'L') return false
    const count = reader.lengthAs('L')
    switch (structure.kind) {
      case 'list': {
        const { members, mayBeEmpty } = structure
        if (count !== members.length) return mayBeEmpty && count === 0
        for (const member of members) if (!this.into(values, member, above + 1)) return false
        return true
      }
      case 'items': {
        const known = this.itemNamed(structure.name)
        return this.#all(values, structure.name, count, () => this.#value(known, false, above + 1))
      }
      case 'group':
        return this.#all(values, structure.name, count, () => this.#row(structure.member, above + 1))
    }
  }

  /** Reads `count` values or rows by `read`; false where one does not fit. */
  #all(values: Record<string, unknown>, name: string, count: number, read: () => unknown): boolean {
    const all: unknown[] = []
    for (let at = 0; at < count; at += 1) {
      const one = read()
      if (one === undefined) return false
      all.push(one)
    }
    values[name] = all
    return true
  }

  /** Undefined where it does not fit. */
  #row(structure: Structure, above: number): NamedValues | undefined {
    const row: Record<string, unknown> = {}
    return this.into(row, structure, above) ? row : undefined
  }

  /** Undefined where it does not fit. */
  #value(known: DataItem, many: boolean, above: number): LaterText | undefined {
    const { reader } = this
    const { at } = reader
    const format = reader.passHead(above)
    const length = reader.lengthAs(format)
    if (!formatReads(known, format, length, many, this.view)) return undefined
    if (format === 'L') reader.passShort(length, above + 1)
    return new LaterText(this.body, at, this.view)
  }

  #choice(values: Record<string, unknown>, alternatives: readonly Structure[], above: number): boolean {
    const { at } = this.reader
    for (const alternative of alternatives) {
      this.reader.goBack(at)
      const row = this.#row(alternative, above)
      if (!row) continue
      Object.assign(values, row)
      return true
    }
    return false
  }
}
