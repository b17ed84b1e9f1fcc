import { type Static, Type } from 'typebox'
import { TypedItem } from './messages.js'
import { nullable } from './schema.js'

/** A value as the equipment sent it, with what is known of whose it is. */
export const NamedValue = Type.Object({
  id: nullable(Type.String({ description: 'Null where nobody told whose value it is.' })),
  name: nullable(Type.String({ description: 'Null until a namelist told it.' })),
  unit: nullable(Type.String({ description: 'Null until a namelist told it; empty for none.' })),
  value: nullable(TypedItem),
  text: Type.String({ description: 'The value in words for people; empty where it is null.' }),
})
export type NamedValue = Static<typeof NamedValue>

/** An id, in decimal where it is a number, or the name that a namelist gives it. */
export const IdOrName = Type.String({ minLength: 1, maxLength: 256 })

/** The recorded messages that an answer is taken from. */
export const Recorded = {
  message_id: Type.String({ description: 'The recorded primary.' }),
  reply_id: Type.String({ description: 'Its recorded reply.' }),
}

/** One byte of a code. */
export const Code = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description })
