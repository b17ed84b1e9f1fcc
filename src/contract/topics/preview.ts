import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { ById, input, named, namedInput, Text } from '../schema.js'
import { NewCommand } from './commands.js'
import { Message, NewMessage } from './messages.js'
import { NewRecipe, Ppid } from './recipes.js'

const { body, item_format, formatted } = NewRecipe.properties

const Preview = namedInput('Preview', {
  message: Type.Optional(NewMessage),
  command: Type.Optional(NewCommand),
  recipe: Type.Optional(input({ ppid: Ppid, body, item_format, formatted })),
})
export type Preview = Static<typeof Preview>

const { stream, function: fn, name, w_bit } = Message.properties
export const MessagePreview = named('MessagePreview', {
  stream,
  function: fn,
  name,
  w_bit,
  sml: Type.String(),
  hex: Text('The body in lower-case hex.'),
})
export type MessagePreview = Static<typeof MessagePreview>

export const previewEndpoints = {
  previewMessage: endpoint('POST /equipment/{id}/messages/preview', {
    tag: 'messages',
    summary: 'Show the message that a call would send',
    description:
      'Takes the body of `sendMessage` as `message`, that of `sendCommand` as `command`, or that of `storeRecipe` with the PPID as `recipe`, and gives the message that would be sent to this equipment. Nothing is sent or recorded. For a recipe it is the one with the content, S7F3 or S7F23; the S7F1 before it can be shown as `message`.',
    access: 'viewer',
    isSafe: true,
    params: ById,
    body: Preview,
    reply: MessagePreview,
    errors: ['equipment_not_found', 'invalid_message'],
    examples: {
      body: { command: { command: 'STOP' } },
      reply: {
        stream: 2,
        function: 41,
        name: 'S2F41 Host Command Send',
        w_bit: true,
        sml: 'S2F41 W\n<L [2]\n  <A "STOP">\n  <L [0]>\n>.',
        hex: '0102410453544f500100',
      },
    },
  }),
} as const
