import { Type } from 'typebox'
import { Amount, Count, closed, Id, list, MAX_ENTRIES, Name, oneOf, Typed, WireText } from './parts.js'

const StepEntry = closed('A process command of a formatted program.', ['command'], {
  command: Id('CCODE.'),
  parameters: list(Typed('A PPARM.'), 'Its PPARMs in order.', 1000),
})

const StoredEntry = closed('A process program: `body`, `steps` or both.', ['id'], {
  id: WireText('PPID.', 120, 1),
  body: Type.Unknown({
    description: 'PPBODY: text, or an item by its format such as {B: [1, 2]}; not a list.',
  }),
  steps: list(StepEntry, 'The program as a formatted one (S7F26).'),
})

const ProgramParameterEntry = closed('A PPARM.', ['name', 'format'], {
  name: Name('Its name.'),
  format: oneOf(
    ['A', 'B', 'BOOLEAN', 'I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8', 'F4', 'F8'],
    'Its format.',
  ),
  minimum: Amount('The lowest value.'),
  maximum: Amount('The highest value.'),
})

const ProgramCommandEntry = closed('A process command that formatted programs may have.', ['code', 'name'], {
  code: Id('CCODE.'),
  name: Name('Its name.'),
  parameters: list(ProgramParameterEntry, 'Its PPARMs: all of them, in this order.', 1000),
})

export const ProgramsEntry = closed(
  'Process programs. Without this member the equipment does not support stream 7.',
  [],
  {
    stored: list(StoredEntry, 'The programs that are there at the beginning.'),
    capacity: Count('Programs that can be stored; 100 when left out.', 1, MAX_ENTRIES),
    longest: Count("Bytes of one program's body; 1000000 when left out.", 1, 16_000_000),
    commands: list(
      ProgramCommandEntry,
      'The commands that formatted programs may have; any when left out.',
      1000,
      1,
    ),
    locked: list(
      Type.String({ description: 'A PPID.' }),
      'PPIDs that a host can neither replace nor delete.',
      MAX_ENTRIES,
    ),
  },
)
