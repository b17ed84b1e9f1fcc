import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { TRANSACTION_ERRORS } from '../errors.js'
import {
  ById,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalText,
  oneOf,
} from '../schema.js'
import { SendQuery } from './messages.js'

export const COMMAND_STYLES = ['host', 'enhanced', 'remote'] as const
export type CommandStyle = (typeof COMMAND_STYLES)[number]

export const NewCommand = namedInput('NewCommand', {
  command: Type.String({ minLength: 1, maxLength: 256, description: 'Name of the remote command (RCMD).' }),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Parameters by name (CPNAME). A value (CPVAL) is a string, number, boolean or typed item. In an enhanced command (S2F49) a value may also be an array or an object of values, which is sent as a list (CEPVAL).',
    }),
  ),
  object: OptionalText('Target object (OBJSPEC) of an enhanced command (S2F49).', { maxLength: 1024 }),
  style: Type.Optional(
    oneOf(
      COMMAND_STYLES,
      'Message that carries the command. `host`: S2F41. `enhanced`: S2F49. `remote`: S2F21, which has no parameters and is for old equipment. Default: `enhanced` if `object` is given, else `host`.',
    ),
  ),
  wait_for_reply: OptionalFlag(
    'Default: true. False: the call answers 202 as soon as the command is sent. The gateway still receives and records the reply, except for S2F21, which is then sent without the W-bit.',
  ),
})
export type NewCommand = Static<typeof NewCommand>

export const CommandResult = named('CommandResult', {
  command: Type.String(),
  accepted: NullableFlag(
    'True for HCACK 0 and 4, and for CMDA 0; null if the call did not wait for the reply.',
  ),
  hcack: nullable(Type.Integer({ minimum: 0, maximum: 255 })),
  hcack_text: nullable(Type.String()),
  cmda: nullable(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Code in S2F22; null for the other styles.' }),
  ),
  cmda_text: nullable(Type.String()),
  parameters: Type.Array(
    Type.Object({ name: Type.String(), cpack: Type.Integer(), cpack_text: Type.String() }),
    { description: 'The parameters that the equipment reported as wrong, with their CPACK or CEPACK.' },
  ),
  sent_by: NullableText('Email of the user who sent the command, or `key:NAME` of an API key.'),
  message_id: Type.String(),
  reply_id: nullable(Type.String()),
})
export type CommandResult = Static<typeof CommandResult>

const RESULT: CommandResult = {
  command: 'START',
  accepted: true,
  hcack: 4,
  hcack_text: 'will finish later, with an event',
  cmda: null,
  cmda_text: null,
  parameters: [],
  sent_by: 'ada@example.com',
  message_id: '43',
  reply_id: '44',
}

export const commandEndpoints = {
  sendCommand: endpoint('POST /equipment/{id}/command', {
    tag: 'equipment',
    summary: 'Send a remote command',
    description:
      'Sends S2F41, S2F49 or S2F21, as given by `style`. 200: the equipment replied; `accepted` says whether it accepted the command. 202: the command was sent, and the call did not wait for the reply; the recorded reply will show whether the equipment accepted it.',
    access: 'operator',
    idempotent: true,
    params: ById,
    query: SendQuery,
    body: NewCommand,
    reply: CommandResult,
    status: [200, 202],
    errors: TRANSACTION_ERRORS,
    audited: ['command', 'parameters', 'object', 'style'],
    examples: {
      body: { command: 'START', parameters: { LOTID: 'L1', PPID: 'R7' } },
      reply: RESULT,
      accepted: { ...RESULT, accepted: null, hcack: null, hcack_text: null, reply_id: null },
    },
  }),
} as const
