import type { Relation } from './messages/object-bodies.js'

/** A condition on an attribute as a person writes it, such as `SubstState>=1`. */
export interface ObjectFilter {
  readonly attribute: string
  /** ATTRRELN: how `value` compares with the attribute. */
  readonly relation: Relation
  readonly value: unknown
}

/** The operators say how the attribute compares with the value, and ATTRRELN the reverse: more becomes less. */
const OPERATORS: Readonly<Record<string, Relation>> = {
  '=': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '<': 'GREATER',
  '<=': 'GREATER_OR_EQUAL',
  '>': 'LESS',
  '>=': 'LESS_OR_EQUAL',
  '~': 'PRESENT',
  '!~': 'ABSENT',
}

/** A condition that was written as `SubstState>=1`, with JSON or text as its value. A RangeError with a sentence for what is none. */
export function filterIn(text: string): ObjectFilter {
  const [, attribute = '', operator = '', value = ''] =
    /^([^=!<>~]+)(!=|<=|>=|!~|[=<>~])(.*)$/s.exec(text) ?? []
  const relation = OPERATORS[operator]
  if (attribute.trim() === '' || relation === undefined)
    throw new RangeError(`"${text}" has no attribute and operator, such as SubstState>=1`)
  return { attribute: attribute.trim(), relation, value: valueIn(value.trim(), text) }
}

function valueIn(written: string, text: string): unknown {
  if (/^(-?\d|true$|false$|["[{])/.test(written)) {
    try {
      return JSON.parse(written)
    } catch {
      if (/^["[{]/.test(written)) throw new RangeError(`the value of "${text}" is not JSON`)
    }
  }
  return written
}
