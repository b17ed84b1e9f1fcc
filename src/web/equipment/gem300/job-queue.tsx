import type { ComponentChildren } from 'preact'
import type { KnownObject } from '../../../contract/topics/gem300/mapping.js'
import type { CsvColumn } from '../../parts/csv.js'
import { CsvButton } from '../../parts/csv-button.js'
import { Time } from '../../parts/time.js'
import { texts } from '../../texts.js'
import { ObjectState } from './object-state.js'
import type { Contents } from './use-contents.js'
import type { Objects } from './use-objects.js'

const words = texts.gem300
const MOST_ROWS = 200

const CSV: readonly CsvColumn<KnownObject>[] = [
  ['kind', ({ kind }) => kind],
  ['id', ({ object_id }) => object_id],
  ['state', ({ states }) => states['state']?.state],
  ['since', ({ states }) => states['state']?.since],
  ['recipe', ({ details }) => details['recipe']],
]

/** Control jobs and process jobs, in their order. */
export function JobQueue({
  today,
  objects: { job: jobs, control_job: controlJobs },
  contents,
}: {
  /** By the clock of the gateway. */
  readonly today: Date
  readonly objects: Objects
  readonly contents: Contents | undefined
}) {
  return (
    <section class="panel" aria-labelledby="jobs-heading">
      <div class="panel-head">
        <h2 id="jobs-heading">{words.jobs}</h2>
        <span class="muted">{words.jobCount(controlJobs.length, jobs.length)}</span>
        <CsvButton name="jobs" rows={[...controlJobs, ...jobs]} columns={CSV} />
      </div>
      <div class="job-tables">
        <JobTable today={today} name={words.controlJobs} detail={words.processJobsOf} jobs={controlJobs}>
          {(job) => contents?.processJobsOf(job).join(', ')}
        </JobTable>
        <JobTable today={today} name={words.processJobs} detail={words.recipe} jobs={jobs}>
          {({ details }) => details['recipe']}
        </JobTable>
      </div>
    </section>
  )
}

interface TableProps {
  readonly today: Date
  readonly name: string
  /** The heading of what `children` says of a job. */
  readonly detail: string
  readonly jobs: readonly KnownObject[]
  readonly children: (job: KnownObject) => ComponentChildren
}

function JobTable({ today, name, detail, jobs, children }: TableProps) {
  const hasDetail = jobs.some((job) => children(job))
  return (
    <div>
      <h3>{name}</h3>
      {jobs.length === 0 ? (
        <p class="muted">{words.noJobs}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it as well
        <section class="bounded" aria-label={name} tabIndex={0}>
          <table class="job-table">
            <thead>
              <tr>
                <th scope="col">{words.place}</th>
                <th scope="col">{words.job}</th>
                <th scope="col">{words.state}</th>
                {hasDetail && (
                  <th scope="col" class="job-detail">
                    {detail}
                  </th>
                )}
                <th scope="col" class="job-time">
                  {words.sinceColumn}
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.slice(0, MOST_ROWS).map((job, at) => (
                <tr key={job.object_id}>
                  <td>{at + 1}</td>
                  <th scope="row">
                    <span class="few-lines" title={job.object_id}>
                      {job.object_id}
                    </span>
                  </th>
                  <td>
                    <ObjectState object={job} name="state" />
                    <small class="job-since">
                      <Since job={job} today={today} />
                    </small>
                  </td>
                  {hasDetail && (
                    <td class="job-detail">
                      <span class="few-lines">{children(job)}</span>
                    </td>
                  )}
                  <td class="job-time">
                    <Since job={job} today={today} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {jobs.length > MOST_ROWS && <p class="muted">{words.more(jobs.length - MOST_ROWS)}</p>}
        </section>
      )}
    </div>
  )
}

const Since = ({ job, today }: { readonly job: KnownObject; readonly today: Date }) => (
  <Time at={job.states['state']?.since ?? job.since} today={today} />
)
