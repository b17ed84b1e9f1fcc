import { randomUUID } from 'node:crypto'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Gem300Mapping } from '../../contract/topics/gem300/mapping.js'
import { idFault } from '../../gem300/identifier.js'
import { slotMapIn } from '../../gem300/slot-map.js'
import { MOST_SLOTS, slotsIn } from '../../gem300/slot-ranges.js'
import { defined } from '../../kit/defined.js'
import { shellWord } from '../../kit/shell-word.js'
import { contentGiven } from '../carriers/carriers-verbs.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { parseDuration, parseInterval } from '../input/durations.js'
import { choiceFlag, rare, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { portGiven } from '../ports/ports-verbs.js'
import { check } from './checks.js'
import { Doorbell, type DoorbellSound } from './doorbell.js'
import { interrupted } from './interrupted.js'
import { OVERTAKEN } from './left-behind.js'
import type { LotPlan } from './lot-plan.js'
import { type LotEnd, LotRun } from './lot-run.js'
import { LotStates } from './lot-states.js'
import { LotSteps } from './lot-steps.js'

const FLAGS = {
  port: textFlag('PTN', 'Port number.', { required: true }),
  recipe: textFlag('RECIPE', 'Recipe (RCPSPEC).', { required: true }),
  slots: textFlag('SLOTS', 'Slots to process, such as 1-5,9; all that the carrier has unless given.'),
  carrier: textFlag('ID', 'The carrier that has to be at the port; any unless given.'),
  'slot-map': textFlag('MAP', 'The slot map that the carrier has to have, such as ooo..; it is also sent.'),
  content: textsFlag(
    'LOT/SUBSTRATE',
    'ContentMap, sent with the slot map: repeated for each slot from slot 1.',
  ),
  job: textFlag('ID', 'Process job ID; one with port and time unless given.'),
  'control-job': textFlag('ID', 'Control job ID; one with port and time unless given.'),
  'jobs-first': switchFlag('Create the jobs before the carrier comes. Needs --carrier.'),
  resume: switchFlag('Go on with the jobs of --job and --control-job where they are there already.'),
  release: choiceFlag(
    ['auto', 'never'] as const,
    'Whether the carrier is released where the equipment waits for that.',
    { default: 'auto' },
  ),
  'step-timeout': textFlag('DURATION', 'How long one step may take.', { default: '5m' }),
  timeout: textFlag('DURATION', 'How long the carrier may take to come, and the jobs to end.', {
    default: '6h',
  }),
  ...REASON_FLAG,
  ...rare({
    with: choiceFlag(
      ['S16F15', 'S16F11'] as const,
      'Message that creates the process job; S16F15 unless given.',
    ),
    specifier: textFlag(
      'OBJSPEC',
      "OBJSPEC of the control job; Equipment unless given. Some equipment wants ''.",
    ),
    'release-after': textFlag('DURATION', 'How long the port may take to become ready by itself.', {
      default: '10s',
    }),
    'no-recipe-check': switchFlag('Do not look for the recipe in the list of the equipment (S7F19).'),
    interval: textFlag('DURATION', 'Time between two questions where no event comes.', { default: '2s' }),
  }),
}

interface Given {
  readonly port: string
  readonly recipe: string
  readonly slots?: string | undefined
  readonly carrier?: string | undefined
  readonly 'slot-map'?: string | undefined
  readonly content?: string[] | undefined
  readonly job?: string | undefined
  readonly 'control-job'?: string | undefined
  readonly 'jobs-first': boolean
  readonly resume: boolean
  readonly release: 'auto' | 'never'
  readonly 'release-after': string
  readonly with?: 'S16F15' | 'S16F11' | undefined
  readonly specifier?: string | undefined
}

export const run = equipmentVerb({
  summary: 'Run a lot: from a carrier on a port until it can be taken.',
  description: [
    'Checks that the equipment is online remote (as far as it says), the port in service and the recipe there (S14F1, S7F19). Accepts the carrier ID and the slot map where they wait for the host (S3F17), creates a process job (S16F15 or S16F11) and a control job (S14F9), starts what does not start by itself (S16F27, S16F5), follows the states to the end, and releases the carrier where the equipment waits for that (S3F17). Nothing is accepted of a carrier whose slots do not fit.',
    'With a mapping, the events of the equipment (S6F11) tell its states. Without one, the command asks for the states after each event (S14F1, S16F19). In both cases it also asks every --interval.',
    'A refusal, a job that is stopped or aborted, and a step that takes too long end the run with what is left at the equipment and the commands that remove it. Exit code 8: refused, or not complete; 7: a limit of time; 5: something is not as it has to be. Ctrl-C asks what becomes of the jobs; where nobody can be asked they stay.',
  ].join('\n\n'),
  examples: [
    'secsctl run etcher --port 1 --recipe OXIDE-ETCH-01 --slots 1-25',
    'secsctl run etcher --port 1 --recipe R1 --carrier FOUP7 --jobs-first',
    'secsctl run etcher --port 1 --recipe R1 --job P1 --control-job C1 --resume',
  ],
  args: {},
  flags: FLAGS,
  single: true,
  async one(on, { args, flags }) {
    const wanted = planGiven(on, flags)
    const limits = {
      interval: parseInterval(flags.interval),
      step: parseDuration(flags['step-timeout'], '--step-timeout'),
      long: parseDuration(flags.timeout, '--timeout'),
    }
    const equipment = await on.equipment(args.equipment)
    const { id } = equipment
    const shown = await on.call(endpoints.getGem300, { params: { id } })
    const given = (shown.mapping ?? {}) as Gem300Mapping
    const { attributes_with_id: accept_id, attributes_with_slot_map: accept_slot_map } = given.settings ?? {}
    const attributes = defined({ accept_id, accept_slot_map })
    const plan = { ...wanted, attributes, equipment: equipment.name }
    const steps = new LotSteps(on)
    const { heard, mapping } = statesTold(given, plan, steps)
    const states = new LotStates(on, equipment, plan, mapping, limits.interval)
    // Opened while the checks are made.
    const doorbell = new Doorbell(on, id, on.clock, heard, (event) => states.take(event))
    const lot = new LotRun(on, equipment, plan, limits, states, steps)
    try {
      await check(on, equipment, plan, steps, !flags['no-recipe-check'])
      const signal = on.environment.interruption.hold()
      const end = await lot.run(doorbell, signal).catch(async (error: unknown) => {
        await tellLeft(plan, steps, lot)
        throw error
      })
      await finish(on, equipment, plan, steps, lot, end)
    } finally {
      await doorbell.close()
    }
  },
})

/** Whether events tell the states, and which. */
function statesTold({ events = [], settings }: Gem300Mapping, { equipment }: LotPlan, steps: LotSteps) {
  if (events.length > 0) {
    steps.note('check', `the events in the mapping of ${equipment} tell its states`)
    return {
      heard: { type: ['state'] } as DoorbellSound,
      mapping: { ignored: settings?.ignored_attributes ?? [] },
    }
  }
  steps.note('check', `no mapping says what the events of ${equipment} tell: it is asked for its states`)
  return { heard: { type: ['message'], message: 'S6F11' } as DoorbellSound, mapping: undefined }
}

/** Throws `usage` for what no equipment could do. */
function planGiven(on: EquipmentCommand, flags: Given): Omit<LotPlan, 'equipment' | 'attributes'> {
  const port = portGiven(flags.port)
  const time = on.clock.date().toISOString().replace(/[-:]/g, '').slice(0, 15)
  // Two runs may begin in the same second.
  const at = `${time}-${randomUUID().slice(0, 4)}`
  const { carrier, content, job = `PJ-${port}-${at}`, 'control-job': controlJob = `CJ-${port}-${at}` } = flags
  const ids = { '--carrier': carrier, '--job': job, '--control-job': controlJob }
  for (const [flag, id] of Object.entries(ids)) {
    const fault = id === undefined ? undefined : idFault(id)
    if (fault !== undefined) throw wrongUsage(`${flag} ${fault}`)
  }
  if (flags['jobs-first'] && carrier === undefined) throw wrongUsage('--jobs-first needs --carrier')
  if (flags.resume && (flags.job === undefined || flags['control-job'] === undefined))
    throw wrongUsage('--resume needs --job and --control-job')
  const slots = flags.slots
  const slotMap = flags['slot-map']
  return {
    port,
    recipe: flags.recipe,
    slots: slots === undefined ? [] : ranged('--slots', () => slotsIn(slots, MOST_SLOTS)),
    carrier,
    slotMap: slotMap === undefined ? undefined : ranged('--slot-map', () => slotMapIn(slotMap)),
    contents: content?.map(contentGiven),
    job,
    controlJob,
    jobsFirst: flags['jobs-first'],
    resumes: flags.resume,
    message: flags.with,
    specifier: flags.specifier,
    release: flags.release,
    releaseAfter: parseDuration(flags['release-after'], '--release-after'),
  }
}

function ranged<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw wrongUsage(`${flag}: ${error.message}`)
    throw error
  }
}

async function finish(
  on: EquipmentCommand,
  equipment: Equipment,
  plan: LotPlan,
  steps: LotSteps,
  lot: LotRun,
  end: LotEnd,
): Promise<void> {
  const { failure, text, hint } = end
  if (failure === undefined) {
    steps.done('end', text)
    if (lot.view?.port?.transfer === 'TRANSFER_BLOCKED') await tellLeft(plan, steps, lot)
    return
  }
  const areEnding = failure === 'interrupted' && (await interrupted(on, equipment, plan, steps, lot))
  if (areEnding)
    return steps.done(
      'left',
      `the jobs end now: secsctl jobs wait ${shellWord(plan.equipment)} ${shellWord(plan.job)}`,
    )
  await tellLeft(plan, steps, lot)
  if (failure !== 'interrupted') throw new Failure(failure, text, hint)
}

/** The jobs that the run has created or led, as far as it knows. */
function jobsMade({ job, controlJob, resumes }: LotPlan, { record: { done } }: LotRun): string {
  const made = [
    ...(resumes || done.has('create_control_job') ? [`control job ${controlJob}`] : []),
    ...(resumes || done.has('create_job') ? [`process job ${job}`] : []),
  ]
  return made.join(' and ')
}

/** What is at the equipment now, with the commands that remove it. */
async function tellLeft(plan: LotPlan, steps: LotSteps, lot: LotRun): Promise<void> {
  const found = await lot.left()
  if (!found) {
    const made = jobsMade(plan, lot)
    const whose = made === '' ? '' : `: of this run it may have ${made}`
    return steps.note('left', `what is left at ${plan.equipment} could not be asked${whose}`)
  }
  const { view, left } = found
  for (const one of left) steps.left(one)
  const { equipment, port, recipe, job, controlJob } = plan
  const isDriven = left.some(({ ofOthers }) => ofOthers === OVERTAKEN)
  if (left.length > 0 && typeof view.job === 'string' && !isDriven)
    steps.note(
      'resume',
      `secsctl run ${shellWord(equipment)} --port ${port} --recipe ${shellWord(recipe)} --job ${shellWord(job)} --control-job ${shellWord(controlJob)} --resume`,
    )
}
