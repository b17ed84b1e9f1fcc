import { type Static, Type } from 'typebox'
import { nullable } from './schema.js'

export const NewCommand = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 256, description: 'Name of the remote command (RCMD).' }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Parameters by name (CPNAME); a value (CPVAL) is a string, number, boolean or typed item.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewCommand = Static<typeof NewCommand>

export const CommandResult = Type.Object({
  command: Type.String(),
  accepted: Type.Boolean({ description: 'True for HCACK 0 and 4.' }),
  hcack: nullable(Type.Integer({ minimum: 0, maximum: 255 })),
  hcack_text: nullable(Type.String()),
  parameters: Type.Array(
    Type.Object({ name: Type.String(), cpack: Type.Integer(), cpack_text: Type.String() }),
    { description: 'The parameters that the equipment complained about.' },
  ),
  message_id: Type.String(),
  reply_id: nullable(Type.String()),
})
export type CommandResult = Static<typeof CommandResult>
