import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { TRANSACTION_ERRORS } from '../../errors.js'
import {
  Id,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  oneOf,
  Text,
} from '../../schema.js'
import { Recorded, recordedAs } from '../../values.js'
import { READS, Timeout, WRITES } from '../messages.js'
import { ID_RULE, ObjectAttribute, ObjectId, ObjectResult, objectResultAs } from './object-values.js'

const ByJob = Type.Object({ id: Id, job: ObjectId('Process job ID (PRJOBID).') })

const State = Text(
  'State of SEMI E40, such as `QUEUED_POOLED`, `PROCESSING` or `PROCESS_COMPLETE`. A number without a known meaning is `unknown (5)`.',
)

export const ProcessJob = named('ProcessJob', { job_id: Text('PRJOBID.'), state: State })
export type ProcessJob = Static<typeof ProcessJob>

const Material = Type.Object({
  carrier_id: Text('Carrier ID.'),
  slots: Type.Array(Type.Integer(), { description: 'Slots of the carrier; empty for all.' }),
})

export const ProcessJobDetails = named('ProcessJobDetails', {
  job_id: Text('PRJOBID.'),
  state: State,
  carriers: Type.Array(Material),
  substrates: Type.Array(Type.String(), { description: 'Substrates that the job names.' }),
  recipe: NullableText('RecID; null where the equipment does not give it.'),
  attributes: Type.Array(ObjectAttribute, {
    description: 'All attributes of the job; empty where the equipment has no objects (S14F1).',
  }),
  ...Recorded,
})
export type ProcessJobDetails = Static<typeof ProcessJobDetails>

const Slot = Type.Integer({ minimum: 1, maximum: 255 })

export const NewProcessJob = namedInput('NewProcessJob', {
  job_id: ObjectId(`Process job ID (PRJOBID): ${ID_RULE}.`),
  recipe: Type.String({ minLength: 1, maxLength: 256, description: 'Recipe (RCPSPEC).' }),
  carriers: Type.Optional(
    Type.Array(
      input({
        carrier_id: ObjectId('Carrier ID.'),
        slots: Type.Optional(
          Type.Array(Slot, {
            maxItems: 255,
            description: 'Slots to process, in this order. Default: all.',
          }),
        ),
      }),
      { maxItems: 100, description: 'Carriers with the slots wanted (MF 13).' },
    ),
  ),
  substrates: Type.Optional(
    Type.Array(ObjectId('Substrate ID.'), {
      maxItems: 1000,
      description: 'Substrates by their names (MF 14). Give either `carriers` or `substrates`.',
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Values for variables of the recipe by name (RCPPARNM): a string, number, boolean or typed item such as `{"U1":[1]}`. PRRECIPEMETHOD is 2 with them, and 1 without.',
    }),
  ),
  manual_start: OptionalFlag('True: the job waits for `start`. Default: false.'),
  pause_events: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      maxItems: 100,
      description: 'Collection events at which the job pauses (PRPAUSEEVENT).',
    }),
  ),
  only_free_carriers: OptionalFlag(
    'True: the gateway first asks for all process jobs (S14F1), and the response is 409 `carrier_in_job` if one that is not over has one of the carriers. Of several such calls at once one creates its job. A job whose carriers the equipment does not tell does not count, and neither does a job of substrates. With `substrates` the call is refused. Default: false.',
  ),
  message: Type.Optional(
    oneOf(
      ['S16F15', 'S16F11'],
      'Message that creates the job. Default: that of the mapping, otherwise `S16F15`. Some equipment has only one.',
    ),
  ),
})
export type NewProcessJob = Static<typeof NewProcessJob>

const PROCESS_JOB_COMMAND_WORDS = ['start', 'stop', 'pause', 'resume', 'abort', 'cancel'] as const

const JobResult = Type.Object({ job_id: Text('PRJOBID.'), ...ObjectResult })

const JOB = 'PJ-1'
const RESULT = { job_id: JOB, ...objectResultAs(81) }
const QUEUED = { job_id: JOB, state: 'QUEUED_POOLED' }

/** What a job is asked for; the reply is one page. */
const ProcessJobs = Type.Object({
  items: Type.Array(ProcessJob),
  next_cursor: nullable(Type.String()),
  space: nullable(
    Type.Integer({
      description: 'Jobs that can still be created (S16F22); null unless `space` asks for it.',
    }),
  ),
})

export const processJobEndpoints = {
  listProcessJobs: endpoint('GET /equipment/{id}/jobs', {
    ...READS,
    tag: 'jobs',
    summary: 'List the process jobs of the equipment',
    description:
      'Sends S16F19, and S16F21 with `space`. The response has all jobs in one page, in the order of the equipment.',
    query: input({
      space: OptionalFlag('True: ask also how many jobs can still be created. Default: false.'),
      ...Timeout,
    }),
    reply: ProcessJobs,
    examples: { reply: { items: [QUEUED], next_cursor: null, space: null } },
  }),
  getProcessJob: endpoint('GET /equipment/{id}/jobs/{job}', {
    ...READS,
    tag: 'jobs',
    summary: 'Show a process job',
    description:
      'Sends S14F1 for all attributes of the job. Where the equipment has no objects or no such type, S16F19 gives the state alone.',
    params: ByJob,
    reply: ProcessJobDetails,
    errors: [...TRANSACTION_ERRORS, 'object_not_found'],
    examples: {
      reply: {
        ...QUEUED,
        carriers: [{ carrier_id: 'FOUP7', slots: [1, 2] }],
        substrates: [],
        recipe: 'OXIDE-ETCH-01',
        attributes: [{ name: 'PRJobState', value: { U1: [0] }, text: '0' }],
        ...recordedAs(81),
      },
    },
  }),
  createProcessJob: endpoint('POST /equipment/{id}/jobs', {
    ...WRITES,
    tag: 'jobs',
    summary: 'Create a process job',
    description:
      'Sends S16F15, or S16F11 where `message` says so. If the equipment refuses, the response is 200 with `accepted` false, and `errors` has its reasons. The formats of MF, PRRECIPEMETHOD, DATAID and SLOTID are those of `item_formats` of the equipment.',
    access: 'operator',
    body: NewProcessJob,
    reply: JobResult,
    errors: [...TRANSACTION_ERRORS, 'carrier_in_job'],
    audited: ['job_id', 'recipe', 'carriers', 'substrates', 'parameters', 'manual_start'],
    examples: {
      body: { job_id: JOB, recipe: 'OXIDE-ETCH-01', carriers: [{ carrier_id: 'FOUP7', slots: [1, 2] }] },
      reply: RESULT,
    },
  }),
  commandProcessJob: endpoint('POST /equipment/{id}/jobs/{job}/commands', {
    ...WRITES,
    tag: 'jobs',
    summary: 'Start, stop, pause, resume, abort or cancel a process job',
    description:
      'Sends S16F5. The response says that the equipment accepted the command, and not that the job is in the new state. If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    params: ByJob,
    body: input({
      command: oneOf(
        PROCESS_JOB_COMMAND_WORDS,
        'PRCMDNAME. `cancel` is for a job that is queued; `stop` ends a job after the substrates in process, `abort` at once.',
      ),
    }),
    reply: JobResult,
    audited: ['command'],
    examples: { body: { command: 'pause' }, reply: RESULT },
  }),
  dequeueProcessJob: endpoint('DELETE /equipment/{id}/jobs/{job}', {
    ...WRITES,
    tag: 'jobs',
    summary: 'Remove a process job from the queue',
    description: 'Sends S16F17. If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    params: ByJob,
    reply: JobResult,
    examples: { reply: RESULT },
  }),
} as const
