import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { pointerStep } from './text/json-text.js'
import { momentOf } from './time-text.js'

/** What does not fit a schema, and where: a JSON Pointer (RFC 6901). */
export interface SchemaFault {
  readonly pointer: string
  readonly detail: string
}

/** The members of a schema that sentences are made of. */
export interface Described {
  readonly type?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Described>>
}

/** How faults are said. */
export interface Wording {
  missing(name: string): string
  /** `schema` is that of the object which does not have this member. */
  unknown(name: string, schema: Described): string
  /** A value that does not satisfy a keyword of its schema. */
  unfit(value: unknown, schema: Described, keyword: string): string
}

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/** Changes nothing in the value that it validates: no coercion, no defaults, no member dropped. */
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  // Where the OpenAPI document describes a schema.
  keywords: ['component'],
  // As the contract is read by others: without the flag `u`.
  unicodeRegExp: false,
  // Needed by nobody: a keyword that is unknown or of the wrong type is refused all the same, and V8 optimizes the
  // functions. To validate the first schema took 17 ms, and to optimize a third of the time of each.
  validateSchema: false,
  code: { optimize: false },
  formats: {
    'date-time': (text: string) => momentOf(text) !== undefined,
    ipv4: new RegExp(`^${OCTET}(\\.${OCTET}){3}$`),
  },
})

const NO_FAULTS: readonly SchemaFault[] = []

/** Finds the faults of a value, one for each place. Compiles the schema at the first call. */
export function faultsBy(schema: object, wording: Wording): (value: unknown) => readonly SchemaFault[] {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    if (validate(value)) return NO_FAULTS
    const faults = new Map<string, SchemaFault>()
    for (const error of validate.errors ?? []) {
      // Another error covers these: the branches of an alternative, and all names together.
      if (error.schemaPath.includes('/anyOf/') || error.keyword === 'propertyNames') continue
      const fault = faultOf(error, wording)
      if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault)
    }
    return [...faults.values()]
  }
}

function faultOf(error: ErrorObject, wording: Wording): SchemaFault {
  const { keyword, instancePath: pointer, parentSchema, params, data, propertyName } = error
  const schema = (parentSchema ?? {}) as Described
  const at = (name: string, detail: string): SchemaFault => ({ pointer: pointer + pointerStep(name), detail })
  const { missingProperty: missing, additionalProperty: unknown } = params
  if (typeof missing === 'string') return at(missing, wording.missing(missing))
  if (typeof unknown === 'string') return at(unknown, wording.unknown(unknown, schema))
  const detail = wording.unfit(data, schema, keyword)
  return propertyName === undefined ? { pointer, detail } : at(propertyName, detail)
}

/** The wording for a file: the value that is there, and the description of its schema, which `unfit` puts together. */
export const fileWording = (unfit: (shown: string, description: string) => string): Wording => ({
  missing: (name) => `${name} is missing`,
  unknown: (name, { properties = {} }) =>
    `${name} is not known here: there is ${Object.keys(properties).join(', ')}`,
  unfit: (value, { description = '' }) => unfit(shown(value), description),
})

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // Do not cut between surrogates.
  return text.length > 60 ? `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…` : text
}
