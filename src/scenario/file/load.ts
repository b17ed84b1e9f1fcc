import { type Static, Type } from 'typebox'

/** A number, or a variable that has one. */
const Amount = (description: string) =>
  Type.Union(
    [Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), Type.String({ pattern: '^\\{\\w+\\}$' })],
    {
      description,
    },
  )

/** The members of a step `load` beside its message. */
export const loadMembers = {
  load: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'A primary as SML, such as S1F1 W, which is sent many times.',
    }),
  ),
  rate: Type.Optional(Amount('Messages in a second, up to 1000; 10 unless given.')),
  for: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'How long messages are sent, such as 10s, which is also the time unless given; at most 1h.',
    }),
  ),
}
export type LoadFile = { readonly [Name in keyof typeof loadMembers]?: Static<(typeof loadMembers)[Name]> }

/** The names of the values that a load has. */
export const LOAD_VALUES = ['count', 'failed', 'rate', 'p50', 'p99', 'max'] as const
