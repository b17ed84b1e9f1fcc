import { isJsonList } from '../../kit/text/json-list.js'
import type { Item } from '../../secs2/item.js'
import { MAX_ITEMS } from '../../secs2/limits.js'
import type { DataItem } from '../data-item.js'
import { type Choice, type Group, namesIn, type Structure } from '../structure/structure.js'
import type { ItemView } from '../view.js'
import { BuildWork, type Built, TooManyItems } from './build-work.js'
import { isData, LeafError, leafSteps } from './leaf.js'

type Data = Readonly<Record<string, unknown>>

/** The work of one problem, which creates an error, as a number of values. */
const FAULT_WORK = 16

/** Takes the place of a part that cannot be built, until the problems are reported. */
const NOTHING: Item = { format: 'L', items: [] }

/** Builds the item of named data, in steps. `itemNamed` knows the items that the structure names. */
export function* buildSteps(
  structure: Structure,
  data: Data,
  view: ItemView,
  itemNamed: (name: string) => DataItem,
): Generator<void, Built> {
  const work = new BuildWork()
  const builder = new Builder(view, itemNamed, work)
  builder.refuseUnknown(structure, data, '')
  let item: Item | undefined
  try {
    if (structure.kind !== 'nothing') item = yield* builder.build(structure, data, '')
  } catch (error) {
    if (!(error instanceof TooManyItems)) throw error
  }
  return work.built(item)
}

class Builder {
  constructor(
    private readonly view: ItemView,
    private readonly itemNamed: (name: string) => DataItem,
    private readonly work: BuildWork,
  ) {}

  /** `path` leads to `data` and ends with a slash. */
  *build(structure: Structure, data: Data, path: string): Generator<void, Item> {
    switch (structure.kind) {
      case 'nothing':
        return NOTHING
      case 'item':
        return yield* this.#item(structure.name, structure.many, data, path)
      case 'items':
        return yield* this.#items(structure.name, data, path)
      case 'list':
        if (structure.mayBeEmpty && !namesIn(structure).some((name) => given(data, name))) return NOTHING
        return yield* this.#list(structure.members, (member) => this.build(member, data, path))
      case 'group':
        return yield* this.#group(structure, data, path)
      case 'choice':
        return yield* this.build(chosen(structure, data), data, path)
    }
  }

  refuseUnknown(structure: Structure, data: Data, path: string): void {
    const names = allowedNames(structure, data)
    for (const name of Object.keys(data)) {
      if (names.includes(name)) continue
      this.work.report(path + name, () =>
        names.length === 0
          ? 'is not known here: there are none here'
          : `is not known here: there is ${names.join(', ')}`,
      )
    }
  }

  *#list<T>(
    values: ArrayLike<T>,
    make: (value: T, at: number) => Generator<void, Item>,
  ): Generator<void, Item> {
    // V8 copies an array that grows, and collects for long what it leaves.
    const items: Item[] = new Array(Math.min(values.length, MAX_ITEMS))
    for (let at = 0; at < values.length; at++) {
      if (this.work.due(1)) yield
      const item = yield* make(values[at] as T, at)
      // More are never sent: for wrong ones, which are not counted, it would grow.
      if (at < items.length) items[at] = item
    }
    return { format: 'L', items }
  }

  *#item(name: string, many: boolean, data: Data, path: string): Generator<void, Item> {
    if (given(data, name)) return yield* this.#leaf(name, data[name], many, path + name)
    if (many) return yield* this.#leaf(name, [], many, path + name)
    this.work.report(path + name, () => 'is missing')
    return NOTHING
  }

  *#items(name: string, data: Data, path: string): Generator<void, Item> {
    if (!given(data, name)) return NOTHING
    const value = data[name]
    const isArray = isJsonList(value)
    const values = isArray ? value : [value]
    return yield* this.#list(values, (one, at) =>
      this.#leaf(name, one, false, isArray ? `${path}${name}/${at}` : path + name),
    )
  }

  *#group({ name, member, closed }: Group, data: Data, path: string): Generator<void, Item> {
    if (!given(data, name)) {
      const isFlat = !closed && namesIn(member).some((inner) => given(data, inner))
      return isFlat ? { format: 'L', items: [yield* this.build(member, data, path)] } : NOTHING
    }
    const value = data[name]
    const isArray = isJsonList(value)
    const values = isArray ? value : [value]
    return yield* this.#list(values, (one, at) =>
      this.#row(member, one, isArray ? `${path}${name}/${at}` : path + name),
    )
  }

  *#row(member: Structure, row: unknown, place: string): Generator<void, Item> {
    if (isData(row)) {
      this.refuseUnknown(member, row, `${place}/`)
      return yield* this.build(member, row, `${place}/`)
    }
    this.work.report(place, () => `takes an object with ${namesIn(member).join(', ')}`)
    if (this.work.due(FAULT_WORK)) yield
    return NOTHING
  }

  *#leaf(name: string, value: unknown, many: boolean, place: string): Generator<void, Item> {
    try {
      return yield* leafSteps(this.itemNamed(name), value, many, this.view, this.work)
    } catch (error) {
      if (error instanceof TooManyItems)
        this.work.report(place, () => `is one of more than ${MAX_ITEMS} items`)
      if (!(error instanceof LeafError)) throw error
      this.work.report(place, () => error.message)
      if (this.work.due(FAULT_WORK)) yield
      return NOTHING
    }
  }
}

/** The names that `data` may have at its top level: a group is given as a whole, or its one member flat. */
function allowedNames(structure: Structure, data: Data): readonly string[] {
  if (structure.kind === 'list') return structure.members.flatMap((member) => allowedNames(member, data))
  if (structure.kind === 'choice') return allowedNames(chosen(structure, data), data)
  if (structure.kind !== 'group') return namesIn(structure)
  if (structure.closed || given(data, structure.name)) return [structure.name]
  return [structure.name, ...allowedNames(structure.member, data)]
}

/** The first alternative that has all given names, or else the first. */
function chosen({ alternatives }: Choice, data: Data): Structure {
  const wanted = alternatives.flatMap(namesIn).filter((name) => given(data, name))
  return (
    alternatives.find((alternative) => {
      const names = namesIn(alternative)
      return wanted.every((name) => names.includes(name))
    }) ?? alternatives[0]
  )
}

/** Null counts as left out. */
const given = (data: Data, name: string): boolean =>
  Object.hasOwn(data, name) && data[name] !== undefined && data[name] !== null
