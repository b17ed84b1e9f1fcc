import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import { pointerStep } from '../../kit/text/json-text.js'
import { ModelFile } from './schema.js'

/** A problem in a model file. */
export interface Problem {
  /** A JSON Pointer (RFC 6901) into the file. */
  readonly pointer: string
  readonly detail: string
}

/** Where a value does not fit the schema of model files, one problem a place. */
export function schemaProblems(json: unknown): readonly Problem[] {
  if (Value.Check(ModelFile, json)) return []
  const problems = new Map<string, Problem>()
  for (const problem of Value.Errors(ModelFile, json).flatMap((error) => problemsOf(error, json))) {
    if (!problems.has(problem.pointer)) problems.set(problem.pointer, problem)
  }
  return [...problems.values()]
}

function problemsOf(error: TLocalizedValidationError, json: unknown): readonly Problem[] {
  const { keyword, instancePath: pointer, schemaPath } = error
  // Another error covers these: the branches of an alternative, and that no value is allowed.
  if (schemaPath.includes('/anyOf/') || keyword === 'boolean') return []
  const schema = schemaAt(schemaPath)
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      pointer: pointer + pointerStep(name),
      detail: `${name} is missing`,
    }))
  }
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {}).join(', ')
    return error.params.additionalProperties.map((name) => ({
      pointer: pointer + pointerStep(name),
      detail: `${name} is not known here: there is ${known}`,
    }))
  }
  return [{ pointer, detail: `${shown(valueAt(json, pointer))} does not fit. ${schema.description}` }]
}

/** The members of a schema that are used in messages. */
interface Described {
  readonly description?: string
  readonly properties?: object
}

const steps = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(root: unknown, path: string): unknown {
  return steps(path).reduce<unknown>(
    (value, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step],
    root,
  )
}

/** The innermost schema on the path that has a description. */
function schemaAt(path: string): Described {
  let schema: Described = ModelFile
  let at: unknown = ModelFile
  let among = false
  for (const step of steps(path)) {
    at = (at as Readonly<Record<string, unknown>> | undefined)?.[step]
    // Of the members of `properties` one may be called `description`.
    if (!among && step === 'properties') among = true
    else {
      among = false
      if (typeof at === 'object' && at !== null && 'description' in at) schema = at as Described
    }
  }
  return schema
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // A character of two code units is not cut in two.
  return text.length > 60 ? `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, '')}...` : text
}
