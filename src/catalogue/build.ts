import type { Item } from '../secs2/item.js'
import type { DataItem } from './data-item.js'
import { buildLeaf, LeafError } from './leaf.js'
import { type Choice, type Group, namesIn, type Structure } from './structure.js'
import type { Look } from './view.js'

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
const MOST_PROBLEMS = 100

type Data = Readonly<Record<string, unknown>>

/** What stands in for a part that cannot be built, until the problems are told. */
const NOTHING: Item = { format: 'L', items: [] }

/** Builds the item of named data. `itemNamed` knows the items that the structure names. */
export function build(
  structure: Structure,
  data: Data,
  view: Look,
  itemNamed: (name: string) => DataItem,
): Built {
  const builder = new Builder(view, itemNamed)
  builder.refuseUnknown(structure, data, '')
  const item = structure.kind === 'nothing' ? undefined : builder.build(structure, data, '')
  return { item, problems: builder.problems, more: builder.more }
}

class Builder {
  readonly problems: ItemProblem[] = []
  more = 0

  constructor(
    private readonly view: Look,
    private readonly itemNamed: (name: string) => DataItem,
  ) {}

  /** `path` is where `data` stands, with a slash at its end. */
  build(structure: Structure, data: Data, path: string): Item {
    switch (structure.kind) {
      case 'nothing':
        return NOTHING
      case 'item':
        return this.#item(structure.name, structure.many, data, path)
      case 'items':
        return this.#items(structure.name, data, path)
      case 'list':
        if (structure.mayBeEmpty && !namesIn(structure).some((name) => given(data, name))) return NOTHING
        return { format: 'L', items: structure.members.map((member) => this.build(member, data, path)) }
      case 'group':
        return this.#group(structure, data, path)
      case 'choice':
        return this.build(chosen(structure, data), data, path)
    }
  }

  refuseUnknown(structure: Structure, data: Data, path: string): void {
    const names = allowedNames(structure, data)
    for (const name of Object.keys(data)) {
      if (names.includes(name)) continue
      const known = names.length === 0 ? 'there are none here' : `there is ${names.join(', ')}`
      this.#tell(path + name, `is not known here: ${known}`)
    }
  }

  #item(name: string, many: boolean, data: Data, path: string): Item {
    if (given(data, name)) return this.#leaf(name, data[name], many, path + name)
    if (many) return this.#leaf(name, [], many, path + name)
    this.#tell(path + name, 'is missing')
    return NOTHING
  }

  #items(name: string, data: Data, path: string): Item {
    if (!given(data, name)) return NOTHING
    const value = data[name]
    if (!Array.isArray(value)) return { format: 'L', items: [this.#leaf(name, value, false, path + name)] }
    return {
      format: 'L',
      items: value.map((one, at) => this.#leaf(name, one, false, `${path}${name}/${at}`)),
    }
  }

  #group({ name, member, closed }: Group, data: Data, path: string): Item {
    if (!given(data, name)) {
      const isFlat = !closed && namesIn(member).some((inner) => given(data, inner))
      return isFlat ? { format: 'L', items: [this.build(member, data, path)] } : NOTHING
    }
    const value = data[name]
    const isArray = Array.isArray(value)
    const items = (isArray ? value : [value]).map((one: unknown, at): Item => {
      const place = isArray ? `${path}${name}/${at}` : path + name
      if (!isData(one)) {
        this.#tell(place, `takes an object with ${namesIn(member).join(', ')}`)
        return NOTHING
      }
      this.refuseUnknown(member, one, `${place}/`)
      return this.build(member, one, `${place}/`)
    })
    return { format: 'L', items }
  }

  #tell(item: string, detail: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ item, detail })
    else this.more++
  }

  #leaf(name: string, value: unknown, many: boolean, place: string): Item {
    try {
      return buildLeaf(this.itemNamed(name), value, many, this.view)
    } catch (error) {
      if (!(error instanceof LeafError)) throw error
      this.#tell(place, error.message)
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
