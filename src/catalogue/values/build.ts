import type { Item } from '../../secs2/item.js'
import { MAX_ITEMS } from '../../secs2/limits.js'
import type { DataItem } from '../data-item.js'
import { type Choice, type Group, namesIn, type Structure } from '../structure/structure.js'
import type { Look } from '../view.js'
import { BuildWork, TooManyItems } from './build-work.js'
import { LeafError, leafSteps } from './leaf.js'

/** What is wrong with one named item. */
export interface ItemProblem {
  /** The item's name, behind where it stands: `SVID`, `PARAMS/0/CPVAL`. */
  readonly item: string
  readonly detail: string
}

/** What came of building: an item (none for a header-only message), and what is wrong with it. */
export interface Built {
  readonly item: Item | undefined
  readonly problems: readonly ItemProblem[]
  /** How many problems there are beside those that are told. */
  readonly more: number
}

/** The most problems that are told: one message may have a wrong item a million times. */
const MAX_PROBLEMS = 100

type Data = Readonly<Record<string, unknown>>

/** What a problem costs, in values: an error is made of it. */
const FAULT_WORK = 16

/** What stands in for a part that cannot be built, until the problems are told. */
const NOTHING: Item = { format: 'L', items: [] }

/** Builds the item of named data, in steps. `itemNamed` knows the items that the structure names. */
export function* buildSteps(
  structure: Structure,
  data: Data,
  view: Look,
  itemNamed: (name: string) => DataItem,
): Generator<void, Built> {
  const builder = new Builder(view, itemNamed)
  builder.refuseUnknown(structure, data, '')
  let item: Item | undefined
  try {
    if (structure.kind !== 'nothing') item = yield* builder.build(structure, data, '')
  } catch (error) {
    if (!(error instanceof TooManyItems)) throw error
  }
  return { item, problems: builder.problems, more: builder.more }
}

class Builder {
  readonly problems: ItemProblem[] = []
  more = 0
  readonly #work = new BuildWork()

  constructor(
    private readonly view: Look,
    private readonly itemNamed: (name: string) => DataItem,
  ) {}

  /** `path` is where `data` stands, with a slash at its end. */
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
      this.#tell(path + name, () =>
        names.length === 0
          ? 'is not known here: there are none here'
          : `is not known here: there is ${names.join(', ')}`,
      )
    }
  }

  *#list<T>(
    values: readonly T[],
    make: (value: T, at: number) => Generator<void, Item>,
  ): Generator<void, Item> {
    const items: Item[] = []
    for (let at = 0; at < values.length; at++) {
      if (this.#work.due(1)) yield
      items.push(yield* make(values[at] as T, at))
    }
    return { format: 'L', items }
  }

  *#item(name: string, many: boolean, data: Data, path: string): Generator<void, Item> {
    if (given(data, name)) return yield* this.#leaf(name, data[name], many, path + name)
    if (many) return yield* this.#leaf(name, [], many, path + name)
    this.#tell(path + name, () => 'is missing')
    return NOTHING
  }

  *#items(name: string, data: Data, path: string): Generator<void, Item> {
    if (!given(data, name)) return NOTHING
    const value = data[name]
    const isArray = Array.isArray(value)
    const values: readonly unknown[] = isArray ? value : [value]
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
    const isArray = Array.isArray(value)
    const values: readonly unknown[] = isArray ? value : [value]
    return yield* this.#list(values, (one, at) =>
      this.#row(member, one, isArray ? `${path}${name}/${at}` : path + name),
    )
  }

  *#row(member: Structure, row: unknown, place: string): Generator<void, Item> {
    if (isData(row)) {
      this.refuseUnknown(member, row, `${place}/`)
      return yield* this.build(member, row, `${place}/`)
    }
    this.#tell(place, () => `takes an object with ${namesIn(member).join(', ')}`)
    if (this.#work.due(FAULT_WORK)) yield
    return NOTHING
  }

  #tell(item: string, detail: () => string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ item, detail: detail() })
    else this.more++
  }

  *#leaf(name: string, value: unknown, many: boolean, place: string): Generator<void, Item> {
    try {
      return yield* leafSteps(this.itemNamed(name), value, many, this.view, this.#work)
    } catch (error) {
      if (error instanceof TooManyItems) this.#tell(place, () => `is one of more than ${MAX_ITEMS} items`)
      if (!(error instanceof LeafError)) throw error
      this.#tell(place, () => error.message)
      if (this.#work.due(FAULT_WORK)) yield
      return NOTHING
    }
  }
}

/** The names that may stand beside each other in `data`: a group is given whole, or its one member flat. */
function allowedNames(structure: Structure, data: Data): readonly string[] {
  if (structure.kind === 'list') return structure.members.flatMap((member) => allowedNames(member, data))
  if (structure.kind === 'choice') return allowedNames(chosen(structure, data), data)
  if (structure.kind !== 'group') return namesIn(structure)
  if (structure.closed || given(data, structure.name)) return [structure.name]
  return [structure.name, ...allowedNames(structure.member, data)]
}

/** The first alternative that has all the names which are given, or else the first. */
function chosen({ alternatives }: Choice, data: Data): Structure {
  const wanted = alternatives.flatMap(namesIn).filter((name) => given(data, name))
  return (
    alternatives.find((alternative) => {
      const names = namesIn(alternative)
      return wanted.every((name) => names.includes(name))
    }) ?? alternatives[0]
  )
}

/** Null is as good as left out. */
const given = (data: Data, name: string): boolean =>
  Object.hasOwn(data, name) && data[name] !== undefined && data[name] !== null

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
