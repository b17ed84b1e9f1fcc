import { Type } from 'typebox'
import { MAX_ENTRIES } from './collection.js'
import { Amount, Count, closed, Id, Name, oneOf, Typed, WireText } from './parts.js'

const StepEntry = closed(
  {
    command: Id('CCODE.'),
    parameters: Type.Optional(
      Type.Array(Typed('A PPARM.'), { maxItems: 1000, description: 'Its PPARMs in order, up to 1000.' }),
    ),
  },
  'A process command of a formatted program.',
)

const StoredEntry = closed(
  {
    id: WireText('PPID.', 120, 1),
    body: Type.Optional(
      Type.Unknown({ description: 'PPBODY: a text, or an item by its format such as {B: [1, 2]}; no list.' }),
    ),
    steps: Type.Optional(
      Type.Array(StepEntry, {
        maxItems: MAX_ENTRIES,
        description: 'What it is as a formatted program (S7F26).',
      }),
    ),
  },
  'A process program: `body`, `steps` or both.',
)

const ProgramParameterEntry = closed(
  {
    name: Name('What it is called.'),
    format: oneOf(
      ['A', 'B', 'BOOLEAN', 'I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8', 'F4', 'F8'],
      'The format that it has to have.',
    ),
    minimum: Type.Optional(Amount('The least that is taken.')),
    maximum: Type.Optional(Amount('The most that is taken.')),
  },
  'A PPARM.',
)

const ProgramCommandEntry = closed(
  {
    code: Id('CCODE.'),
    name: Name('What it is called.'),
    parameters: Type.Optional(
      Type.Array(ProgramParameterEntry, {
        maxItems: 1000,
        description: 'Its PPARMs: all of them, in this order.',
      }),
    ),
  },
  'A process command that formatted programs may have.',
)

export const ProgramsEntry = closed(
  {
    stored: Type.Optional(
      Type.Array(StoredEntry, {
        maxItems: MAX_ENTRIES,
        description: 'The programs that are there to begin with.',
      }),
    ),
    capacity: Type.Optional(Count('Programs that can be stored; 100 when left out.', 1, MAX_ENTRIES)),
    longest: Type.Optional(Count("Bytes of one program's body; 1000000 when left out.", 1, 16_000_000)),
    commands: Type.Optional(
      Type.Array(ProgramCommandEntry, {
        minItems: 1,
        maxItems: 1000,
        description: 'What formatted programs may have; everything when left out.',
      }),
    ),
    locked: Type.Optional(
      Type.Array(Type.String({ description: 'A PPID.' }), {
        maxItems: MAX_ENTRIES,
        description: 'PPIDs that a host can neither replace nor delete.',
      }),
    ),
  },
  'Process programs. Without this member the equipment knows nothing of stream 7.',
)
