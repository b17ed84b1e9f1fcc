import type { Expectation, StepFile, StepName } from '../file/schema.js'
import { valueNamed } from './matchers.js'

type Values = Readonly<Record<string, unknown>>

/** Characters of a value that are kept. */
const MAX_CHARACTERS = 200

/** Whether any value fits: it says nothing about the equipment. */
const isAny = (matcher: unknown): boolean =>
  typeof matcher === 'object' &&
  matcher !== null &&
  Object.entries(matcher).every(([name, value]) => name === 'present' || (name === 'like' && value === '*'))

/** The values that a step looked at or kept, for a comparison with another run. */
export function seenValues(written: StepFile, kind: StepName, values: Values): Values | undefined {
  if (kind === 'load') return values
  if (kind === 'read') return kept(Object.entries(values))
  const { where = {}, capture = {} } =
    kind === 'expect' ? (written.expect as Expectation) : { where: written.expect, capture: written.capture }
  const looked = Object.entries(where as Values).flatMap(([name, matcher]) => (isAny(matcher) ? [] : [name]))
  const names = [...new Set([...looked, ...Object.values(capture)])]
  return kept(names.map((name) => [name, valueNamed(values, name)] as const))
}

function kept(entries: readonly (readonly [string, unknown])[]): Values | undefined {
  const found = entries.flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const isLong = text.length > MAX_CHARACTERS
    return [[name, isLong ? `${text.slice(0, MAX_CHARACTERS)}...` : value] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** `MDLN ETCHER, SOFTREV 2.4.1`. */
export const seenWords = (seen: Values = {}): string =>
  Object.entries(seen)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
