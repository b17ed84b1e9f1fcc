import fc from 'fast-check'
import type { ApiSchema } from '../support/api-document.js'

type Members = Record<string, fc.Arbitrary<unknown>>

function text({
  enum: words,
  format,
  pattern,
  minLength = 0,
  maxLength: longest,
}: ApiSchema): fc.Arbitrary<unknown> {
  if (words) return fc.constantFrom(...words)
  if (format === 'ipv4') return fc.ipV4().map((address) => address.replace(/^\d+/, '10'))
  if (format === 'date-time') {
    const years = {
      min: new Date('1000-01-01T00:00:00Z'),
      max: new Date('9999-01-01T00:00:00Z'),
      noInvalidDate: true,
    }
    return fc.date(years).map((date) => date.toISOString())
  }
  const form = new RegExp(pattern ?? '')
  const maxLength = longest ?? 40
  const plain = fc.string({
    minLength,
    maxLength: Math.min(maxLength, Math.max(minLength, 40)),
    unit: 'grapheme',
  })
  // Making text from a property of letters is slow; most text has it anyway.
  if (!pattern || pattern.includes('\\u'))
    return plain.filter((given) => form.test(given) && given.length <= maxLength)
  // A pattern may say that the text is longer.
  return fc.stringMatching(form).filter(({ length }) => length <= (longest ?? length))
}

/** Values that the schema takes. */
export function valid(schema: ApiSchema): fc.Arbitrary<unknown> {
  if (schema.nullable) return fc.option(valid({ ...schema, nullable: false }), { nil: null })
  const several = schema.anyOf ?? schema.oneOf
  if (several) return fc.oneof(...several.map(valid))
  const range = { min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 }
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return schema.enum ? fc.constantFrom(...schema.enum) : fc.integer(range)
    case 'number':
      if (schema.enum) return fc.constantFrom(...schema.enum)
      return fc.double({ ...range, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valid(schema.items ?? {}), { maxLength: 4 })
    case 'object': {
      const member = schema.additionalProperties
      if (typeof member === 'object')
        return fc.dictionary(fc.stringMatching(/^[A-Z]{1,8}$/), valid(member), { maxKeys: 4 })
      const members: Members = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valid(each)]),
      )
      return fc.record(members, {
        requiredKeys: [...(schema.required ?? [])],
        noNullPrototype: true,
      })
    }
    default:
      // These names are refused in any JSON, whatever the schema says.
      return fc
        .jsonValue({ maxDepth: 2 })
        .filter((json) => !/"(__proto__|constructor)"/.test(JSON.stringify(json)))
  }
}

/** Values of every sort, near to what the schema takes and far from it. */
export function any(schema: ApiSchema): fc.Arbitrary<unknown> {
  const near: Members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [
      name,
      fc.oneof(
        { weight: 3, arbitrary: valid(each) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
      ),
    ]),
  )
  return fc.oneof(
    { weight: 3, arbitrary: valid(schema) },
    {
      weight: 3,
      arbitrary: fc.record(near, { requiredKeys: [], noNullPrototype: true }),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
}
