/** Names the method by which a value is written as JSON in parts: JSON of all of it at once would hold up the rest. */
export const JSON_PARTS = Symbol('JSON in parts')

/** A value whose JSON comes in parts of some kilobytes, some of them empty where there is only work to do. */
export interface InParts {
  [JSON_PARTS](): Iterable<string>
}

/** Lets `value` be written in parts. Whoever reads its members sees no difference. */
export function writtenInParts<T extends object>(value: T, parts: () => Iterable<string>): T {
  return Object.defineProperty(value, JSON_PARTS, { value: parts })
}

const isInParts = (value: object): value is InParts => JSON_PARTS in value

/** How deep in an answer there are values that come in parts: in the members of an item of a page. */
const MAX_DEPTH = 3

/** The JSON of `value`, in parts where something in it comes in parts. Members that are undefined are left out. */
export function* jsonParts(value: unknown, deepest = MAX_DEPTH): Generator<string> {
  if (typeof value !== 'object' || value === null || !holdsParts(value, deepest)) yield JSON.stringify(value)
  else if (isInParts(value)) yield* value[JSON_PARTS]()
  else if (Array.isArray(value)) yield* arrayParts(value, deepest - 1)
  else yield* objectParts(value, deepest - 1)
}

function* arrayParts(values: readonly unknown[], deepest: number): Generator<string> {
  let before = '['
  for (const value of values) {
    yield before
    yield* jsonParts(value ?? null, deepest)
    before = ','
  }
  yield values.length === 0 ? '[]' : ']'
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

function holdsParts(value: object, deepest: number): boolean {
  if (isInParts(value)) return true
  if (deepest === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && holdsParts(inner, deepest - 1)) return true
  }
  return false
}
