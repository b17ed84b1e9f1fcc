import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml'
import { type Place, pointerStep } from './json-text.js'

/** A text that is not YAML, or uses what is not accepted here. */
export class YamlTextError extends Error {
  override readonly name = 'YamlTextError'

  constructor(
    readonly place: Place,
    readonly detail: string,
  ) {
    super(`line ${place.line}, column ${place.column}: ${detail}`)
  }
}

/** A YAML value, and the place of each value in the text. */
export interface YamlText {
  readonly value: unknown
  /** Where the value at a JSON Pointer (RFC 6901) begins, or the nearest value around it. */
  placeOf(pointer: string): Place
  /** The names of the topmost map in the order of the text, with where each stands and its value, also of a repeated name. */
  readonly names: readonly { readonly name: string; readonly place: Place; readonly value: unknown }[]
  /** Names that a map within the topmost has twice, by their JSON Pointers, where each stands and where it stood before. */
  readonly repeated: readonly { readonly pointer: string; readonly place: Place; readonly before: Place }[]
}

/** How many values the aliases of a text may expand to in total. */
const MAX_ALIASED = 1000
/** How deep maps and lists may be nested. */
const MAX_DEPTH = 64
const BEGINNING: Place = { line: 1, column: 1 }

/**
 * Reads one document of YAML 1.2, which JSON is too, from a text that a person wrote. Throws `YamlTextError`. A name that
 * a map has twice is an error, unless `uniqueKeys` is false: then the last one counts.
 */
export function parseYamlText(text: string, { uniqueKeys = true } = {}): YamlText {
  const lines = new LineCounter()
  const placeAt = (offset: number): Place => {
    const { line, col: column } = lines.linePos(offset)
    return line === 0 ? BEGINNING : { line, column }
  }
  const fail = (offset: number, detail: string): never => {
    throw new YamlTextError(placeAt(offset), detail)
  }
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  const deep = beyondDepth(tokens)
  if (deep) fail(deep.offset, `values are nested more than ${MAX_DEPTH} deep`)
  const [document, second] = new Composer({ version: '1.2', schema: 'core', uniqueKeys }).compose(
    tokens,
    true,
    text.length,
  )
  if (!document) return fail(0, 'there is nothing')
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) fail(fault.pos[0], fault.message)
  if (second) fail(second.range[0], 'a second document begins here: only one is allowed')
  return {
    value: plainValue(document, fail),
    names: isMap(document.contents)
      ? document.contents.items.map(({ key, value }) => ({
          name: String(isScalar(key) ? key.value : key),
          place: placeAt(offsetOf(key) ?? 0),
          value: isNode(value) ? value.toJS(document, { maxAliasCount: MAX_ALIASED }) : null,
        }))
      : [],
    repeated: uniqueKeys ? [] : repeatedIn(document.contents, '', placeAt),
    placeOf(pointer) {
      const steps = pointer.split('/').slice(1).map(unescaped)
      let near: unknown = document.contents
      let at = offsetOf(near) ?? 0
      for (const step of steps) {
        near = within(isAlias(near) ? near.resolve(document) : near, step)
        const offset = offsetOf(near)
        if (offset === undefined) break
        at = offset
      }
      return placeAt(at)
    },
  }
}

/** The first token that is nested too deep: the composer recurses for each level. */
function beyondDepth(tokens: readonly CST.Token[]): CST.Token | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (depth > MAX_DEPTH) return token
    const inner = (child: CST.Token | null | undefined, deeper: number): void => {
      if (child) open.push({ token: child, depth: depth + deeper })
    }
    if (token.type === 'document') inner(token.value, 0)
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      inner(key, 1)
      inner(value, 1)
    }
  }
  return undefined
}

function plainValue(document: Document.Parsed, fail: (offset: number, detail: string) => never): unknown {
  visit(document, {
    Alias: (_, alias, path) => {
      const target = alias.resolve(document)
      if (!target) return fail(offsetOf(alias) ?? 0, `nothing before has the anchor &${alias.source}`)
      if (path.includes(target))
        fail(
          offsetOf(alias) ?? 0,
          `*${alias.source} stands within &${alias.source}, which would contain itself`,
        )
    },
    Pair: (_, { key }) => {
      if (isNode(key) && !isScalar(key))
        fail(offsetOf(key) ?? 0, 'a name has to be a plain value, not a list, map or alias')
    },
  })
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASED })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return fail(0, 'aliases expand to too many values')
  }
}

/** Names that maps within this value have twice; of the value itself where it has a pointer. */
function repeatedIn(
  node: unknown,
  pointer: string,
  placeAt: (offset: number) => Place,
): YamlText['repeated'] {
  if (isSeq(node)) return node.items.flatMap((item, at) => repeatedIn(item, `${pointer}/${at}`, placeAt))
  if (!isMap(node)) return []
  const known = new Map<string, Place>()
  return node.items.flatMap(({ key, value }) => {
    const name = String(isScalar(key) ? key.value : key)
    const place = placeAt(offsetOf(key) ?? 0)
    const before = pointer === '' ? undefined : known.get(name)
    known.set(name, place)
    const at = pointer + pointerStep(name)
    return [...(before ? [{ pointer: at, place, before }] : []), ...repeatedIn(value, at, placeAt)]
  })
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function within(node: unknown, step: string): unknown {
  if (isSeq(node)) return node.items[Number(step)]
  if (!isMap(node)) return undefined
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === step)?.value ?? undefined
}

const offsetOf = (node: unknown): number | undefined => (node as Node | undefined)?.range?.[0]
