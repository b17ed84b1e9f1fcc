import { limitedText } from '../../kit/text/limited-text.js'
import { escapedText } from '../../ladder/svg-ladder.js'
import { countOf, type RunResult, type StepResult } from '../run/result.js'

/**
 * The result as JUnit XML, which CI systems read: what is inconclusive or was not run is `skipped`. `fileOf`: a file as it is
 * named there.
 */
export function junitReport(
  { name, equipment, began, ended, steps }: RunResult,
  fileOf: (file: string) => string = (file) => file,
): string {
  const skipped = countOf(steps, 'inconclusive') + countOf(steps, 'skipped')
  const counts = `tests="${steps.length}" failures="${countOf(steps, 'failed')}" skipped="${skipped}" time="${seconds(began, ended)}"`
  const suite = `name="${escapedText(name)}" hostname="${escapedText(equipment)}" timestamp="${new Date(began).toISOString()}" errors="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite ${suite} ${counts}>`,
    ...steps.map((step) =>
      testCase(name, { ...step, place: { ...step.place, file: fileOf(step.place.file) } }),
    ),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Characters of a title or a reason. */
const MAX_TEXT = 2000

const seconds = (began: number, ended: number): string => (Math.max(0, ended - began) / 1000).toFixed(3)

function testCase(
  name: string,
  { number, groups, title, place, verdict, detail, began, ended }: StepResult,
): string {
  const suite = escapedText([name, ...groups].join('.'))
  const head = `<testcase classname="${suite}" name="${number} ${escapedText(limitedText(title, MAX_TEXT))}" file="${escapedText(place.file)}" line="${place.line}" time="${seconds(began, ended)}"`
  if (verdict === 'passed') return `${head}/>`
  const message = escapedText(limitedText(detail || verdict, MAX_TEXT))
  return `${head}><${verdict === 'failed' ? 'failure' : 'skipped'} message="${message}"/></testcase>`
}
