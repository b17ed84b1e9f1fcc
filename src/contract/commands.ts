import { type Static, Type } from 'typebox'
import { nullable, oneOf } from './schema.js'

export const COMMAND_STYLES = ['host', 'enhanced', 'remote'] as const
export type CommandStyle = (typeof COMMAND_STYLES)[number]

export const NewCommand = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 256, description: 'Name of the remote command (RCMD).' }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Parameters by name (CPNAME); a value (CPVAL) is a string, number, boolean or typed item. In an enhanced command it may be an array or an object of further values, which is sent as a list (CEPVAL).',
      }),
    ),
    object: Type.Optional(
      Type.String({ maxLength: 1024, description: 'The object that is meant (OBJSPEC): S2F49.' }),
    ),
    style: Type.Optional(
      oneOf(
        COMMAND_STYLES,
        '`host` is S2F41, `enhanced` S2F49, `remote` S2F21, which has no parameters and is what old equipment takes. Left out, `enhanced` where there is an `object`, else `host`.',
      ),
    ),
    wait_for_reply: Type.Optional(
      Type.Boolean({
        description:
          'True unless given. False: answered 202 as soon as it is sent. The reply is awaited and recorded all the same; S2F21 then wants none.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewCommand = Static<typeof NewCommand>

export const CommandResult = Type.Object({
  command: Type.String(),
  accepted: nullable(
    Type.Boolean({
      description: 'True for HCACK 0 and 4, and for CMDA 0; null where the reply was not waited for.',
    }),
  ),
  hcack: nullable(Type.Integer({ minimum: 0, maximum: 255 })),
  hcack_text: nullable(Type.String()),
  cmda: nullable(
    Type.Integer({ minimum: 0, maximum: 255, description: 'The code of S2F22; null for other styles.' }),
  ),
  cmda_text: nullable(Type.String()),
  parameters: Type.Array(
    Type.Object({ name: Type.String(), cpack: Type.Integer(), cpack_text: Type.String() }),
    { description: 'The parameters that the equipment complained about.' },
  ),
  message_id: Type.String(),
  reply_id: nullable(Type.String()),
})
export type CommandResult = Static<typeof CommandResult>
