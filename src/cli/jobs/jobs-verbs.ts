import { endpoints } from '../../contract/endpoints.js'
import type { SiteObject } from '../../contract/topics/gem300/known-lists.js'
import type { ProcessJob, ProcessJobDetails } from '../../contract/topics/gem300/process-jobs.js'
import { MOST_SLOTS, slotsIn, slotsText } from '../../gem300/slot-ranges.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { asksForKnown, detailOf, KNOWN_FLAGS, printKnown, stateOf } from '../gem300/known-list.js'
import { printObjectResult } from '../gem300/object-result.js'
import { required } from '../input/arguments.js'
import { choiceFlag, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { parseParameters } from '../input/parameters.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

export const JOB_ARGUMENT = required('Process job ID (PRJOBID).')

const COLUMNS: readonly Column<ProcessJob>[] = [
  { title: 'JOB', text: ({ job_id }) => job_id },
  { title: 'STATE', text: ({ state }) => state },
]

type Carrier = ProcessJobDetails['carriers'][number]

const carrierText = ({ carrier_id, slots }: Carrier): string =>
  slots.length === 0 ? carrier_id : `${carrier_id}:${slotsText(slots)}`

/** `FOUP7:1-5,9`, or `FOUP7` for all slots. No ID has a colon. */
function carrierGiven(text: string): Carrier {
  const [carrier_id = '', slots] = text.split(/:(.*)/s)
  try {
    return { carrier_id, slots: slots === undefined ? [] : [...slotsIn(slots, MOST_SLOTS)] }
  } catch (error) {
    if (error instanceof RangeError) throw wrongUsage(`--carrier ${text}: ${error.message}`)
    throw error
  }
}

const knownColumns = (formatTime: FormatTime): readonly Column<SiteObject>[] => [
  { title: 'JOB', text: ({ object_id }) => object_id },
  { title: 'STATE', text: (one) => stateOf(one, 'state') },
  { title: 'SINCE', text: ({ states }) => formatTime(states['state']?.since ?? null) },
  { title: 'RECIPE', text: (one) => detailOf(one, 'recipe'), spare: true },
]

export const jobsList = equipmentVerb({
  summary: 'List the process jobs of equipment (S16F19), or all that the gateway knows.',
  description:
    'In the order of the equipment. A state is the word of SEMI E40; a number without one is `unknown (5)`. Without EQUIPMENT, lists what the gateway knows of all equipment, the newest first, and sends nothing.',
  usage: 'jobs list [EQUIPMENT...]',
  examples: [
    'secsctl jobs list etcher',
    'secsctl jobs list etcher --space',
    'secsctl jobs list --state PROCESSING -l area=etch --watch',
  ],
  flags: {
    ...LIST_OUTPUT_FLAGS,
    ...READS,
    ...KNOWN_FLAGS,
    space: switchFlag('Ask also how many jobs can still be created (S16F21).'),
  },
  site: {
    isMeant: asksForKnown,
    run(on, given) {
      if (given.flags.space) throw wrongUsage('--space asks equipment: name one, and give no filter')
      return printKnown(on, given, 'job', knownColumns, 'No process job is known.')
    },
  },
  async one(on, { args, flags }) {
    const query = flags.space ? { space: true } : {}
    const { items, space } = await on.ask(endpoints.listProcessJobs, args.equipment, flags, { query })
    await on.printList(items, COLUMNS, 'No process jobs.')
    if (space !== null) on.note(`${space} more ${space === 1 ? 'job' : 'jobs'} can be created.`)
  },
})

export const jobsShow = equipmentVerb({
  summary: 'Show a process job and its attributes (S14F1).',
  description: 'Where the equipment has no objects, only the state is shown (S16F19).',
  examples: ['secsctl jobs show etcher PJ-1'],
  args: { job: JOB_ARGUMENT },
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  async one(on, { args: { equipment, job }, flags }) {
    const shown = await on.ask(endpoints.getProcessJob, equipment, flags, { params: { job } })
    on.printRecord(shown, [
      ['job', shown.job_id],
      ['state', shown.state],
      ...(shown.recipe === null ? [] : [['recipe', shown.recipe] as const]),
      ...shown.carriers.map((carrier) => ['carrier', carrierText(carrier)] as const),
      ...shown.substrates.map((substrate) => ['substrate', substrate] as const),
      ...shown.attributes.map(({ name, text }) => [name, text] as const),
    ])
  },
})

export const jobsCreate = equipmentVerb({
  summary: 'Create a process job (S16F15); exit code 8 when refused.',
  description:
    'Carriers with the slots wanted, or substrates by their names. Values for variables of the recipe follow the job ID. The job starts by itself when it is set up, unless --manual is given.',
  usage: 'jobs create EQUIPMENT JOB [KEY=VALUE...]',
  examples: [
    'secsctl jobs create etcher PJ-1 --recipe OXIDE-ETCH-01 --carrier FOUP7:1-25',
    'secsctl jobs create etcher PJ-2 EtchTime:=45 --recipe R1 --substrate W12',
  ],
  args: { job: JOB_ARGUMENT },
  flags: {
    ...CHANGES,
    recipe: textFlag('RECIPE', 'Recipe (RCPSPEC).', { required: true }),
    carrier: textsFlag(
      'ID:SLOTS',
      'Carrier and its slots, such as FOUP7:1-5,9; all without slots. May be repeated.',
    ),
    substrate: textsFlag('ID', 'Substrate. May be repeated.'),
    manual: switchFlag('The job waits for `jobs start`.'),
    'pause-at': textsFlag('CEID', 'Collection event at which the job pauses. May be repeated.'),
    with: choiceFlag(['S16F15', 'S16F11'], 'Message that creates the job; S16F15 unless given.'),
  },
  words: { '/job_id': 'JOB', '/carriers': '--carrier', '/substrates': '--substrate', '/parameters/': '*' },
  async one(on, { args: { equipment, job }, flags, words }) {
    const { carrier, substrate, manual, with: message } = flags
    const body = {
      job_id: job,
      recipe: flags.recipe,
      ...(carrier && { carriers: carrier.map(carrierGiven) }),
      ...(substrate && { substrates: substrate }),
      ...(words.length > 2 && { parameters: parseParameters(words.slice(2), undefined, 'EtchTime:=45') }),
      ...(manual && { manual_start: true }),
      ...(flags['pause-at'] && { pause_events: flags['pause-at'] }),
      ...(message && { message }),
    }
    const result = await on.ask(endpoints.createProcessJob, equipment, flags, { body })
    printObjectResult(on, result, [['job', result.job_id]])
  },
})

interface JobCommand {
  readonly command: 'start' | 'stop' | 'pause' | 'resume' | 'abort' | 'cancel'
  readonly summary: string
  readonly description?: string
  /** What is asked before it; undefined where it is not asked. */
  readonly question?: (job: string, equipment: string) => string
}

const jobCommand = ({ command, summary, description, question }: JobCommand) =>
  equipmentVerb({
    summary: `${summary} (S16F5 ${command.toUpperCase()}); exit code 8 when refused.`,
    ...(description && { description }),
    examples: [`secsctl jobs ${command} etcher PJ-1`],
    args: { job: JOB_ARGUMENT },
    flags: CHANGES,
    async one(on, { args: { equipment, job }, flags }) {
      const { id, name } = await on.equipment(equipment)
      if (question) await on.confirmed(question(job, name), flags.yes)
      const given = { params: { job }, body: { command } }
      const result = await on.ask(endpoints.commandProcessJob, id, flags, given)
      printObjectResult(on, result, [['job', result.job_id]])
    },
  })

export const jobsStart = jobCommand({
  command: 'start',
  summary: 'Start a process job that waits for it',
})
export const jobsStop = jobCommand({
  command: 'stop',
  summary: 'Stop a process job',
  description: 'Substrates in process are finished; the others are not processed.',
  question: (job, equipment) => `Stop ${job} in ${equipment}?`,
})
export const jobsPause = jobCommand({
  command: 'pause',
  summary: 'Pause a process job',
  description: 'At the next point where the material is safe.',
})
export const jobsResume = jobCommand({ command: 'resume', summary: 'Resume a process job that is paused' })
export const jobsAbort = jobCommand({
  command: 'abort',
  summary: 'Abort a process job at once',
  description: 'Substrates in process may be lost. `jobs stop` finishes them.',
  question: (job, equipment) => `Abort ${job} in ${equipment}? Substrates in process may be lost.`,
})
export const jobsCancel = jobCommand({
  command: 'cancel',
  summary: 'Cancel a process job that is queued',
  question: (job, equipment) => `Cancel ${job} in ${equipment}?`,
})

export const jobsDequeue = equipmentVerb({
  summary: 'Remove a process job from the queue (S16F17); exit code 8 when refused.',
  description: 'As `jobs cancel`, by the message that some equipment has instead.',
  examples: ['secsctl jobs dequeue etcher PJ-1 --yes'],
  args: { job: JOB_ARGUMENT },
  flags: CHANGES,
  async one(on, { args: { equipment, job }, flags }) {
    const { id, name } = await on.equipment(equipment)
    await on.confirmed(`Remove ${job} from the queue of ${name}?`, flags.yes)
    const result = await on.ask(endpoints.dequeueProcessJob, id, flags, { params: { job } })
    printObjectResult(on, result, [['job', result.job_id]])
  },
})
