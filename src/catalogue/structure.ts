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

const TOKEN = /\s*(<|>|\(|\||\)|\.\.\.|\?|[A-Z][A-Z0-9]*)/y

/** Reads the notation. An Error for what is not in it: a mistake in a catalogue. */
export function parseStructure(text: string): Structure {
  if (text.trim() === '') return { kind: 'nothing' }
  const tokens = tokensOf(text)
  const structure = takeStructure(tokens, text)
  if (tokens.length > 0) throw misread(text, tokens)
  return structure
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) tokens.push(found[1] ?? '')
  const written = text.replace(/\s/g, '').length
  if (tokens.join('').length !== written) throw new Error(`a character that is no structure in ${text}`)
  return tokens
}

function takeStructure(tokens: string[], text: string): Structure {
  const take = (wanted: string): boolean => {
    if (tokens[0] !== wanted) return false
    tokens.shift()
    return true
  }
  const need = (wanted: string): void => {
    if (!take(wanted)) throw misread(text, tokens)
  }
  const takeName = (): string => {
    const name = tokens.shift()
    if (name === undefined || !/^[A-Z]/.test(name)) throw misread(text, [name ?? '', ...tokens])
    return name
  }

  if (take('(')) {
    const alternatives: [Structure, ...Structure[]] = [takeStructure(tokens, text)]
    while (take('|')) alternatives.push(takeStructure(tokens, text))
    need(')')
    return { kind: 'choice', alternatives }
  }
  need('<')
  const name = takeName()
  if (name !== 'L') {
    const many = take('...')
    need('>')
    return { kind: 'item', name, many }
  }
  const mayBeEmpty = take('?')
  if (tokens[0] !== '>' && !startsStructure(tokens)) {
    const group = takeName()
    need('...')
    const member = takeStructure(tokens, text)
    need('>')
    return { kind: 'group', name: group, member }
  }
  const members: Structure[] = []
  while (startsStructure(tokens)) {
    const member = takeStructure(tokens, text)
    if (member.kind === 'item' && members.length === 0 && take('...')) {
      need('>')
      return { kind: 'items', name: member.name }
    }
    members.push(member)
  }
  need('>')
  return { kind: 'list', mayBeEmpty, members: withClosedGroups(members) }
}

const startsStructure = (tokens: readonly string[]): boolean => tokens[0] === '<' || tokens[0] === '('

/** Members of a list, whose groups are closed where a name in them would mean two things at its level. */
function withClosedGroups(members: readonly Structure[]): readonly Structure[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const name of members.flatMap(namesIn)) (seen.has(name) ? twice : seen).add(name)
  return twice.size === 0 ? members : members.map((member) => closed(member, twice))
}

function closed(structure: Structure, names: ReadonlySet<string>): Structure {
  switch (structure.kind) {
    case 'list':
      return { ...structure, members: structure.members.map((member) => closed(member, names)) }
    case 'choice': {
      const [first, ...others] = structure.alternatives
      return {
        ...structure,
        alternatives: [closed(first, names), ...others.map((other) => closed(other, names))],
      }
    }
    case 'group':
      return namesIn(structure.member).some((name) => names.has(name))
        ? { ...structure, closed: true }
        : structure
    default:
      return structure
  }
}

const misread = (text: string, left: readonly string[]): Error =>
  new Error(`${left[0] === undefined ? 'an end' : `"${left[0]}"`} that does not belong there in ${text}`)

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
