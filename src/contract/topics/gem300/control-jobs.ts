import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { TRANSACTION_ERRORS } from '../../errors.js'
import {
  Id,
  input,
  NullableFlag,
  NullableText,
  named,
  namedInput,
  OptionalFlag,
  oneOf,
  onePage,
  Page,
  Text,
} from '../../schema.js'
import { READS, WRITES } from '../messages.js'
import { ID_RULE, ObjectAttribute, ObjectId, ObjectResult, objectResultAs } from './object-values.js'

const ByJob = Type.Object({ id: Id, job: ObjectId('Control job ID (CTLJOBID).') })

export const ControlJob = named('ControlJob', {
  job_id: Text('ObjID.'),
  state: NullableText(
    'State of SEMI E94, such as `QUEUED` or `EXECUTING`; `unknown (7)` for a number without a known meaning; null where the equipment does not give it.',
  ),
  carriers: Type.Array(Type.String(), { description: 'CarrierInputSpec.' }),
  process_jobs: Type.Array(Type.String(), { description: 'The process jobs of ProcessingCtrlSpec.' }),
  starts_by_itself: NullableFlag('StartMethod; null where the equipment does not give it.'),
  attributes: Type.Array(ObjectAttribute, { description: 'All attributes as the equipment gave them.' }),
})
export type ControlJob = Static<typeof ControlJob>

export const PROCESS_ORDERS = ['arrival', 'optimize', 'list'] as const

const NewControlJob = namedInput('NewControlJob', {
  job_id: ObjectId(`Control job ID (ObjID): ${ID_RULE}.`),
  process_jobs: Type.Array(ObjectId('PRJOBID.'), {
    minItems: 1,
    maxItems: 100,
    description: 'Process jobs that the equipment has (ProcessingCtrlSpec).',
  }),
  carriers: Type.Optional(
    Type.Array(ObjectId('Carrier ID.'), { maxItems: 100, description: 'CarrierInputSpec. Default: none.' }),
  ),
  order: Type.Optional(oneOf(PROCESS_ORDERS, 'ProcessOrderMgmt. Default: `arrival`.')),
  manual_start: OptionalFlag('True: the job waits for `start` (StartMethod false). Default: false.'),
  specifier: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'OBJSPEC. Default: that of the mapping, otherwise `Equipment`. Some equipment wants an empty one.',
    }),
  ),
})

export const CONTROL_JOB_WORDS = [
  'start',
  'pause',
  'resume',
  'cancel',
  'deselect',
  'stop',
  'abort',
  'first',
] as const

const JobResult = Type.Object({ job_id: Text('CTLJOBID.'), ...ObjectResult })

const JOB = 'CJ-1'
const RESULT = { job_id: JOB, ...objectResultAs(91) }
const EXAMPLE: ControlJob = {
  job_id: JOB,
  state: 'QUEUED',
  carriers: ['FOUP7'],
  process_jobs: ['PJ-1'],
  starts_by_itself: true,
  attributes: [{ name: 'State', value: { U1: [0] }, text: '0' }],
}

export const controlJobEndpoints = {
  listControlJobs: endpoint('GET /equipment/{id}/control-jobs', {
    ...READS,
    tag: 'jobs',
    summary: 'List the control jobs of the equipment',
    description:
      'Sends S14F1 for all attributes of all objects of the type ControlJob. The response has all in one page.',
    reply: Page(ControlJob),
    examples: { reply: onePage([EXAMPLE]) },
  }),
  getControlJob: endpoint('GET /equipment/{id}/control-jobs/{job}', {
    ...READS,
    tag: 'jobs',
    summary: 'Show a control job',
    description: 'Sends S14F1 for all attributes of the job.',
    params: ByJob,
    reply: ControlJob,
    errors: [...TRANSACTION_ERRORS, 'object_not_found'],
    examples: { reply: EXAMPLE },
  }),
  createControlJob: endpoint('POST /equipment/{id}/control-jobs', {
    ...WRITES,
    tag: 'jobs',
    summary: 'Create a control job',
    description:
      'Sends S14F9. Substrates go back to where they came from (MtrlOutSpec is empty). If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    body: NewControlJob,
    reply: JobResult,
    audited: ['job_id', 'process_jobs', 'carriers', 'order', 'manual_start'],
    examples: { body: { job_id: JOB, process_jobs: ['PJ-1'], carriers: ['FOUP7'] }, reply: RESULT },
  }),
  commandControlJob: endpoint('POST /equipment/{id}/control-jobs/{job}/commands', {
    ...WRITES,
    tag: 'jobs',
    summary: 'Start, stop, pause, resume, abort, cancel, deselect or move a control job',
    description:
      'Sends S16F27. The response says that the equipment accepted the command. If it refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    params: ByJob,
    body: input({
      command: oneOf(CONTROL_JOB_WORDS, 'CTLJOBCMD. `first` moves the job to the head of the queue (CJHOQ).'),
      jobs: Type.Optional(
        oneOf(
          ['keep', 'remove'],
          'What becomes of the process jobs (Action). Required with `stop`, `abort` and `cancel`, without a default.',
        ),
      ),
    }),
    reply: JobResult,
    audited: ['command', 'jobs'],
    examples: { body: { command: 'stop', jobs: 'keep' }, reply: RESULT },
  }),
} as const
