import type { ApiOperation, ApiSchema } from '../support/api-document.js'

/** One thing that makes a good request a bad one, and where the answer has to say it is. */
export interface Breakage {
  readonly why: string
  readonly pointer: string
  /** What becomes of a good body, or of a good query. */
  readonly breakBody?: (body: object) => unknown
  readonly breakQuery?: (query: object) => object
}

/** Values that the schema does not take, each near to one that it does. */
function wrongValues(schema: ApiSchema): (readonly [why: string, value: unknown])[] {
  const { type, minimum, maximum, minLength, maxLength, enum: words, format } = schema
  if (type === undefined && !schema.anyOf) return []
  const wrong: (readonly [string, unknown])[] = [['null', null]]
  if (type !== 'array') wrong.push(['a list', [[]]])
  if (type === 'integer' || type === 'number') wrong.push(['a number as text', '"1"'], ['half', 'x'])
  if (type === 'integer') wrong.push(['a fraction', 1.5])
  if (type === 'string') wrong.push(['a number', 7])
  if (type === 'boolean') wrong.push(['a word', 'TRUE'])
  if (type === 'object') wrong.push(['text', 'x'])
  if (minimum !== undefined) wrong.push(['too small', minimum - 1])
  if (maximum !== undefined) wrong.push(['too large', maximum + 1])
  if (minLength) wrong.push(['too short', 'x'.repeat(minLength - 1)])
  if (maxLength !== undefined) wrong.push(['too long', 'x'.repeat(maxLength + 1)])
  if (words) wrong.push(['another word', 'no such word'])
  if (format) wrong.push(['another form', 'yesterday, here'])
  return wrong
}

/** The same for a parameter of a query, which is text or a list of texts. */
function wrongTexts(schema: ApiSchema): (readonly [string, unknown])[] {
  const one = schema.anyOf?.find(({ type }) => type === 'string') ?? schema
  return wrongValues(one).filter(
    ([, value]) =>
      typeof value === 'string' || (typeof value === 'number' && (one.type !== 'string' || one.enum)),
  )
}

/** Every way to break one field or parameter of an operation. */
export function breakagesOf(operation: ApiOperation): Breakage[] {
  const body = operation.requestBody?.content?.['application/json']?.schema
  const unknown = { no_such_field: 1 }
  const broken: Breakage[] = [
    {
      why: 'a parameter that nobody knows',
      pointer: 'no_such_field',
      breakQuery: (query) => ({ ...query, ...unknown }),
    },
  ]
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (place !== 'query') continue
    for (const [why, value] of wrongTexts(schema)) {
      broken.push({
        why: `${name}: ${why}`,
        pointer: name,
        breakQuery: (query) => ({ ...query, [name]: value }),
      })
    }
  }
  if (!body) return broken
  broken.push({
    why: 'a field that nobody knows',
    pointer: '/no_such_field',
    breakBody: (given) => ({ ...given, ...unknown }),
  })
  for (const name of body.required ?? []) {
    broken.push({
      why: `${name} left out`,
      pointer: `/${name}`,
      breakBody: (given) => Object.fromEntries(Object.entries(given).filter(([key]) => key !== name)),
    })
  }
  for (const [name, schema] of Object.entries(body.properties ?? {})) {
    for (const [why, value] of wrongValues(schema)) {
      // Null is left out, where it is no value.
      if (value === null && (schema.nullable || !body.required?.includes(name))) continue
      broken.push({
        why: `${name}: ${why}`,
        pointer: `/${name}`,
        breakBody: (given) => ({ ...given, [name]: value }),
      })
    }
  }
  return broken
}
