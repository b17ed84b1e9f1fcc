import { joinSteps } from './join-steps.js'
import { JsonValues } from './json-list.js'

/** JSON that is deeper, or has more members in one object or longer names, than is read. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError'
}

export interface JsonStepsOptions {
  /** How deep arrays and objects may nest. */
  readonly maxDepth: number
  /** As `JSON.parse`, for parts of the text that are values. Has to refuse members called `__proto__`. */
  readonly parse: (text: string) => unknown
  /** Bytes that are read in one step, at least; for tests. */
  readonly chunk?: number
}

/** Bytes that are read in one step: a few milliseconds of work. */
const CHUNK = 128 * 1024
/** Members of one object. */
const MAX_MEMBERS = 100_000
/** Bytes of the longest number. */
const MAX_SCALAR = 2048

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
/** `u`, and how many characters with it follow the backslash. */
const UNICODE = 0x75
const UNICODE_LENGTH = 5
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_ARRAY = 0x5d
const CLOSE_OBJECT = 0x7d
/** `[` and `{`, `]` and `}` differ in one bit. */
const CASE_BIT = 0x20

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

type Members = Record<string, unknown>

/** An array or object whose end has not been read. */
type Open =
  | { readonly kind: 'array'; readonly values: JsonValues }
  | { readonly kind: 'object'; readonly members: Members; count: number; name: string }

/**
 * The value of JSON in UTF-8, as `JSON.parse` gives it, read in steps; an array of very many numbers is a Float64Array.
 * What fits in a step is read by `parse`, so only arrays, objects and strings that are longer are taken apart here.
 * Throws a SyntaxError, or a JsonLimitError.
 */
export function* jsonSteps(bytes: Buffer, options: JsonStepsOptions): Generator<void, unknown> {
  return yield* new JsonReader(bytes, options).value()
}

class JsonReader {
  #at = 0
  readonly #open: Open[] = []
  readonly #bytes: Buffer
  readonly #parse: (text: string) => unknown
  readonly #chunk: number
  readonly #maxDepth: number

  constructor(bytes: Buffer, { maxDepth, parse, chunk = CHUNK }: JsonStepsOptions) {
    this.#bytes = bytes
    this.#parse = parse
    this.#chunk = chunk
    this.#maxDepth = maxDepth
  }

  *value(): Generator<void, unknown> {
    if (this.#bytes.length <= this.#chunk) {
      this.#scan(0)
      return this.#parse(this.#bytes.toString())
    }
    for (let value = yield* this.#begin(); ; value = yield* this.#next()) {
      // A value was read that stands by itself; `undefined`: one was begun, or there is more to its parent.
      let read = value
      while (read !== undefined) {
        const parent = this.#open.at(-1)
        this.#space()
        if (!parent) {
          if (this.#at < this.#bytes.length) throw this.#wrong()
          return read
        }
        this.#put(parent, read)
        read = this.#separator(parent) ? undefined : yield* this.#end()
      }
    }
  }

  /** Reads the value that begins here; undefined for an array or object, which is entered. */
  *#begin(): Generator<void, unknown> {
    this.#space()
    const byte = this.#bytes[this.#at]
    if (byte === QUOTE) return yield* this.#string()
    if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) return this.#scalar()
    if (this.#open.length >= this.#maxDepth) throw this.#tooDeep()
    this.#at++
    this.#open.push(
      byte === OPEN_ARRAY
        ? { kind: 'array', values: new JsonValues() }
        : { kind: 'object', members: {}, count: 0, name: '' },
    )
    return undefined
  }

  /** Reads as many values of the innermost array or object as one step holds, or begins one that is longer. */
  *#next(): Generator<void, unknown> {
    yield
    const list = this.#open.at(-1) as Open
    const from = this.#at
    const { end, closed } = this.#scan(from)
    if (end > from || closed) {
      const isFirst = list.kind === 'array' ? list.values.length === 0 : list.count === 0
      const added = this.#putAll(list, this.#bytes.toString('utf8', from, end))
      if (added === 0 && !(closed && isFirst)) throw this.#wrong()
      this.#at = end
      return this.#separator(list) ? undefined : yield* this.#end()
    }
    if (list.kind === 'object') this.#name(list)
    return yield* this.#begin()
  }

  /**
   * Looks for the last comma between two values of the innermost array or object within one step, or for its end.
   * `end` is `from` where there is neither.
   */
  #scan(from: number): { readonly end: number; readonly closed: boolean } {
    const bytes = this.#bytes
    const most = Math.min(bytes.length, from + this.#chunk)
    const room = this.#maxDepth - this.#open.length
    let depth = 0
    let quoted = false
    let end = from
    for (let at = from; at < most; at++) {
      const byte = bytes[at] ?? 0
      if (quoted) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) quoted = false
      } else if (byte === QUOTE) quoted = true
      else if (byte === COMMA) end = depth === 0 ? at : end
      else if ((byte | CASE_BIT) === OPEN_OBJECT) {
        if (++depth > room) throw this.#tooDeep()
      } else if ((byte | CASE_BIT) === CLOSE_OBJECT && --depth < 0 && this.#open.length > 0) {
        return { end: at, closed: true }
      }
    }
    return { end, closed: false }
  }

  /** Puts the values of `text`, which has no brackets round them; answers how many there were. */
  #putAll(list: Open, text: string): number {
    if (list.kind === 'array') {
      const values = this.#read(`[${text}]`) as unknown[]
      list.values.add(values)
      return values.length
    }
    const members = Object.entries(this.#read(`{${text}}`) as Members)
    list.count += members.length
    if (list.count > MAX_MEMBERS) throw new JsonLimitError(`an object has more than ${MAX_MEMBERS} members`)
    for (const [name, value] of members) list.members[name] = value
    return members.length
  }

  #put(list: Open, value: unknown): void {
    if (list.kind === 'array') list.values.add([value])
    else {
      // A parser that refuses `constructor.prototype` has not seen both together.
      const isPrototype = list.name === 'constructor' && typeof value === 'object' && value !== null
      if (isPrototype && Object.hasOwn(value, 'prototype')) this.#parse('{"constructor":{"prototype":0}}')
      list.count++
      list.members[list.name] = value
    }
  }

  /** Takes the comma or bracket after a value; true for a comma. */
  #separator(list: Open): boolean {
    this.#space()
    const byte = this.#bytes[this.#at]
    if (byte !== COMMA && byte !== (list.kind === 'array' ? CLOSE_ARRAY : CLOSE_OBJECT)) throw this.#wrong()
    this.#at++
    return byte === COMMA
  }

  *#end(): Generator<void, unknown> {
    const list = this.#open.pop() as Open
    return list.kind === 'array' ? yield* list.values.list() : list.members
  }

  /** Takes the name of a member, and the colon. */
  #name(list: Open & { readonly kind: 'object' }): void {
    this.#space()
    const from = this.#at
    if (this.#bytes[from] !== QUOTE) throw this.#wrong()
    let at = from + 1
    for (; this.#bytes[at] !== QUOTE; at++) {
      if (at >= this.#bytes.length) throw this.#wrong()
      if (at - from > CHUNK) throw new JsonLimitError('a name in an object is too long')
      if (this.#bytes[at] === BACKSLASH) at++
    }
    // Read as a member, so that a name is refused which `parse` refuses.
    const [name] = Object.keys(this.#read(`{${this.#bytes.toString('utf8', from, at + 1)}:0}`) as Members)
    this.#at = at + 1
    this.#space()
    if (name === undefined || this.#bytes[this.#at] !== COLON) throw this.#wrong()
    this.#at++
    list.name = name
  }

  /** Reads a string in pieces, none of which ends within an escape or a character. */
  *#string(): Generator<void, string> {
    const bytes = this.#bytes
    const pieces: string[] = []
    let from = ++this.#at
    let at = from
    for (; bytes[at] !== QUOTE; at++) {
      if (at >= bytes.length) throw this.#wrong()
      if (at - from >= this.#chunk && ((bytes[at] ?? 0) & 0xc0) !== 0x80) {
        pieces.push(this.#piece(from, at))
        from = at
        this.#at = at
        yield
      }
      if (bytes[at] === BACKSLASH) at += bytes[at + 1] === UNICODE ? UNICODE_LENGTH : 1
    }
    pieces.push(this.#piece(from, at))
    this.#at = at + 1
    return yield* joinSteps(pieces)
  }

  /** What the bytes of a string from one place to another say. */
  #piece(from: number, to: number): string {
    return this.#read(`"${this.#bytes.toString('utf8', from, to)}"`) as string
  }

  /** Reads a number, or a word. */
  #scalar(): unknown {
    const [text = ''] =
      /^[\w+.-]*/.exec(this.#bytes.toString('latin1', this.#at, this.#at + MAX_SCALAR)) ?? []
    if (text.length === MAX_SCALAR) throw new JsonLimitError('a number is too long')
    const value = this.#read(text)
    this.#at += text.length
    return value
  }

  #space(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at++
  }

  /** An error says where it is about: what is read is only a part. */
  #read(text: string): unknown {
    try {
      return this.#parse(text)
    } catch (error) {
      throw error instanceof SyntaxError ? this.#wrong() : error
    }
  }

  #wrong(): SyntaxError {
    return new SyntaxError(`it is no JSON after byte ${this.#at}`)
  }

  #tooDeep(): JsonLimitError {
    return new JsonLimitError(`it nests deeper than ${this.#maxDepth} levels`)
  }
}
