import { joinSteps } from '../../kit/text/join-steps.js'
import { characterShown, shortened } from '../wording.js'
import { SmlError } from './error.js'
import { BACKSLASH, MAX_WORD_LENGTH, NEWLINE, plainToken, RETURN, spaceEnd } from './plain-tokens.js'
import type { Token, TokenKind } from './token.js'

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

/** The closing quote of each opening quote. Word processors turn straight quotes into curved ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\u2018': '\u2019',
  '\u201c': '\u201d',
}

const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)(?![\p{L}\p{N}_])/iuy
/** Text that begins like a number. */
const LIKE_A_NUMBER = /[+-]?\d[\p{L}\p{N}_.]*/uy
/** Who sends, as some write after the header: `H->E`. */
const DIRECTION = /[HE](?:<->|<-|->)[HE](?![\p{L}\p{N}_-])/iuy
const WORD = /[\p{L}_][\p{L}\p{N}_-]*/uy
/** Codes of the characters that may follow a backslash to stand for themselves. */
const ESCAPED: readonly number[] = [BACKSLASH, 0x22, 0x27]
const BYTE_ESCAPE = /\\[xX]([0-9a-fA-F]{2})/y

/** Tokens that are read in one step. */
const STEP = 1024
/** Long strings take their time, too. */
const CHARACTERS_A_TOKEN = 16
/** Characters of a string that are read at once. */
const CHUNK = 16 * 1024
/** Reads SML text token by token, looking no further ahead than two. */
export class Tokens {
  readonly #text: string
  #at = 0
  #next: Token | undefined
  #second: Token | undefined
  #passed = 0
  #paused = 0
  /** The string that was begun last. */
  #string: OpenString = { start: 0, closing: 0, unended: false }

  constructor(text: string) {
    this.#text = text
  }

  peek(): Token {
    this.#next ??= this.#read()
    return this.#next
  }

  /** The token after the next one. */
  peekSecond(): Token {
    this.peek()
    this.#second ??= this.#read()
    return this.#second
  }

  /** Whether enough was read for one step; then it is begun anew. */
  get due(): boolean {
    const work = this.#passed + this.#at / CHARACTERS_A_TOKEN
    if (work - this.#paused < STEP) return false
    this.#paused = work
    return true
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

  /** Takes a string with all of its text: one that is cut is read to its end, a chunk at a time. */
  *takeString(): Generator<void, string> {
    const { text } = this.take()
    if (!this.#string.unended) return text
    const pieces = [text]
    while (this.#string.unended) {
      yield
      pieces.push(this.#piece(this.#string))
    }
    return yield* joinSteps(pieces)
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
    const { start, unended } = this.#string
    if (unended) throw this.#error(start, `a name of less than ${CHUNK} characters`, 'a longer one')
    this.#skip()
    const at = this.#at
    const character = this.#text[at]
    if (character === undefined) return { kind: 'end', text: '', at }
    const plain = plainToken(this.#text, at)
    if (plain) {
      this.#at += plain.text.length
      return plain
    }
    const closing = CLOSING[character]
    if (closing !== undefined) {
      this.#at++
      this.#string = { start: at, closing: closing.charCodeAt(0), unended: true }
      return { kind: 'string', text: this.#piece(this.#string), at }
    }
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
    this.#at = spaceEnd(this.#text, this.#at)
    if (this.#text.startsWith('/*', this.#at))
      throw this.#error(this.#at, '*/ at the end of the comment', 'the end of the text')
  }

  /** What a pattern finds here. A number or word that is too long to be one is refused. */
  #match(pattern: RegExp): string | undefined {
    const near = this.#text.slice(this.#at, this.#at + MAX_WORD_LENGTH + 1)
    pattern.lastIndex = 0
    const found = pattern.exec(near)?.[0]
    if (found !== undefined && found.length > MAX_WORD_LENGTH) {
      throw this.#error(
        this.#at,
        `a number or word of at most ${MAX_WORD_LENGTH} characters`,
        shortened(found),
      )
    }
    this.#at += found?.length ?? 0
    return found
  }

  /** Reads the string that is read up to `#at`, to its end or a chunk further. */
  #piece(string: OpenString): string {
    const source = this.#text
    const most = this.#at + CHUNK
    const units: string[] = []
    let from = this.#at
    let at = from
    for (; at < most; at++) {
      const code = source.charCodeAt(at)
      if (code === string.closing) break
      if (code === NEWLINE || code === RETURN || Number.isNaN(code)) {
        throw this.#error(
          string.start,
          `a string with ${String.fromCharCode(string.closing)} at its end`,
          `a string that runs to the end of the ${Number.isNaN(code) ? 'text' : 'line'}`,
        )
      }
      if (code !== BACKSLASH) continue
      units.push(source.slice(from, at))
      if (ESCAPED.includes(source.charCodeAt(at + 1))) from = ++at
      else {
        units.push(this.#byte(at))
        from = this.#at
        at = from - 1
      }
    }
    units.push(source.slice(from, at))
    string.unended = at >= most
    this.#at = string.unended ? at : at + 1
    return units.length === 1 ? (units[0] ?? '') : units.join('')
  }

  /** The character of the escape of a byte at `at`; moves past it. */
  #byte(at: number): string {
    BYTE_ESCAPE.lastIndex = at
    const found = BYTE_ESCAPE.exec(this.#text)
    if (!found) {
      const [next = ''] = this.#text.slice(at + 1, at + 3)
      const rest = `\\${next}`
      throw this.#error(at, `\\\\, \\", \\' or \\x and two hex digits (a backslash is written \\\\)`, rest)
    }
    this.#at = at + found[0].length
    return String.fromCharCode(Number.parseInt(found[1] ?? '0', 16))
  }

  #error(at: number, expected: string, found: string): SmlError {
    let line = 1
    for (let place = 0; place < at; place++) if (this.#text.charCodeAt(place) === NEWLINE) line++
    const column = at === 0 ? 1 : at - this.#text.lastIndexOf('\n', at - 1)
    return new SmlError(line, column, expected, found)
  }
}

/** A string whose end has not been read. */
interface OpenString {
  readonly start: number
  /** Code of the quote that ends it. */
  readonly closing: number
  unended: boolean
}

function describe({ kind, text }: Token): string {
  if (kind === 'end') return 'the end of the text'
  return kind === 'string' ? `the string ${JSON.stringify(shortened(text))}` : shortened(text)
}
