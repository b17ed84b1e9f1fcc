import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { pointerStep } from '../../kit/text/json-text.js'
import { SiteFile } from './site-file.js'

/** What is wrong in a site's file. */
export interface SiteFault {
  /** A JSON Pointer into the file. */
  readonly pointer: string
  readonly detail: string
  /** Characters into the text that stands there, where that is known. */
  readonly within?: number
}

const validate: ValidateFunction = new Ajv({ allErrors: true, verbose: true }).compile(SiteFile)

/** Where a value does not fit the schema of a site's file, one fault a place. */
export function schemaFaults(json: unknown): readonly SiteFault[] {
  if (validate(json)) return []
  const faults = new Map<string, SiteFault>()
  for (const error of validate.errors ?? []) {
    const fault = faultOf(error)
    if (fault && !faults.has(fault.pointer)) faults.set(fault.pointer, fault)
  }
  return [...faults.values()]
}

/** The members of a schema that are used in error messages. */
interface Described {
  readonly description?: string
  readonly properties?: object
}

function faultOf(error: ErrorObject): SiteFault | undefined {
  const { keyword, instancePath: pointer, schemaPath, parentSchema, params, data, propertyName } = error
  // Errors of an alternative's branches, and of all names together, are reported by another error.
  if (schemaPath.includes('/anyOf/') || keyword === 'propertyNames') return undefined
  const schema = (parentSchema ?? {}) as Described
  if (keyword === 'required') {
    const name = String(params['missingProperty'])
    return { pointer: pointer + pointerStep(name), detail: `${name} is missing` }
  }
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const known = Object.keys(schema.properties ?? {}).join(', ')
    return { pointer: pointer + pointerStep(name), detail: `${name} is not known here: there is ${known}` }
  }
  const place = propertyName === undefined ? pointer : pointer + pointerStep(propertyName)
  return { pointer: place, detail: `${shown(data)} is not ${schema.description}` }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  // Do not cut between surrogates.
  return text.length > 60 ? `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}…` : text
}
