import { type Static, type TSchema, Type } from 'typebox'
import { CAPABILITIES, type Capability } from '../../gem/capabilities.js'
import {
  AlarmEntry,
  ControlEventsEntry,
  EventEntry,
  MAX_ENTRIES,
  OccasionsEntry,
  ReportEntry,
} from './collection.js'
import { Count, closed, Name, oneOf, Seconds, Truth, WireText } from './parts.js'
import { CommandEntry, IncidentEntry, ProcessEntry } from './process.js'
import { ProgramsEntry } from './programs.js'
import { ConstantEntry, VariableEntry } from './values.js'

const Several = <Entry extends TSchema>(entry: Entry, description: string) =>
  Type.Optional(
    Type.Array(entry, { maxItems: MAX_ENTRIES, description: `${description} Up to ${MAX_ENTRIES}.` }),
  )

const SpoolEntry = closed(
  {
    capacity: Type.Optional(Count('Messages that it holds; 1000 when left out.', 1, MAX_ENTRIES)),
    overwrite: Type.Optional(
      Truth('Whether a full spool drops its oldest message, or else the new one; false when left out.'),
    ),
    max_transmit: Type.Optional(
      Count('Messages sent for one S6F23; 0, as when left out, for all.', 0, MAX_ENTRIES),
    ),
    messages: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^S\\d{1,3}(F\\d{1,3})?$',
          description: 'A message such as S6F11, or a stream such as S6.',
        }),
        {
          maxItems: 1000,
          description: 'What is spooled until a host chooses; S5F1 and S6F11 when left out.',
        },
      ),
    ),
  },
  'What is kept of messages that cannot be sent. Without this member nothing is, and spooling is unknown.',
)

const TracesEntry = closed(
  {
    count: Type.Optional(Count('Traces at a time; 10 when left out.', 1, 1000)),
    variables: Type.Optional(Count('Variables in one trace; 100 when left out.', 1, MAX_ENTRIES)),
    shortest_period: Type.Optional(Seconds('The shortest DSPER that is taken; 0.1 when left out.', 0.01)),
  },
  'How much tracing a host may ask for.',
)

const TerminalEntry = closed(
  {
    ids: Type.Optional(
      Type.Array(Count('A TID.', 0, 255), { maxItems: 256, description: 'The TIDs; any when left out.' }),
    ),
    lines: Type.Optional(
      Count('Lines of S10F5 that can be shown; any number when left out.', 1, MAX_ENTRIES),
    ),
  },
  'The terminals.',
)

const CONTROL_STATES = ['EQUIPMENT_OFFLINE', 'HOST_OFFLINE', 'ONLINE_LOCAL', 'ONLINE_REMOTE'] as const

/** A model file as people write it. Ids are numbers or text; whatever refers to one takes the name as well. */
export const ModelFile = closed(
  {
    $schema: Type.Optional(Type.String({ description: 'Where editors find this schema.' })),
    name: Name('What the model is called.'),
    description: Type.Optional(Type.String({ maxLength: 1000, description: 'What it is, in a sentence.' })),
    mdln: WireText('MDLN, the equipment model.', 20),
    softrev: WireText('SOFTREV, its software revision; in quotes where it looks like a number.', 20),
    control_state: Type.Optional(
      oneOf(CONTROL_STATES, 'The control state to begin with; ONLINE_REMOTE when left out.'),
    ),
    online_substate: Type.Optional(
      oneOf(['LOCAL', 'REMOTE'], "What the operator's switch says for whenever it comes online."),
    ),
    attempt_fails: Type.Optional(
      oneOf(
        ['EQUIPMENT_OFFLINE', 'HOST_OFFLINE'],
        'Where an attempt to get online ends that the host does not agree to; EQUIPMENT_OFFLINE when left out.',
      ),
    ),
    control_events: Type.Optional(ControlEventsEntry),
    occasions: Type.Optional(OccasionsEntry),
    variables: Several(VariableEntry, 'Status and data variables.'),
    constants: Several(ConstantEntry, 'Equipment constants.'),
    reports: Several(ReportEntry, 'Reports that are defined from the beginning.'),
    events: Several(EventEntry, 'Collection events.'),
    alarms: Several(AlarmEntry, 'Alarms.'),
    process: Type.Optional(ProcessEntry),
    commands: Several(CommandEntry, 'Remote commands.'),
    incidents: Several(IncidentEntry, 'What comes of what happens: alarms of events and of conditions.'),
    objects: Several(
      Type.String({ description: 'An OBJSPEC.' }),
      'OBJSPECs that S2F49 may name beside the equipment itself.',
    ),
    spool: Type.Optional(SpoolEntry),
    traces: Type.Optional(TracesEntry),
    programs: Type.Optional(ProgramsEntry),
    terminal: Type.Optional(TerminalEntry),
    longest_body: Type.Optional(
      Count('The longest body that it takes, in bytes; a longer one is answered by S9F11.', 1, 16_777_216),
    ),
    conversation_timeout: Type.Optional(
      Seconds('How long a granted S2F39 or S7F1 waits for what it announced; 45 when left out.'),
    ),
    without: Type.Optional(
      Type.Array(
        Type.Unsafe<Capability>({
          type: 'string',
          enum: CAPABILITIES,
          description: `A capability, one of ${CAPABILITIES.join(', ')}.`,
        }),
        { maxItems: 100, description: 'What this equipment does not have, though GEM has it.' },
      ),
    ),
  },
  'A simulated GEM equipment: what it is and has, and how it behaves.',
)
export type ModelFile = Static<typeof ModelFile>

/** The schema of model files (JSON Schema 2020-12), for editors. */
export const modelSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A model of secsctl simulator',
  ...ModelFile,
})
