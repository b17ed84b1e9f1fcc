import { type TObject, type TOptional, type TProperties, type TSchema, Type } from 'typebox'

/** The parts of a model file's schema. The description of each says what a person has to write. */

/** The characters that the equipment's messages can hold. */
const LATIN1 = '^[\\u0000-\\u00ff]*$'

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: values,
    description: `${description} One of ${values.join(', ')}.`,
  })

/** An id that is sent to a host, or what refers to one: the id or the name. */
export const Id = (description: string) =>
  Type.Unsafe<number | string>({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
      { type: 'string', minLength: 1, maxLength: 80, pattern: LATIN1 },
    ],
    description: `${description} A whole number, or Latin-1 text of 1 to 80 characters.`,
  })

/** A name within the file. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 80, description: `${description} 1 to 80 characters.` })

/** Text that is sent to a host. */
export const WireText = (description: string, maxLength: number, minLength = 0) =>
  Type.String({
    minLength,
    maxLength,
    pattern: LATIN1,
    description: `${description} Latin-1 text of ${minLength} to ${maxLength} characters.`,
  })

export const Seconds = (description: string, minimum = 0) =>
  Type.Number({ minimum, maximum: 86_400, description: `${description} Seconds, ${minimum} to 86400.` })

export const Count = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `${description} ${minimum} to ${maximum}.` })

/** A number within bounds, both allowed. */
export const Amount = (description: string, minimum?: number, maximum?: number) => {
  const from = minimum === undefined ? '' : ` from ${minimum}`
  const to = maximum === undefined ? '' : ` to ${maximum}`
  return Type.Number({
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    description: `${description} A number${from}${to}.`,
  })
}

export const Truth = (description: string) => Type.Boolean({ description: `${description} true or false.` })

export const Plain = (description: string) =>
  Type.Unsafe<string | number | boolean>({
    type: ['string', 'number', 'boolean'],
    description: `${description} Text, a number, true or false.`,
  })

/** A SECS-II item; its content is checked when the file is read. */
export const Typed = (description: string) =>
  Type.Unknown({ description: `${description} An item by its format, such as {F4: 12.5}.` })

/** How many entries of one kind a model has at most. */
export const MAX_ENTRIES = 10_000

export const list = <Entry extends TSchema>(
  entry: Entry,
  description: string,
  maxItems = MAX_ENTRIES,
  minItems = 0,
) =>
  Type.Array(entry, {
    minItems,
    maxItems,
    description: `${description} ${minItems === 0 ? 'Up to' : `${minItems} to`} ${maxItems}.`,
  })

type Members<All extends TProperties, Required extends keyof All> = {
  [Name in keyof All]: Name extends Required ? All[Name] : TOptional<All[Name]>
}

/** An object with these members and no others; those that are not `required` may be left out. */
export const closed = <const All extends TProperties, const Required extends keyof All>(
  description: string,
  required: readonly Required[],
  members: All,
): TObject<Members<All, Required>> => {
  const isRequired = (name: string): boolean => (required as readonly PropertyKey[]).includes(name)
  const all = Object.entries(members).map(([name, member]) => [
    name,
    isRequired(name) ? member : Type.Optional(member),
  ])
  return Type.Object(Object.fromEntries(all) as Members<All, Required>, {
    additionalProperties: false,
    description,
  })
}
