import { type Static, Type } from 'typebox'
import { CAPABILITIES, type Capability } from '../../gem/capabilities.js'
import { AlarmEntry, ControlEventsEntry, EventEntry, OccasionsEntry, ReportEntry } from './collection.js'
import { Count, closed, list, MAX_ENTRIES, Name, oneOf, Seconds, Truth, WireText } from './parts.js'
import { CommandEntry, IncidentEntry, ProcessEntry } from './process.js'
import { ProgramsEntry } from './programs.js'
import { ToolEntry } from './tool.js'
import { ConstantEntry, VariableEntry } from './values.js'

const SpoolEntry = closed(
  'Spooling of messages that cannot be sent. Without this member the equipment does not support it.',
  [],
  {
    capacity: Count('How many messages it holds; 1000 when left out.', 1, MAX_ENTRIES),
    overwrite: Truth(
      'Whether a full spool drops its oldest message instead of the new one; false when left out.',
    ),
    max_transmit: Count(
      'How many messages are sent for one S6F23; 0 for all; 0 when left out.',
      0,
      MAX_ENTRIES,
    ),
    messages: list(
      Type.String({
        pattern: '^S\\d{1,3}(F\\d{1,3})?$',
        description: 'A message such as S6F11, or a stream such as S6.',
      }),
      'The messages that are spooled until a host chooses others (S2F43); S5F1 and S6F11 when left out.',
      1000,
    ),
  },
)

const TracesEntry = closed('How many traces, and which, a host may request.', [], {
  count: Count('How many traces at a time; 10 when left out.', 1, 1000),
  variables: Count('How many variables in one trace; 100 when left out.', 1, MAX_ENTRIES),
  shortest_period: Seconds('The shortest DSPER; 0.1 when left out.', 0.01),
})

const TerminalEntry = closed('The terminals.', [], {
  ids: list(Count('A TID.', 0, 255), 'The TIDs; any when left out.', 256),
  lines: Count('How many lines of S10F5 can be shown; any number when left out.', 1, MAX_ENTRIES),
})

const CONTROL_STATES = ['EQUIPMENT_OFFLINE', 'HOST_OFFLINE', 'ONLINE_LOCAL', 'ONLINE_REMOTE'] as const

/** A model file as people write it. Ids are numbers or text; whatever refers to one takes the name as well. */
export const ModelFile = closed('A simulated GEM equipment and its behaviour.', ['name', 'mdln', 'softrev'], {
  $schema: Type.String({ description: 'Where editors find this schema.' }),
  name: Name('The name of the model.'),
  description: Type.String({ maxLength: 1000, description: 'The equipment in one sentence.' }),
  mdln: WireText('MDLN, the equipment model.', 20),
  softrev: WireText('SOFTREV, its software revision; in quotes where it looks like a number.', 20),
  control_state: oneOf(CONTROL_STATES, 'The control state to begin with; ONLINE_REMOTE when left out.'),
  online_substate: oneOf(['LOCAL', 'REMOTE'], "The operator's switch: the substate when it comes online."),
  attempt_fails: oneOf(
    ['EQUIPMENT_OFFLINE', 'HOST_OFFLINE'],
    'The control state after an attempt to get online that the host did not accept; EQUIPMENT_OFFLINE when left out.',
  ),
  control_events: ControlEventsEntry,
  occasions: OccasionsEntry,
  variables: list(VariableEntry, 'Status and data variables.'),
  constants: list(ConstantEntry, 'Equipment constants.'),
  reports: list(ReportEntry, 'Reports that are defined at the beginning.'),
  events: list(EventEntry, 'Collection events.'),
  alarms: list(AlarmEntry, 'Alarms.'),
  process: ProcessEntry,
  commands: list(CommandEntry, 'Remote commands.'),
  incidents: list(IncidentEntry, 'Alarms that follow an event or a condition.'),
  objects: list(
    Type.String({ description: 'An OBJSPEC.' }),
    'OBJSPECs that S2F49 may name beside the equipment itself.',
  ),
  spool: SpoolEntry,
  traces: TracesEntry,
  programs: ProgramsEntry,
  terminal: TerminalEntry,
  gem300: ToolEntry,
  longest_body: Count(
    'The longest message body that it accepts, in bytes; a longer one gets S9F11.',
    1,
    16_777_216,
  ),
  conversation_timeout: Seconds(
    'How long it waits for the message after a granted S2F39 or S7F1; 45 when left out.',
  ),
  without: list(
    Type.Unsafe<Capability>({
      type: 'string',
      enum: CAPABILITIES,
      description: `A capability, one of ${CAPABILITIES.join(', ')}.`,
    }),
    'Capabilities of GEM that this equipment does not have.',
    100,
  ),
})
export type ModelFile = Static<typeof ModelFile>

/** The schema of model files (JSON Schema 2020-12), for editors. */
export const modelSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A model of secsctl simulator',
  ...ModelFile,
})
