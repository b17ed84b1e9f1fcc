/** Labels of an equipment, such as `{"area": "etch", "bay": "3"}`. */
export type Labels = Readonly<Record<string, string>>

const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?'
const LABEL_KEY = `^${NAME}$`
export const LABEL_VALUE = `^(?:${NAME})?$`
export const MAX_LABELS = 32
/** Longest selector, in characters. */
export const MAX_SELECTOR = 1024

const NAME_RULE =
  '1 to 63 letters, digits, dots, underscores and hyphens that start and end with a letter or digit'
export const LABEL_KEY_RULE = `a label key: ${NAME_RULE}`
export const LABEL_VALUE_RULE = `a label value: nothing, or ${NAME_RULE}`

const KEY = new RegExp(LABEL_KEY)
const VALUE = new RegExp(LABEL_VALUE)
export const isLabelKey = (text: string): boolean => KEY.test(text)
export const isLabelValue = (text: string): boolean => VALUE.test(text)

/**
 * One requirement. `in`: the equipment has the label, with one of the values. `notin`: it does not have the label
 * with any of the values; equipment without the label matches. Without values, `exists` and `absent`.
 */
type Requirement =
  | { readonly key: string; readonly is: 'in' | 'notin'; readonly values: readonly string[] }
  | { readonly key: string; readonly is: 'exists' | 'absent' }

/** Requirements that all have to hold. */
export type Selector = readonly Requirement[]

/** A selector that cannot be read. The position is that of the character, from one. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError'

  constructor(
    readonly position: number,
    readonly expected: string,
    found: string,
  ) {
    super(`position ${position}: expected ${expected}, found ${found}`)
  }
}

/** Operators, single characters of the grammar, and words between them. */
const TOKEN = /!=|==|[=!,()]|[^\s=!,()]+/g

/**
 * Reads a selector: requirements separated by commas, all of which have to hold. `area=etch` (or `==`), `bay!=3`,
 * `area` (has the label), `!spare` (does not have it), `area in (etch,litho)`, `bay notin (1,2)`. As in Kubernetes,
 * `!=` and `notin` also match equipment that does not have the label. Throws SelectorError.
 */
export function parseSelector(text: string, longest = MAX_SELECTOR): Selector {
  if (text.length > longest) {
    throw new SelectorError(longest + 1, `at most ${longest} characters`, `${text.length} characters`)
  }
  const tokens = [...text.matchAll(TOKEN)]
  let at = 0

  const fault = (expected: string): SelectorError => {
    const token = tokens[at]
    return token
      ? new SelectorError(token.index + 1, expected, `"${token[0]}"`)
      : new SelectorError(text.length + 1, expected, 'the end')
  }
  const accept = (...marks: string[]): string | undefined => {
    const found = marks.find((mark) => mark === tokens[at]?.[0])
    if (found !== undefined) at++
    return found
  }
  const word = (isValid: (text: string) => boolean, expected: string): string => {
    const found = tokens[at]?.[0]
    if (found === undefined || !isValid(found)) throw fault(expected)
    at++
    return found
  }
  const key = (): string => word(isLabelKey, LABEL_KEY_RULE)
  const value = (): string => word(isLabelValue, LABEL_VALUE_RULE)
  const atEndOfRequirement = (): boolean => at === tokens.length || tokens[at]?.[0] === ','

  const setOfValues = (): readonly string[] => {
    if (!accept('(')) throw fault('"("')
    const values = [value()]
    while (!accept(')')) {
      if (!accept(',')) throw fault('"," or ")"')
      values.push(value())
    }
    return values
  }
  const requirement = (): Requirement => {
    if (accept('!')) return { key: key(), is: 'absent' }
    const label = key()
    const operator = accept('=', '==', '!=', 'in', 'notin')
    switch (operator) {
      case undefined:
        return { key: label, is: 'exists' }
      case 'in':
      case 'notin':
        return { key: label, is: operator, values: setOfValues() }
      default:
        return {
          key: label,
          is: operator === '!=' ? 'notin' : 'in',
          values: [atEndOfRequirement() ? '' : value()],
        }
    }
  }

  const requirements = [requirement()]
  while (at < tokens.length) {
    if (!accept(',')) {
      const { is } = requirements.at(-1) as Requirement
      throw fault(is === 'exists' ? '"=", "!=", "in", "notin" or ","' : '","')
    }
    requirements.push(requirement())
  }
  return requirements
}

/** Whether equipment with these labels meets every requirement. */
export function matchesSelector(selector: Selector, labels: Labels): boolean {
  return selector.every((requirement) => {
    const { key, is } = requirement
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    switch (is) {
      case 'exists':
        return value !== undefined
      case 'absent':
        return value === undefined
      default:
        return (is === 'in') === (value !== undefined && requirement.values.includes(value))
    }
  })
}
