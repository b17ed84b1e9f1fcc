import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NAMED_ERRORS } from '../errors.js'
import {
  ById,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalNumber,
  OptionalText,
  oneOf,
} from '../schema.js'
import { Message, SendQuery } from './messages.js'
import { Reference } from './reports.js'

export const COMMAND_STYLES = ['host', 'enhanced', 'remote'] as const
export type CommandStyle = (typeof COMMAND_STYLES)[number]

/** Default of `within`, in seconds. */
export const DEFAULT_EVENT_WAIT = 30

const EVENT_OUTCOMES = ['arrived', 'not_in_time', 'refused', 'connection_lost'] as const
export type EventOutcome = (typeof EVENT_OUTCOMES)[number]

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
    'Default: true. False: the response is 202 as soon as the command is sent. The gateway still receives and records the reply, except for S2F21, which is then sent without the W-bit.',
  ),
  wait_event: Type.Optional(
    Reference(
      'A collection event (CEID or name) that the response waits for, after the reply. The wait begins before the command is sent, so that no event is missed. Not together with `wait_for_reply` false.',
    ),
  ),
  within: OptionalNumber(
    [0.1, 600],
    `Longest time to wait for the event in seconds, from when the command was sent. Default: ${DEFAULT_EVENT_WAIT}. Only with \`wait_event\`.`,
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
  event_outcome: Type.Optional(
    oneOf(
      EVENT_OUTCOMES,
      'Result of `wait_event`. `arrived`: `event` has the report. `not_in_time`: none came within the time. `refused`: the equipment refused the command, and no event was waited for. `connection_lost`: the connection ended before the event. Absent without `wait_event`.',
    ),
  ),
  event: nullable(Message),
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
  event: null,
}

export const commandEndpoints = {
  sendCommand: endpoint('POST /equipment/{id}/command', {
    tag: 'equipment',
    summary: 'Send a remote command',
    description:
      'Sends S2F41, S2F49 or S2F21, as given by `style`. 200: the equipment replied; `accepted` says whether it accepted the command. 202: the command was sent, and the call did not wait for the reply; the recorded reply will show whether the equipment accepted it. With `wait_event` the response comes when the event has arrived (`event` is the message that reports it, with the names of its values in `collection_event`), when it has not come `within` the time, or at once when the equipment refuses the command or the connection ends: a 200 with `event_outcome`.',
    access: 'operator',
    idempotent: true,
    params: ById,
    query: SendQuery,
    body: NewCommand,
    reply: CommandResult,
    status: [200, 202],
    errors: [...NAMED_ERRORS, 'quota_exceeded'],
    audited: ['command', 'parameters', 'object', 'style', 'wait_event', 'within'],
    examples: {
      body: { command: 'START', parameters: { LOTID: 'L1', PPID: 'R7' } },
      reply: RESULT,
      accepted: { ...RESULT, accepted: null, hcack: null, hcack_text: null, reply_id: null },
    },
  }),
} as const
