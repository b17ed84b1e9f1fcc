import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { ById, named, namedInput, Text, Time } from '../schema.js'

/** The longest time for which replies are given at once, in seconds. */
export const MAX_REPLY_SECONDS = 300

export const RepliesRequest = namedInput('RepliesRequest', {
  run: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Who gives the replies: a word of the caller, a new one for each run of a test.',
  }),
  for_seconds: Type.Number({
    minimum: 1,
    maximum: MAX_REPLY_SECONDS,
    description:
      'How long they are given from now on, in seconds; at most 5 minutes. Repeat the call in time.',
  }),
  replies: Type.Record(
    Type.String({ pattern: '^S\\d{1,3}F\\d{1,3}$' }),
    Type.String({ minLength: 1, maxLength: 65_536 }),
    {
      maxProperties: 64,
      description:
        'For a primary of the equipment, such as S6F11, the reply as SML, such as `S6F12 <B 1>.`; SxF0 to abort the transaction, or `none` to send nothing. Not for S1F13 and stream 9. An empty object ends the replies of this run.',
    },
  ),
})
export type RepliesRequest = Static<typeof RepliesRequest>

export const leasedReplyEndpoints = {
  setReplies: endpoint('PUT /equipment/{id}/replies', {
    tag: 'messages',
    summary: 'Give other replies to the equipment for a limited time',
    description:
      'For tests of equipment. Until the time ends, the gateway sends these replies to primaries of the equipment instead of its usual ones; messages are recorded as always. The replies of a run replace those that it gave before. If two runs give a reply to one message, the reply of the later call is sent. The replies are kept in memory: they end by themselves, and with the process or the settings of the connection.',
    access: 'engineer',
    idempotent: true,
    params: ById,
    body: RepliesRequest,
    reply: named('LeasedReplies', {
      messages: Type.Array(Text('A primary, such as S6F11.')),
      expires_at: Time('When the replies end by themselves.'),
    }),
    errors: ['equipment_not_found', 'invalid_message', 'tapped_read_only'],
    audited: ['run', 'for_seconds', 'replies'],
    examples: {
      body: { run: '4f1c', for_seconds: 60, replies: { S6F11: 'S6F12 <B 1>.', S5F1: 'none' } },
      reply: { messages: ['S6F11', 'S5F1'], expires_at: '2026-01-31T08:01:00.000Z' },
    },
  }),
} as const
