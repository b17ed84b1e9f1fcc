import { endpoints } from '../../contract/endpoints.js'
import { delay } from '../../kit/clock.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { parseDuration } from '../input/durations.js'
import { textFlag, textsFlag } from '../input/flags.js'
import { JOB_ARGUMENT } from './jobs-verbs.js'

const ENDS = ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED']
/** Of a job that is not listed any more. */
const GONE = 'GONE'
/** Between two questions, in milliseconds: more often an equipment does little else. */
const LEAST_INTERVAL = 100

const stateWord = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/[-\s/]/g, '_')

export const jobsWait = equipmentVerb({
  summary: 'Wait until a process job is in a state (asks with S16F19).',
  description:
    'Waits for PROCESS_COMPLETE, STOPPED or ABORTED unless --for says otherwise. GONE is a job that was listed before: a finished job goes when its material is taken. A job that is in an end or gone without the state that was waited for ends with exit code 8; after --timeout the exit code is 7.',
  examples: [
    'secsctl jobs wait etcher PJ-1 --timeout 2h',
    'secsctl jobs wait etcher PJ-1 --for PROCESSING --interval 1s',
  ],
  args: { job: JOB_ARGUMENT },
  flags: {
    ...TARGET_FLAGS,
    for: textsFlag('STATE', 'The state to wait for. May be repeated: one of them is enough.'),
    timeout: textFlag('DURATION', 'How long to wait.', { default: '30m' }),
    interval: textFlag('DURATION', 'Time between two questions.', { default: '2s' }),
  },
  async one(on, { args: { equipment, job }, flags }) {
    const wanted = (flags.for ?? [...ENDS, GONE]).map(stateWord)
    const interval = parseDuration(flags.interval, '--interval')
    if (interval < LEAST_INTERVAL) throw wrongUsage(`--interval is ${LEAST_INTERVAL}ms or more`)
    const until = on.clock.now() + parseDuration(flags.timeout, '--timeout')
    const { id, name } = await on.equipment(equipment)
    let seen: string | undefined
    for (;;) {
      const { items } = await on.ask(endpoints.listProcessJobs, id)
      const state = items.find(({ job_id }) => job_id === job)?.state ?? GONE
      if (state === GONE && seen === undefined)
        throw new Failure('missing', `${name} has no process job ${job}`, `secsctl jobs list ${name}`)
      if (wanted.includes(state)) {
        return on.printRecord({ job_id: job, state }, [
          ['job', job],
          ['state', state],
        ])
      }
      if (state === GONE || ENDS.includes(state))
        throw new Failure('equipment', `${job} is ${state}, and will not be ${wanted.join(' or ')}`)
      seen = state
      const left = until - on.clock.now()
      if (left <= 0)
        throw new Failure(
          'timeout',
          `${job} is ${state} after ${flags.timeout}, and not ${wanted.join(' or ')}`,
        )
      await delay(on.clock, Math.min(interval, left))
    }
  },
})
