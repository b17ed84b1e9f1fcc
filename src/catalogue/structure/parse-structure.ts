import { namesIn, type Structure } from './structure.js'

/** A text that is not valid in the notation. */
export class StructureError extends Error {
  override readonly name = 'StructureError'

  constructor(
    /** Where in the text, from 0. */
    readonly at: number,
    /** What was expected there, and what was found. */
    readonly detail: string,
  ) {
    super(`${detail}, at character ${at + 1}`)
  }
}

/** The greatest depth of nested lists. */
const MAX_NESTING = 32

/** The structure that a text describes. Throws `StructureError`. */
export function parseStructure(text: string): Structure {
  const parser = new Parser(text)
  return parser.isAtEnd ? { kind: 'nothing' } : parser.whole()
}

const TOKEN = /\s*(<|>|\(|\||\)|\.\.\.|\?|[A-Z][A-Z0-9_]*|$)/y
const NAME = /^[A-Z]/

class Parser {
  readonly #text: string
  #token = ''
  /** The position of the token, and where the search for the next one begins. */
  #at = 0
  #next = 0

  constructor(text: string) {
    this.#text = text
    this.#advance()
  }

  get isAtEnd(): boolean {
    return this.#token === ''
  }

  whole(): Structure {
    const structure = this.#structure(0)
    if (!this.isAtEnd) throw this.#expected('the end')
    return structure
  }

  #structure(above: number): Structure {
    if (above > MAX_NESTING) throw new StructureError(this.#at, `lists nest deeper than ${MAX_NESTING}`)
    if (this.#take('(')) return this.#choice(above)
    this.#need('<', '"<" or "("')
    const name = this.#name('"L" or the name of an item')
    if (name !== 'L') {
      const many = this.#take('...')
      this.#need('>', many ? '">"' : '">" or "..."')
      return { kind: 'item', name, many }
    }
    const mayBeEmpty = this.#take('?')
    if (!mayBeEmpty && NAME.test(this.#token)) return this.#group(above)
    return this.#list(mayBeEmpty, above)
  }

  #choice(above: number): Structure {
    const alternatives: [Structure, ...Structure[]] = [this.#structure(above + 1)]
    while (this.#take('|')) alternatives.push(this.#structure(above + 1))
    this.#need(')', '"|" or ")"')
    return { kind: 'choice', alternatives }
  }

  #group(above: number): Structure {
    const name = this.#name('the name of what repeats')
    this.#need('...', '"..."')
    const member = this.#structure(above + 1)
    this.#need('>', '">"')
    return { kind: 'group', name, member }
  }

  #list(mayBeEmpty: boolean, above: number): Structure {
    const members: Structure[] = []
    while (this.#token === '<' || this.#token === '(') {
      const member = this.#structure(above + 1)
      if (member.kind === 'item' && members.length === 0 && !mayBeEmpty && this.#take('...')) {
        this.#need('>', '">"')
        return { kind: 'items', name: member.name }
      }
      members.push(member)
    }
    this.#need('>', '"<", "(" or ">"')
    return { kind: 'list', mayBeEmpty, members: withClosedGroups(members) }
  }

  #name(wanted: string): string {
    const name = this.#token
    if (!NAME.test(name)) throw this.#expected(wanted)
    this.#advance()
    return name
  }

  #take(token: string): boolean {
    if (this.#token !== token) return false
    this.#advance()
    return true
  }

  #need(token: string, wanted: string): void {
    if (!this.#take(token)) throw this.#expected(wanted)
  }

  #advance(): void {
    TOKEN.lastIndex = this.#next
    const found = TOKEN.exec(this.#text)
    if (!found) {
      const at = this.#text.slice(this.#next).search(/\S/) + this.#next
      throw new StructureError(at, `${JSON.stringify(this.#text[at])} is no part of a structure`)
    }
    this.#token = found[1] ?? ''
    this.#next = TOKEN.lastIndex
    this.#at = this.#next - this.#token.length
  }

  #expected(wanted: string): StructureError {
    const met = this.isAtEnd ? 'the text ends' : `found "${this.#token}"`
    return new StructureError(this.#at, `${wanted} expected, but ${met}`)
  }
}

/** The members of a list. A group is closed if another member has one of its names. */
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
