import { endpoints } from '../../contract/endpoints.js'
import { type ControlJob, PROCESS_ORDERS } from '../../contract/topics/gem300/control-jobs.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { printObjectResult } from '../gem300/object-result.js'
import { required } from '../input/arguments.js'
import { choiceFlag, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'

export const CONTROL_JOB_ARGUMENT = required('Control job ID (CTLJOBID).')

const COLUMNS: readonly Column<ControlJob>[] = [
  { title: 'JOB', text: ({ job_id }) => job_id },
  { title: 'STATE', text: ({ state }) => state ?? '' },
  { title: 'PROCESS JOBS', text: ({ process_jobs }) => process_jobs.join(' ') },
  { title: 'CARRIERS', text: ({ carriers }) => carriers.join(' ') },
]

export const controlJobsList = equipmentVerb({
  summary: 'List the control jobs of equipment (S14F1).',
  examples: ['secsctl control-jobs list etcher'],
  flags: { ...LIST_OUTPUT_FLAGS, ...READS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listControlJobs, args.equipment, flags)
    await on.printList(items, COLUMNS, 'No control jobs.')
  },
})

export const controlJobsShow = equipmentVerb({
  summary: 'Show a control job and its attributes (S14F1).',
  examples: ['secsctl control-jobs show etcher CJ-1'],
  args: { job: CONTROL_JOB_ARGUMENT },
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  async one(on, { args: { equipment, job }, flags }) {
    const shown = await on.ask(endpoints.getControlJob, equipment, flags, { params: { job } })
    on.printRecord(shown, [
      ['job', shown.job_id],
      ['state', shown.state ?? ''],
      ['process jobs', shown.process_jobs.join(' ')],
      ['carriers', shown.carriers.join(' ')],
      ...shown.attributes.map(({ name, text }) => [name, text] as const),
    ])
  },
})

export const controlJobsCreate = equipmentVerb({
  summary: 'Create a control job of process jobs (S14F9); exit code 8 when refused.',
  description:
    'The process jobs have to be there already. The job starts by itself when its material is there, unless --manual is given. Substrates go back to where they came from.',
  usage: 'control-jobs create EQUIPMENT JOB PROCESS_JOB...',
  examples: [
    'secsctl control-jobs create etcher CJ-1 PJ-1 --carrier FOUP7',
    'secsctl control-jobs create etcher CJ-1 PJ-1 PJ-2 --order list --manual',
  ],
  args: { job: CONTROL_JOB_ARGUMENT, process_job: required('Process job ID; any number of them.') },
  flags: {
    ...CHANGES,
    carrier: textsFlag('ID', 'Carrier (CarrierInputSpec). May be repeated.'),
    order: choiceFlag(PROCESS_ORDERS, 'ProcessOrderMgmt; arrival unless given.'),
    manual: switchFlag('The job waits for `control-jobs start`.'),
    specifier: textFlag('OBJSPEC', "OBJSPEC; Equipment unless given. Some equipment wants ''."),
  },
  words: { '/job_id': 'JOB', '/process_jobs': 'PROCESS_JOB', '/carriers': '--carrier' },
  async one(on, { args: { equipment, job }, flags, words }) {
    const { carrier, order, manual, specifier } = flags
    const body = {
      job_id: job,
      process_jobs: words.slice(2),
      ...(carrier && { carriers: carrier }),
      ...(order && { order }),
      ...(manual && { manual_start: true }),
      ...(specifier !== undefined && { specifier }),
    }
    const result = await on.ask(endpoints.createControlJob, equipment, flags, { body })
    printObjectResult(on, result, [['job', result.job_id]])
  },
})

const plainCommand = (command: 'start' | 'pause' | 'resume' | 'deselect' | 'first', summary: string) =>
  equipmentVerb({
    summary: `${summary} (S16F27); exit code 8 when refused.`,
    examples: [`secsctl control-jobs ${command} etcher CJ-1`],
    args: { job: CONTROL_JOB_ARGUMENT },
    flags: CHANGES,
    async one(on, { args: { equipment, job }, flags }) {
      const given = { params: { job }, body: { command } }
      const result = await on.ask(endpoints.commandControlJob, equipment, flags, given)
      printObjectResult(on, result, [['job', result.job_id]])
    },
  })

/** The wrong choice destroys the jobs of a lot: there is no default. */
const endingCommand = (command: 'stop' | 'abort' | 'cancel', summary: string) =>
  equipmentVerb({
    summary: `${summary} (S16F27); exit code 8 when refused.`,
    description:
      '--jobs says what becomes of its process jobs, and has no default: `keep` leaves them, `remove` deletes them.',
    examples: [`secsctl control-jobs ${command} etcher CJ-1 --jobs keep`],
    args: { job: CONTROL_JOB_ARGUMENT },
    flags: {
      ...CHANGES,
      jobs: choiceFlag(['keep', 'remove'] as const, 'What becomes of the process jobs.', { required: true }),
    },
    async one(on, { args: { equipment, job }, flags }) {
      const { id, name } = await on.equipment(equipment)
      const { jobs } = flags
      const also = jobs === 'remove' ? ', and remove its process jobs' : ', and keep its process jobs'
      await on.confirmed(
        `${command} ${job} in ${name}${also}?`.replace(/^./, (one) => one.toUpperCase()),
        flags.yes,
      )
      const given = { params: { job }, body: { command, jobs } }
      const result = await on.ask(endpoints.commandControlJob, id, flags, given)
      printObjectResult(on, result, [['job', result.job_id]])
    },
  })

export const controlJobsStart = plainCommand('start', 'Start a control job that waits for it')
export const controlJobsPause = plainCommand('pause', 'Pause a control job: no further process job begins')
export const controlJobsResume = plainCommand('resume', 'Resume a control job that is paused')
export const controlJobsDeselect = plainCommand(
  'deselect',
  'Put a control job that is selected back into the queue',
)
export const controlJobsFirst = plainCommand('first', 'Move a control job to the head of the queue')
export const controlJobsStop = endingCommand('stop', 'Stop a control job')
export const controlJobsAbort = endingCommand('abort', 'Abort a control job at once')
export const controlJobsCancel = endingCommand('cancel', 'Cancel a control job that is queued')
