import { type Static, Type } from 'typebox'
import { TypedItem } from './messages.js'
import { named, nullable } from './schema.js'

/** A value as the equipment sent it, with the identifier, name and unit of its variable where they are known. */
export const NamedValue = named('NamedValue', {
  id: nullable(
    Type.String({ description: 'SVID, VID or ECID; null where the definition of the report is not known.' }),
  ),
  name: nullable(
    Type.String({
      description: "From the equipment's name list; null until the gateway has received that list.",
    }),
  ),
  unit: nullable(
    Type.String({
      description:
        "From the equipment's name list; null until the gateway has received that list, empty if there is no unit.",
    }),
  ),
  value: nullable(TypedItem),
  text: Type.String({ description: 'The value as readable text; empty where `value` is null.' }),
})
export type NamedValue = Static<typeof NamedValue>

/** An identifier, in decimal if it is a number, or its name from the equipment's name list. */
export const IdOrName = Type.String({ minLength: 1, maxLength: 256 })

/** Ids of the recorded primary and reply that an answer is based on. */
export const Recorded = {
  message_id: Type.String({ description: 'Id of the recorded primary message.' }),
  reply_id: Type.String({ description: 'Id of the recorded reply.' }),
}

/** These ids in an example. */
export const recordedAs = (id: number) => ({ message_id: String(id), reply_id: String(id + 1) })

/** An acknowledgement code of one byte, 0 to 255. */
export const Code = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description })
