import { characterShown, shortened } from '../wording.js'
import { SmlError } from './error.js'

export type TokenKind =
  | 'open'
  | 'close'
  | 'left'
  | 'right'
  | 'dot'
  | 'range'
  | 'colon'
  | 'comma'
  | 'equals'
  | 'direction'
  | 'word'
  | 'number'
  | 'string'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  /** As written; of a string, what it says. */
  readonly text: string
  /** Where it begins in the text. */
  readonly at: number
}

const PUNCTUATION: Readonly<Record<string, TokenKind>> = {
  '<': 'open',
  '>': 'close',
  '[': 'left',
  ']': 'right',
  '.': 'dot',
  ':': 'colon',
  ',': 'comma',
  '=': 'equals',
}

/** What ends the string that a quote begins. Word processors make curved quotes of straight ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\u2018': '\u2019',
  '\u201c': '\u201d',
}

/** White space and comments: `//`, `#` and `*` (PEER Group's) to the end of the line, and as in C. */
const SPACE = /[\s\ufeff]+|(?:\/\/|[#*])[^\n]*|\/\*[\s\S]*?\*\//y
const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?![\p{L}\p{N}_])/iuy
/** What begins as a number does. */
const LIKE_A_NUMBER = /[+-]?\d[\p{L}\p{N}_.]*/uy
/** Who sends, as some write behind the header: `H->E`. */
const DIRECTION = /[HE](?:<->|<-|->)[HE](?![\p{L}\p{N}_-])/iuy
const WORD = /[\p{L}_][\p{L}\p{N}_-]*/uy
const ESCAPE = /\\(?:([\\"'])|[xX]([0-9a-fA-F]{2}))/y

/** Reads SML text token by token, looking no further ahead than two. */
export class Tokens {
  readonly #text: string
  #at = 0
  #next: Token | undefined
  #second: Token | undefined
  #passed = 0

  constructor(text: string) {
    this.#text = text
  }

  peek(): Token {
    this.#next ??= this.#read()
    return this.#next
  }

  /** The token behind the next one. */
  peekSecond(): Token {
    this.peek()
    this.#second ??= this.#read()
    return this.#second
  }

  /** How many tokens have been taken. */
  get passed(): number {
    return this.#passed
  }

  take(): Token {
    const token = this.peek()
    this.#next = this.#second
    this.#second = undefined
    this.#passed++
    return token
  }

  /** Takes the next token when it is of `kind`. */
  taken(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.take() : undefined
  }

  /** Takes the next token, which has to be of `kind`; `expected` names it for a person. */
  expect(kind: TokenKind, expected: string): Token {
    return this.taken(kind) ?? this.fail(expected)
  }

  /** Fails at the next token, or at the one given. `found` is what the token says unless given. */
  fail(expected: string, token: Token = this.peek(), found: string = describe(token)): never {
    throw this.#error(token.at, expected, found)
  }

  #read(): Token {
    this.#skip()
    const at = this.#at
    const character = this.#text[at]
    if (character === undefined) return { kind: 'end', text: '', at }
    const closing = CLOSING[character]
    if (closing !== undefined) return { kind: 'string', text: this.#string(closing), at }
    if (this.#text.startsWith('..', at)) {
      this.#at += 2
      return { kind: 'range', text: '..', at }
    }
    const number = this.#match(NUMBER)
    if (number !== undefined) return { kind: 'number', text: number, at }
    const like = this.#match(LIKE_A_NUMBER)
    if (like !== undefined) throw this.#error(at, 'a number', shortened(like))
    const kind = PUNCTUATION[character]
    if (kind !== undefined) {
      this.#at++
      return { kind, text: character, at }
    }
    const direction = this.#match(DIRECTION)
    if (direction !== undefined) return { kind: 'direction', text: direction, at }
    const word = this.#match(WORD)
    if (word !== undefined) return { kind: 'word', text: word, at }
    if (character === ';' || this.#text.startsWith('--', at)) {
      throw this.#error(
        at,
        'SML (a comment is // or # to the end of the line, or /* ... */)',
        character === ';' ? '";"' : '"--"',
      )
    }
    throw this.#error(at, 'SML', characterShown(this.#text, at))
  }

  #skip(): void {
    // One by one: a pattern for all of them would exhaust its stack on millions.
    while (this.#match(SPACE) !== undefined);
    if (this.#text.startsWith('/*', this.#at))
      throw this.#error(this.#at, '*/ at the end of the comment', 'the end of the text')
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #string(quote: string): string {
    const start = this.#at++
    let said = ''
    for (let from = this.#at; ; ) {
      const character = this.#text[this.#at]
      if (character === undefined || character === '\n' || character === '\r') {
        throw this.#error(
          start,
          `a string with ${quote} at its end`,
          `a string that goes on to the end of the ${character ? 'line' : 'text'}`,
        )
      }
      if (character === quote || character === '\\') said += this.#text.slice(from, this.#at)
      if (character === quote) {
        this.#at++
        return said
      }
      if (character === '\\') {
        said += this.#escape()
        from = this.#at
      } else {
        this.#at++
      }
    }
  }

  #escape(): string {
    ESCAPE.lastIndex = this.#at
    const found = ESCAPE.exec(this.#text)
    if (!found) {
      const [behind = ''] = this.#text.slice(this.#at + 1, this.#at + 3)
      const rest = `\\${behind}`
      throw this.#error(
        this.#at,
        `\\\\, \\", \\' or \\x and two hex digits (a backslash is written \\\\)`,
        rest,
      )
    }
    this.#at += found[0].length
    return found[1] ?? String.fromCharCode(Number.parseInt(found[2] ?? '0', 16))
  }

  #error(at: number, expected: string, found: string): SmlError {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    return new SmlError(line, at - before.lastIndexOf('\n'), expected, found)
  }
}

function describe({ kind, text }: Token): string {
  if (kind === 'end') return 'the end of the text'
  return kind === 'string' ? `the string ${JSON.stringify(shortened(text))}` : shortened(text)
}
