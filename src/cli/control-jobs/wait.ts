import { endpoints } from '../../contract/endpoints.js'
import { CONTROL_JOB_WORDS } from '../../gem300/control-job.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { STATE_WAIT_FLAGS, waitForState } from '../gem300/state-wait.js'
import { CONTROL_JOB_ARGUMENT } from './control-jobs-verbs.js'

export const controlJobsWait = equipmentVerb({
  summary: 'Wait until a control job is in a state (asks with S14F1).',
  description:
    'Waits for COMPLETED unless --for says otherwise. GONE is a job that was there before: some equipment removes a job as soon as it is completed. If the job is COMPLETED, or is gone, without the state that was waited for, the exit code is 8; after --timeout it is 7.',
  examples: [
    'secsctl control-jobs wait etcher CJ-1 --timeout 2h',
    'secsctl control-jobs wait etcher CJ-1 --for EXECUTING --interval 1s',
  ],
  args: { job: CONTROL_JOB_ARGUMENT },
  flags: STATE_WAIT_FLAGS,
  one: (on, { args: { equipment, job }, flags }) =>
    waitForState(on, equipment, flags, {
      noun: 'control job',
      job,
      words: CONTROL_JOB_WORDS,
      ends: ['COMPLETED'],
      list: 'control-jobs list',
      async ask(id) {
        const { items } = await on.ask(endpoints.listControlJobs, id)
        return items.find(({ job_id }) => job_id === job)?.state
      },
    }),
})
