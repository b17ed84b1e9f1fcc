/** A place in a text, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A text that is not JSON (RFC 8259), or has a member twice. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'

  constructor(
    readonly place: Place,
    readonly detail: string,
  ) {
    super(`line ${place.line}, column ${place.column}: ${detail}`)
  }
}

/** A JSON value, and the place of each value in the text. */
export interface JsonText {
  readonly value: unknown
  /**
   * Where the value at a JSON Pointer (RFC 6901) begins, or the nearest value around it. `within` counts
   * characters into a string.
   */
  placeOf(pointer: string, within?: number): Place
}

/** How deep arrays and objects may be nested. */
const MAX_DEPTH = 64

/** Reads JSON from a text that a person wrote. Throws `JsonTextError`. */
export function parseJsonText(text: string): JsonText {
  const parser = new Parser(text)
  const value = parser.whole()
  return {
    value,
    placeOf(pointer, within) {
      for (let near = pointer; ; near = near.slice(0, near.lastIndexOf('/'))) {
        const at = parser.places.get(near)
        if (at === undefined) continue
        const inside = near === pointer && within !== undefined ? 1 + within : 0
        const exact = !text.slice(at, at + inside).includes('\\')
        return placeIn(text, exact ? at + inside : at)
      }
    },
  }
}

/** A name as one step of a JSON Pointer (RFC 6901). */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

function placeIn(text: string, at: number): Place {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these may not stand in a string of JSON
  /[\ufeff \t\r\n]*([{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$)/y
const SPACE = /[\ufeff \t\r\n]*/y

class Parser {
  /** Where values begin, by their pointers. */
  readonly places = new Map<string, number>()
  #token = ''
  #at = 0
  #next = 0

  constructor(private readonly text: string) {
    this.#advance()
  }

  whole(): unknown {
    const value = this.#value('', 0)
    if (this.#token !== '') throw this.#expected('the end')
    return value
  }

  #value(pointer: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#error(`values are nested more than ${MAX_DEPTH} deep`)
    this.places.set(pointer, this.#at)
    if (this.#token === '{') return this.#object(pointer, depth)
    if (this.#token === '[') return this.#array(pointer, depth)
    if (this.#token === '' || /^[}\],:]/.test(this.#token)) throw this.#expected('a value')
    const value: unknown = JSON.parse(this.#token)
    this.#advance()
    return value
  }

  #object(pointer: string, depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>()
    this.#advance()
    while (this.#token !== '}') {
      if (members.size > 0) this.#need(',', '"," or "}"')
      if (!this.#token.startsWith('"')) throw this.#expected('the name of a member')
      const name: string = JSON.parse(this.#token)
      if (members.has(name)) throw this.#error(`the member "${name}" occurs twice`)
      this.#advance()
      this.#need(':', '":"')
      members.set(name, this.#value(pointer + pointerStep(name), depth + 1))
    }
    this.#advance()
    return Object.fromEntries(members)
  }

  #array(pointer: string, depth: number): unknown[] {
    const values: unknown[] = []
    this.#advance()
    while (this.#token !== ']') {
      if (values.length > 0) this.#need(',', '"," or "]"')
      values.push(this.#value(pointer + pointerStep(values.length), depth + 1))
    }
    this.#advance()
    return values
  }

  #need(token: string, wanted: string): void {
    if (this.#token !== token) throw this.#expected(wanted)
    this.#advance()
  }

  #advance(): void {
    TOKEN.lastIndex = this.#next
    const found = TOKEN.exec(this.text)
    if (!found) {
      SPACE.lastIndex = this.#next
      SPACE.exec(this.text)
      this.#at = SPACE.lastIndex
      const [met = ''] = /^("|[\w.+-]+|.)/u.exec(this.text.slice(this.#at, this.#at + 40)) ?? []
      throw this.#error(
        met === '"' ? 'a string that does not end, or has a wrong escape' : `${met} is no JSON`,
      )
    }
    this.#token = found[1] ?? ''
    this.#next = TOKEN.lastIndex
    this.#at = this.#next - this.#token.length
  }

  #expected(wanted: string): JsonTextError {
    const met = this.#token === '' ? 'the text ends' : `found ${this.#token.slice(0, 40)}`
    return this.#error(`${wanted} expected, but ${met}`)
  }

  #error(detail: string): JsonTextError {
    return new JsonTextError(placeIn(this.text, this.#at), detail)
  }
}
