import { endpoints } from '../../contract/endpoints.js'
import { PROCESS_JOB_WORDS } from '../../gem300/process-job.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { STATE_WAIT_FLAGS, waitForState } from '../gem300/state-wait.js'
import { JOB_ARGUMENT } from './jobs-verbs.js'

export const jobsWait = equipmentVerb({
  summary: 'Wait until a process job is in a state (asks with S16F19).',
  description:
    'Waits for PROCESS_COMPLETE, STOPPED or ABORTED unless --for says otherwise. GONE is a job that was listed before: a finished job goes when its material is taken. If the job ends, or is gone, without the state that was waited for, the exit code is 8; after --timeout it is 7.',
  examples: [
    'secsctl jobs wait etcher PJ-1 --timeout 2h',
    'secsctl jobs wait etcher PJ-1 --for PROCESSING --interval 1s',
  ],
  args: { job: JOB_ARGUMENT },
  flags: STATE_WAIT_FLAGS,
  one: (on, { args: { equipment, job }, flags }) =>
    waitForState(on, equipment, flags, {
      noun: 'process job',
      job,
      words: { ...PROCESS_JOB_WORDS.standard, ...PROCESS_JOB_WORDS.executing_5 },
      ends: ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED'],
      list: 'jobs list',
      async ask(id) {
        const { items } = await on.ask(endpoints.listProcessJobs, id)
        return items.find(({ job_id }) => job_id === job)?.state
      },
    }),
})
