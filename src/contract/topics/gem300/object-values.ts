import { type Static, Type } from 'typebox'
import { Flag, NOT_BLANK, NullableText, named, nullable, Text } from '../../schema.js'
import { Recorded } from '../../values.js'
import { TypedItem } from '../messages.js'

/** The ID of a carrier, job or other object. What equipment has is taken as it is; a new ID is checked further. */
export const ObjectId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, pattern: NOT_BLANK, description })

/** A state or mode of an object. `meaning`: which, and words that it may be. */
export const StateWord = (meaning: string) =>
  NullableText(
    `${meaning}; \`unknown (7)\` for a number without a known meaning, null where the equipment does not give it.`,
  )

/** The rule for a new ID, for descriptions. */
export const ID_RULE = '1 to 80 visible characters of ASCII, or blanks, without `? * ~ > :`'

export const ObjectError = named('ObjectError', {
  port: nullable(Type.Integer({ description: 'PTN; null where the error is not about a port of its own.' })),
  code: nullable(Type.Integer({ description: 'ERRCODE; null where the equipment gave none.' })),
  code_text: NullableText('What the code means.'),
  text: Text('ERRTEXT: the words of the equipment.'),
})
export type ObjectError = Static<typeof ObjectError>

/** Members of the response to a change. */
export const ObjectResult = {
  accepted: Flag('True where the equipment did, or will do, what was asked.'),
  errors: Type.Array(ObjectError, {
    description: 'What the equipment says is wrong. May be empty although it refused.',
  }),
  ...Recorded,
}

/** These members in an example. */
export const objectResultAs = (id: number) => ({
  accepted: true,
  errors: [],
  message_id: String(id),
  reply_id: String(id + 1),
})

export const ObjectAttribute = named('ObjectAttribute', {
  name: Text('ATTRID.'),
  value: TypedItem,
  text: Text('The value as readable text.'),
})
export type ObjectAttribute = Static<typeof ObjectAttribute>
