import type { Expectation, StepFile, StepName } from '../file/schema.js'
import { valueNamed } from './matchers.js'

type Values = Readonly<Record<string, unknown>>

/** Characters of a value that are kept. */
const MAX_CHARACTERS = 200

/** Matchers that fit many values: which one it was says nothing about the equipment. */
const LOOSE: ReadonlySet<string> = new Set(['present', 'length', 'min', 'max', 'not', 'type'])

/** Whether the value may be another one in each run, such as a time. */
const isLoose = (matcher: unknown): boolean =>
  typeof matcher === 'object' &&
  matcher !== null &&
  !Array.isArray(matcher) &&
  Object.entries(matcher).every(([name, value]) => LOOSE.has(name) || (name === 'like' && value === '*'))

/** The values that a step compared or kept, for a comparison with another run. */
export function seenValues(written: StepFile, kind: StepName, values: Values): Values | undefined {
  if (kind === 'load') return values
  if (kind === 'read')
    return written.is !== undefined && isLoose(written.is) ? undefined : kept(Object.entries(values))
  const { where = {}, capture = {} } =
    kind === 'expect' ? (written.expect as Expectation) : { where: written.expect, capture: written.capture }
  const looked = Object.entries(where as Values).flatMap(([name, matcher]) =>
    isLoose(matcher) ? [] : [name],
  )
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
