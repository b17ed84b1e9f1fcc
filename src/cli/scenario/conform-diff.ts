import { readFileSync, statSync } from 'node:fs'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { differences } from '../../scenario/report/difference.js'
import { type ComparedResult, resultIn } from '../../scenario/report/embedded-result.js'
import { BaseCommand } from '../base-command.js'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import { required } from '../input/arguments.js'
import { verb } from '../verb.js'

/** The longest report, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024

export const conformDiff = verb(BaseCommand, {
  summary: 'Compare two reports, such as before and after an update of the software.',
  description:
    'Takes pages of --html, or files with the output of --json, of conform, scenario run and scenario host. Lists checks whose result is another one (worse, better), checks that only one of the reports has (new, gone), and checks with the same result and other values or another failure (values). Offline. Exit code 0: no check is worse. 8: one is worse. 2: a file is no report.',
  examples: [
    'secsctl conform diff before.html after.html',
    'secsctl conform diff before.html after.html --json',
  ],
  args: {
    before: required('The earlier report.'),
    after: required('The later report.'),
  },
  async run(on, { args }) {
    const [before, after] = [reportIn(args.before), reportIn(args.after)]
    const found = differences(before, after)
    if (on.format !== 'json') {
      on.note(`before: ${headOf(before)}`)
      on.note(`after:  ${headOf(after)}`)
    }
    const columns = (['change', 'check', 'before', 'after'] as const).map((name) => ({
      title: name.toUpperCase(),
      text: (row: (typeof found)[number]) => row[name],
    }))
    await on.printList(found, columns, 'the results are the same')
    if (found.some(({ change }) => change === 'worse')) on.environment.exitCode = EXIT_CODES.equipment
  },
})

const headOf = ({ name, equipment, began, about = {} }: ComparedResult): string =>
  [
    name,
    about.address ?? equipment,
    [about.mdln, about.softrev].filter(Boolean).join(' '),
    new Date(began).toISOString(),
  ]
    .filter(Boolean)
    .join(', ')

function reportIn(path: string): ComparedResult {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, and may have ${MAX_BYTES}`)
    return resultIn(readFileSync(path, 'utf8'))
  } catch (error) {
    throw wrongUsage(`${path}: ${readFault(error)}`)
  }
}
