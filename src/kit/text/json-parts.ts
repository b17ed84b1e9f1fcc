/**
 * A value that is written as JSON in parts of some kilobytes, since JSON of all of it at once would hold up the event
 * loop. A part is empty where there is only work to do.
 */
export interface InParts {
  jsonParts(): Iterable<string>
  /** Bytes that it keeps in memory until it is written, where they are many. */
  readonly held?: number
}

/** `value` with a method that writes it in parts. The method is no member of its JSON. */
export const writtenInParts = <T extends object>(
  value: T,
  jsonParts: () => Iterable<string>,
  held = 0,
): T & InParts =>
  Object.defineProperties(value, { jsonParts: { value: jsonParts }, held: { value: held } }) as T & InParts

export const isInParts = (value: object): value is InParts =>
  'jsonParts' in value && typeof value.jsonParts === 'function'

/** A value that never changes, and whose JSON is made once, when it is first needed. */
interface WrittenOnce {
  jsonText(): string
}

export function writtenOnce<T extends object>(value: T): T & WrittenOnce {
  let text: string | undefined
  const jsonText = (): string => (text ??= JSON.stringify(value))
  return Object.defineProperty(value, 'jsonText', { value: jsonText }) as T & WrittenOnce
}

export const isWrittenOnce = (value: unknown): value is WrittenOnce =>
  typeof value === 'object' && value !== null && 'jsonText' in value && typeof value.jsonText === 'function'

/** How deep in a response values in parts may be: in the members of an item of a page. */
const MAX_DEPTH = 3

/** The JSON of `value`, in parts where something in it comes in parts. Members that are undefined are left out. */
export function* jsonParts(value: unknown, deepest = MAX_DEPTH): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value)
  else if (isWrittenOnce(value)) yield value.jsonText()
  else if (isInParts(value)) yield* value.jsonParts()
  else if (!holdsParts(value, deepest)) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* arrayParts(value, deepest - 1)
  else yield* objectParts(value, deepest - 1)
}

function* arrayParts(values: readonly unknown[], deepest: number): Generator<string> {
  // Most pages: one text without pieces that would have to be put together again.
  if (values.every(isWrittenOnce)) return yield `[${values.map((value) => value.jsonText()).join(',')}]`
  let before = '['
  for (const value of values) {
    yield before
    yield* jsonParts(value ?? null, deepest)
    before = ','
  }
  yield ']'
}

function* objectParts(value: object, deepest: number): Generator<string> {
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonParts(member, deepest)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Bytes that the values in parts of `value` keep in memory. */
export function heldBy(value: unknown, deepest = MAX_DEPTH): number {
  if (typeof value !== 'object' || value === null || isWrittenOnce(value)) return 0
  if (isInParts(value)) return value.held ?? 0
  let held = 0
  if (deepest > 0) for (const inner of Object.values(value)) held += heldBy(inner, deepest - 1)
  return held
}

function holdsParts(value: object, deepest: number): boolean {
  if (isWrittenOnce(value) || isInParts(value)) return true
  if (deepest === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && holdsParts(inner, deepest - 1)) return true
  }
  return false
}
