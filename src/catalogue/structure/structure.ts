/**
 * The structure of a message's body. Its notation:
 *
 * - nothing at all: header-only
 * - `<MDLN>`: a data item
 * - `<ALID...>`: one item that holds any number of values
 * - `<L <MDLN> <SOFTREV>>`: a list of exactly these
 * - `<L? <MDLN> <SOFTREV>>`: a list of exactly these, or an empty one
 * - `<L <SVID>...>`: a list of any number of one item, which is named after it
 * - `<L PARAMS... <L <CPNAME> <CPVAL>>>`: a list that repeats the structure inside; its name in named data is `PARAMS`
 * - `(<L <MID>...> | <L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>>)`: one of these
 *
 * A group is closed if one of its names is also outside it at the same level, as in
 * `<L <L PARAMS... <L <NAME> <VALUE>>> <L <NAME>...>>`. Its members are given as objects, never flat.
 */
export type Structure =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'item'; readonly name: string; readonly many: boolean }
  | { readonly kind: 'list'; readonly mayBeEmpty: boolean; readonly members: readonly Structure[] }
  | { readonly kind: 'items'; readonly name: string }
  | Group
  | Choice

export interface Group {
  readonly kind: 'group'
  readonly name: string
  readonly member: Structure
  readonly closed?: true
}

export interface Choice {
  readonly kind: 'choice'
  readonly alternatives: readonly [Structure, ...Structure[]]
}

/** The names that named data may have at the top level of a structure: the one member of a group may be given flat. */
export function namesIn(structure: Structure): readonly string[] {
  switch (structure.kind) {
    case 'nothing':
      return []
    case 'item':
    case 'items':
      return [structure.name]
    case 'list':
      return structure.members.flatMap(namesIn)
    case 'group':
      return structure.closed ? [structure.name] : [structure.name, ...namesIn(structure.member)]
    case 'choice':
      return [...new Set(structure.alternatives.flatMap(namesIn))]
  }
}

/** The data items of a structure at any depth, each once, in order. */
export const itemNames = (structure: Structure): readonly string[] => [...new Set(allItemNames(structure))]

function allItemNames(structure: Structure): readonly string[] {
  switch (structure.kind) {
    case 'group':
      return allItemNames(structure.member)
    case 'list':
      return structure.members.flatMap(allItemNames)
    case 'choice':
      return structure.alternatives.flatMap(allItemNames)
    default:
      return namesIn(structure)
  }
}

/** Whether data that `structure` reads have every name of `wanted`, with values of the same shape. */
export function coversShape(structure: Structure, wanted: Structure): boolean {
  const shape = shapeOf(structure)
  return [...shapeOf(wanted)].every(([name, kind]) => shape.get(name) === kind)
}

/** The shape of each name: a value, values, or the shape of its rows. */
function shapeOf(structure: Structure): ReadonlyMap<string, string> {
  switch (structure.kind) {
    case 'nothing':
      return new Map()
    case 'item':
      return new Map([[structure.name, structure.many ? 'values or value' : 'value']])
    case 'items':
      return new Map([[structure.name, 'values']])
    case 'group':
      return new Map([[structure.name, JSON.stringify([...shapeOf(structure.member)].sort())]])
    case 'list':
      return new Map(structure.members.flatMap((member) => [...shapeOf(member)]))
    case 'choice':
      return new Map([['|', JSON.stringify(structure.alternatives.map((one) => [...shapeOf(one)].sort()))]])
  }
}
