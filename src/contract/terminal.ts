import { type Static, Type } from 'typebox'
import { Code, Recorded } from './values.js'

const Line = Type.String({ maxLength: 4096 })

export const TerminalText = Type.Object(
  {
    tid: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 255,
        description: 'Terminal number (TID); default 0, the main terminal.',
      }),
    ),
    text: Type.Optional(Line),
    lines: Type.Optional(
      Type.Array(Line, { description: 'Several lines of text. Give either `text` or `lines`.' }),
    ),
  },
  { additionalProperties: false },
)
export type TerminalText = Static<typeof TerminalText>

export const TerminalTextSent = Type.Object({
  accepted: Type.Boolean({ description: 'True for ACKC10 0.' }),
  ackc10: Code('ACKC10.'),
  ackc10_text: Type.String(),
  ...Recorded,
})
export type TerminalTextSent = Static<typeof TerminalTextSent>
