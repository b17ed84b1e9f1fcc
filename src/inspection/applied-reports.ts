import { type AppliedReports, REPORTS_MISSING, REPORTS_REFUSED } from '../contract/topics/reports.js'
import { argumentWord } from '../kit/shell-word.js'
import { type Finding, note, ok, wrong } from './finding.js'

/** The command that gives equipment the reports that `health_reason` says it lacks; undefined where it lacks none. */
export function reportsCommand(healthReason: string, name: string): string | undefined {
  const word = argumentWord(name)
  if (healthReason.startsWith(REPORTS_MISSING))
    return `secsctl reports show ${word} -o yaml | secsctl reports apply ${word} - --again`
  return healthReason.startsWith(REPORTS_REFUSED) ? `secsctl reports apply ${word} FILE` : undefined
}

/** Whether equipment has the event reports that it is to have; undefined where it is to have none. */
export function reportsFinding(
  { definition, state, last_error }: AppliedReports,
  name: string,
): Finding<'reports'> | undefined {
  const why = last_error === null ? '' : `: ${last_error.detail}`
  switch (state) {
    case 'none':
      return undefined
    case 'present':
      return ok('reports', 'it has the event reports that were applied')
    case 'unknown':
      return note('reports', `whether it has the event reports that were applied is not known${why}`)
    case 'missing': {
      const what = definition === null ? REPORTS_REFUSED : REPORTS_MISSING
      return wrong('equipment', 'reports', `${what}${why}`, reportsCommand(what, name))
    }
  }
}
