import type { Fault } from '../../contract/errors.js'
import { IGNORED, NOT_BLANK, PLAIN_NAME } from '../../contract/schema.js'
import { EMAIL } from '../../contract/topics/accounts/users.js'
import { type Described, faultsBy as inSchema, type Wording } from '../../kit/schema-faults.js'

const FORMATS: Readonly<Record<string, string>> = {
  'date-time':
    'must be an RFC 3339 time with an offset, such as 2026-01-31T08:00:00Z (in a query a + is written %2B)',
  ipv4: 'must be an IPv4 address, such as 192.168.0.10',
}

const range = (from: number | undefined, to: number | undefined): string => {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`
  if (from !== undefined) return ` of ${from} or more`
  return to === undefined ? '' : ` of ${to} or less`
}

const lengths = ({ minLength, maxLength }: Described): string => {
  if (minLength === 1 && maxLength === undefined) return 'must not be empty'
  if (maxLength === undefined) return `must have ${minLength} characters or more`
  return `must have ${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function wanted(schema: Described): string {
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`
  if (schema.type === 'integer') return `must be an integer${range(schema.minimum, schema.maximum)}`
  if (schema.type === 'number') return `must be a number${range(schema.minimum, schema.maximum)}`
  return `must be ${KINDS[schema.type ?? ''] ?? `of type ${schema.type}`}`
}

const described = (schema: Described): string =>
  schema.description ? `: ${schema.description.replace(/\.$/, '')}` : ''

/** What a pattern asks for, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  [NOT_BLANK]: 'must not be blank',
  [PLAIN_NAME]: 'must have printable characters only, and no space at the start or end',
  [EMAIL]: 'must be an email address: printable characters around one @',
  '^https?://': 'must begin with http:// or https://',
  '^mqtts?://': 'must begin with mqtt:// or mqtts://',
}

/** A long pattern does not help the reader. */
const patternText = (schema: Described): string => {
  const { pattern = '', description } = schema
  const what = pattern.length > 60 && description ? 'does not fit' : `must match ${pattern}`
  return PATTERNS[pattern] ?? `${what}${described(schema)}`
}

function unfit(_: unknown, schema: Described, keyword: string): string {
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return lengths(schema)
    case 'format':
      return FORMATS[schema.format ?? ''] ?? `must be of the format ${schema.format}`
    case 'pattern':
      return patternText(schema)
    case 'maxItems':
      return `must have at most ${schema.maxItems} items`
    case 'maxProperties':
      return `must have at most ${schema.maxProperties} members`
    case 'anyOf':
      return `is not a value that is taken here${described(schema)}`
    case 'type':
    case 'enum':
    case 'minimum':
    case 'maximum':
      return wanted(schema)
    default:
      return `does not satisfy ${keyword}`
  }
}

function unknown(_: string, { properties = {} }: Described): string {
  const known = Object.entries(properties)
    .filter(([, { description }]) => description !== IGNORED)
    .map(([name]) => name)
  return known.length === 0 ? 'is not taken here' : `is not known here; known are ${known.join(', ')}`
}

const WORDING: Wording = { missing: () => 'is required', unknown, unfit }

/** Finds the faults of a value. Each place is a JSON Pointer into a body, or the name of a parameter. */
export function faultsBy(schema: object, part: 'body' | 'parameter'): (value: unknown) => readonly Fault[] {
  const faultsIn = inSchema(schema, WORDING)
  return (value) => {
    const faults = faultsIn(value)
    if (part === 'body' || faults.length === 0) return faults
    const first = new Map<string, Fault>()
    for (const { pointer, detail } of faults) {
      const name = pointer.split('/')[1] ?? ''
      if (!first.has(name)) first.set(name, { pointer: name, detail })
    }
    return [...first.values()]
  }
}
