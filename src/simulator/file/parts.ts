import { type TObject, type TProperties, Type } from 'typebox'

/** What the entries of a model file are made of. Each is told in a few words: what a person has to write. */

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

export const Amount = (description: string) => Type.Number({ description: `${description} A number.` })

export const Truth = (description: string) => Type.Boolean({ description: `${description} true or false.` })

export const Plain = (description: string) =>
  Type.Unsafe<string | number | boolean>({
    type: ['string', 'number', 'boolean'],
    description: `${description} A text, a number or a truth.`,
  })

/** A SECS-II item; it is checked when the file is read. */
export const Typed = (description: string) =>
  Type.Unknown({ description: `${description} An item by its format, such as {F4: 12.5}.` })

/** An object without other members than these. */
export const closed = <Members extends TProperties>(
  members: Members,
  description: string,
): TObject<Members> => Type.Object(members, { additionalProperties: false, description })
