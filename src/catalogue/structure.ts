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
 */
export type Structure =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'item'; readonly name: string; readonly many: boolean }
  | { readonly kind: 'list'; readonly mayBeEmpty: boolean; readonly members: readonly Structure[] }
  | { readonly kind: 'items'; readonly name: string }
  | { readonly kind: 'group'; readonly name: string; readonly member: Structure }

const TOKEN = /\s*(<|>|\.\.\.|\?|[A-Z][A-Z0-9]*)/y

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

  need('<')
  const name = takeName()
  if (name !== 'L') {
    const many = take('...')
    need('>')
    return { kind: 'item', name, many }
  }
  const mayBeEmpty = take('?')
  if (tokens[0] !== '<' && tokens[0] !== '>') {
    const group = takeName()
    need('...')
    const member = takeStructure(tokens, text)
    need('>')
    return { kind: 'group', name: group, member }
  }
  const members: Structure[] = []
  while (tokens[0] === '<') {
    const member = takeStructure(tokens, text)
    if (member.kind === 'item' && members.length === 0 && take('...')) {
      need('>')
      return { kind: 'items', name: member.name }
    }
    members.push(member)
  }
  need('>')
  return { kind: 'list', mayBeEmpty, members }
}

const misread = (text: string, left: readonly string[]): Error =>
  new Error(`${left[0] === undefined ? 'an end' : `"${left[0]}"`} that does not belong there in ${text}`)

/** The names that data for a structure may use at its own level: a single group's member may be given flat. */
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
      return [structure.name, ...namesIn(structure.member)]
  }
}

/** The data items of a structure at any depth, each once, in order. */
export function itemNames(structure: Structure): readonly string[] {
  const names = (inner: Structure): readonly string[] =>
    inner.kind === 'group'
      ? names(inner.member)
      : inner.kind === 'list'
        ? inner.members.flatMap(names)
        : namesIn(inner)
  return [...new Set(names(structure))]
}
