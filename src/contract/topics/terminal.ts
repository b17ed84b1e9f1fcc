import { Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { named, namedInput, OptionalInteger } from '../schema.js'
import { Acknowledged, acknowledgedAs } from '../values.js'
import { WRITES } from './messages.js'

const Line = Type.String({ maxLength: 4096 })

const TerminalText = namedInput('TerminalText', {
  tid: OptionalInteger([0, 255], 'Terminal number (TID); default 0, the main terminal.'),
  text: Type.Optional(Line),
  lines: Type.Optional(
    Type.Array(Line, { description: 'Several lines of text. Give either `text` or `lines`.' }),
  ),
})

const TerminalTextSent = named('TerminalTextSent', Acknowledged('ackc10'))

export const terminalEndpoints = {
  sendTerminalText: endpoint('POST /equipment/{id}/terminal', {
    ...WRITES,
    tag: 'terminal',
    summary: 'Display text on a terminal of the equipment',
    description:
      'Sends S10F3 for `text`, S10F5 for `lines`; give exactly one of them. If the equipment refuses, the response is 200 with `accepted` false.',
    body: TerminalText,
    reply: TerminalTextSent,
    audited: ['tid', 'text', 'lines'],
    examples: { body: { tid: 0, text: 'Lot L1 is on hold.' }, reply: acknowledgedAs('ackc10', 61) },
  }),
} as const
