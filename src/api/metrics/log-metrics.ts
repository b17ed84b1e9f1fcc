import type { Metric } from './prometheus-text.js'

/** What the log does not hold, since the process started. */
export interface LogCounts {
  /** Lines that could not be written. */
  readonly dropped: number
  /** Requests without a valid token that were too many to be logged. */
  readonly suppressed: number
}

export function logMetrics({ dropped, suppressed }: LogCounts): Metric[] {
  const counter = (name: string, help: string, value: number): Metric => ({
    name: `secsctl_log_${name}_total`,
    help,
    type: 'counter',
    samples: [{ labels: {}, value }],
  })
  return [
    counter('lines_dropped', 'Lines of the log that could not be written.', dropped),
    counter(
      'requests_suppressed',
      'Requests without a valid token that were not logged, being too many.',
      suppressed,
    ),
  ]
}
