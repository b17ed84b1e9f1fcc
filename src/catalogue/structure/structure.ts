/**
 * What a message's body may be. Written down as text:
 *
 * - nothing at all: header-only
 * - `<MDLN>`: a data item
 * - `<ALID...>`: one item that holds any number of values
 * - `<L <MDLN> <SOFTREV>>`: a list of exactly these
 * - `<L? <MDLN> <SOFTREV>>`: a list of exactly these, or an empty one
 * - `<L <SVID>...>`: a list of any number of one item, which is named after it
 * - `<L PARAMS... <L <CPNAME> <CPVAL>>>`: a list of any number of what stands inside, named as it says
 * - `(<L <MID>...> | <L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>>)`: one of these
 *
 * A group whose names stand elsewhere at its level too, as in `<L <L PARAMS... <L <NAME> <VALUE>>> <L <NAME>...>>`,
 * is closed: its members are given whole and never flat.
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

/** The names that data for a structure may use at its own level: a group's one member may be given flat. */
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
