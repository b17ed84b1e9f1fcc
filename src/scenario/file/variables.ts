/** `{name}`, and `{{` or `}}` for a brace itself. */
const PLACE = /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g
const WHOLE = /^\{([A-Za-z_]\w*)\}$/

export type Variables = ReadonlyMap<string, unknown>

/** The names of variables in a value, at any depth, each once. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return [...new Set([...value.matchAll(PLACE)].flatMap(([, name]) => (name === undefined ? [] : [name])))]
  if (typeof value !== 'object' || value === null) return []
  return [...new Set(Object.entries(value).flatMap(([key, one]) => [...namesIn(key), ...namesIn(one)]))]
}

/**
 * A value with the values of the variables in it. A text that is nothing but a variable becomes its value, with its
 * type; a variable that there is not becomes the empty text.
 */
export function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    const [, whole] = WHOLE.exec(value) ?? []
    if (whole !== undefined) return variables.get(whole) ?? ''
    return value.replace(PLACE, (text, name?: string) =>
      name === undefined ? text.slice(1) : textOf(variables.get(name)),
    )
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [String(filled(key, variables)), filled(one, variables)]),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
