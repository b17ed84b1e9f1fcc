import { type Static, type TInteger, type TString, Type } from 'typebox'
import { described, NullableText, named, nullable, Text } from './schema.js'
import { TypedItem } from './topics/messages.js'

const LISTED = "From the equipment's name list; null until the gateway has received that list"
export const ListedName = described('ListedName', NullableText(`${LISTED}.`))
export const ListedUnit = described('ListedUnit', NullableText(`${LISTED}, empty if there is no unit.`))

/** A value as the equipment sent it, with the identifier, name and unit of its variable where they are known. */
export const NamedValue = named('NamedValue', {
  id: NullableText('SVID, VID or ECID; null where the definition of the report is not known.'),
  name: ListedName,
  unit: ListedUnit,
  value: nullable(TypedItem),
  text: Text('The value as readable text; empty where `value` is null.'),
})
export type NamedValue = Static<typeof NamedValue>

/** An identifier, in decimal if it is a number, or its name from the equipment's name list. */
export const IdOrName = Type.String({ minLength: 1, maxLength: 256 })

/** Ids of the recorded primary and reply that a response is based on. */
export const Recorded = {
  message_id: Text('Id of the recorded primary message.'),
  reply_id: Text('Id of the recorded reply.'),
}

/** These ids in an example. */
export const recordedAs = (id: number) => ({ message_id: String(id), reply_id: String(id + 1) })

/** An acknowledgement code of one byte, 0 to 255. */
export const Code = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description })

/** Members of the response to a change: an acknowledge code, such as `ackc10`, with its text in `ackc10_text`. */
export const Acknowledged = <Name extends string>(
  code: Name,
  accepted = `True for ${code.toUpperCase()} 0.`,
) => ({
  accepted: Type.Boolean({ description: accepted }),
  ...({
    [code]: Code(`${code.toUpperCase()}.`),
    [`${code}_text`]: Type.String(),
  } as Record<Name, TInteger> & Record<`${Name}_text`, TString>),
  ...Recorded,
})

/** These members in an example. */
export const acknowledgedAs = <Name extends string>(code: Name, id: number) => ({
  accepted: true,
  ...({ [code]: 0, [`${code}_text`]: 'accepted' } as Record<Name, number> & Record<`${Name}_text`, string>),
  ...recordedAs(id),
})
