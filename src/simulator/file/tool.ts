import {
  EVENT_STYLES,
  JOB_CREATIONS,
  JOB_MESSAGES,
  PORT_TYPES,
  RELEASES,
  SLOT_CODES,
  STARTS,
  SUBSTRATE_NUMBERS,
} from '../gem300/tool-settings.js'
import { Count, closed, oneOf, Seconds, WireText } from './parts.js'

/** S16F22 has its space in one or two bytes, and a tool holds few. */
const MAX_JOBS = 100

export const ToolEntry = closed(
  'A GEM 300 tool: two load ports, an aligner, two chambers, process jobs and control jobs. It adds its variables from id 50001, its reports from 5001 and its events from 60001. An empty object takes all defaults.',
  [],
  {
    events: oneOf(
      EVENT_STYLES,
      'How transitions are told: an event for each (transitions, the default), one event for each machine with the state in a variable, the port in the name of the event and no data, or an event for each with lists of substrates.',
    ),
    objspec: WireText('OBJSPEC that S14F9 has to have; Equipment when left out.', 80),
    job_creation: oneOf(
      JOB_CREATIONS,
      'The message that creates process jobs, where it is one of the two; both when left out.',
    ),
    start: oneOf(
      STARTS,
      'Whether jobs start as PRPROCESSSTART and StartMethod say (as_requested, the default), or always wait for START and CJStart.',
    ),
    release: oneOf(
      RELEASES,
      'Whether a carrier that is done may be taken at once (auto, the default), or after CarrierRelease.',
    ),
    substrate_numbers: oneOf(
      SUBSTRATE_NUMBERS,
      'The numbers of the states of substrates and their places; standard when left out.',
    ),
    slot_codes: oneOf(
      SLOT_CODES,
      'The numbers in slot maps: 0 to 5 (standard, the default), or 0 and 1 for empty and present.',
    ),
    port_type: oneOf(PORT_TYPES, 'OBJTYPE of a load port; LoadPort when left out.'),
    job_messages: oneOf(
      JOB_MESSAGES,
      'Messages about process jobs beside collection events; S16F7 when left out.',
    ),
    queue: Count('How many process jobs it holds that are not over; 8 when left out.', 1, MAX_JOBS),
    load_time: Seconds('From the carrier to its ID, and from its ID to its slot map; 0.5 when left out.'),
    set_up_time: Seconds('From a process job being next to its start; 0.5 when left out.'),
    move_time: Seconds('A substrate from one place to the next; 0.2 when left out.'),
    process_time: Seconds('A substrate in a chamber; 2 when left out.'),
  },
)
