import type { ErrorObject } from 'ajv'
import type { Fault } from '../../contract/errors.js'
import { IGNORED, NOT_BLANK } from '../../contract/schema.js'

/** The members of a schema that a sentence about it is made of. */
interface Described {
  readonly type?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Described>>
}

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

/** A long pattern does not help the reader. */
const patternText = ({ pattern = '', description }: Described): string => {
  if (pattern === NOT_BLANK) return 'must not be blank'
  return pattern.length > 60 && description ? 'does not fit' : `must match ${pattern}`
}

const described = (schema: Described): string =>
  schema.description ? `: ${schema.description.replace(/\.$/, '')}` : ''

function sentence({ keyword, parentSchema, params }: ErrorObject): string {
  const schema = (parentSchema ?? {}) as Described
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties': {
      const known = Object.entries<Described>(schema.properties ?? {})
        .filter(([, { description }]) => description !== IGNORED)
        .map(([name]) => name)
      return known.length === 0 ? 'is not taken here' : `is not known here; known are ${known.join(', ')}`
    }
    case 'minLength':
    case 'maxLength':
      return lengths(schema)
    case 'format':
      return FORMATS[schema.format ?? ''] ?? `must be of the format ${schema.format}`
    case 'pattern':
      return `${patternText(schema)}${described(schema)}`
    case 'maxItems':
      return `must have at most ${String(params['limit'])} items`
    case 'maxProperties':
      return `must have at most ${String(params['limit'])} members`
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

/** A name as one step of a JSON Pointer (RFC 6901). */
const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Where it is: of a body a JSON Pointer, of a parameter its name. */
function place(error: ErrorObject, part: 'body' | 'parameter'): string {
  const missing: unknown = error.params['missingProperty'] ?? error.params['additionalProperty']
  const pointer = error.instancePath + (typeof missing === 'string' ? `/${step(missing)}` : '')
  return part === 'body' ? pointer : (pointer.split('/')[1] ?? '')
}

/** The most faults that one answer lists. */
const MAX_FAULTS = 50

/** The errors of the validator as sentences for the client, one for each place. */
export function faultsOf(errors: readonly ErrorObject[], part: 'body' | 'parameter'): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors) {
    // The branches of an alternative say nothing that the alternative itself does not.
    if (error.schemaPath.includes('/anyOf/') || faults.size === MAX_FAULTS) continue
    const pointer = place(error, part)
    if (!faults.has(pointer)) faults.set(pointer, { pointer, detail: sentence(error) })
  }
  return [...faults.values()]
}
