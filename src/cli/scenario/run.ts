import { writeFileSync } from 'node:fs'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { durationWords } from '../../ladder/rungs.js'
import { ScenarioError } from '../../scenario/file/read-scenario.js'
import { countOf, type RunResult, type StepResult } from '../../scenario/run/result.js'
import { type RunOptions, runScenario } from '../../scenario/run/run-scenario.js'
import { type Site, siteOf } from '../../scenario/run/site.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT, required } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { knowsUnicode } from '../output/locale.js'
import { verb } from '../verb.js'
import { SET_FLAG, scenarioNamed, variablesGiven } from './scenario-file.js'

/** Messages in a report; of a longer run the first ones are left out. */
const MAX_MESSAGES = 20_000
/** Messages of a step that failed, as they are shown. */
const MAX_SHOWN = 20

/** Columns of the longest verdict. */
const WIDEST = 'inconclusive'.length

const EXITS = { passed: 0, failed: EXIT_CODES.equipment, inconclusive: EXIT_CODES.timeout } as const

export const scenarioRun = verb(GatewayCommand, {
  summary: 'Run a scenario against equipment: a test of its interface that can be repeated.',
  description:
    'The equipment has to be connected. A step passes, fails (the equipment did not do what is expected) or is inconclusive (a precondition was not met, the operator said no, the link or the gateway was lost). After a step that does not pass, the other steps of its group are skipped, and the next group runs. Exit code 0: all passed. 8: one failed. 7: none failed, and one is inconclusive. 2: the file is wrong, and nothing was sent.',
  examples: [
    'secsctl scenario run gem etcher',
    'secsctl scenario run lot.yaml etcher --set lot=L17 --html lot.html',
    'secsctl scenario run gem etcher --junit gem.xml --json',
  ],
  args: {
    scenario: required('A scenario that comes with secsctl, or a file.'),
    equipment: EQUIPMENT_ARGUMENT,
  },
  flags: {
    set: SET_FLAG,
    junit: textFlag('FILE', 'Also write the result as JUnit XML to this file.'),
    html: textFlag('FILE', 'Also write the result as a page with ladder diagrams and SML to this file.'),
    step: switchFlag('Ask before each step.'),
  },
  async run(on, { args, flags }) {
    const given = variablesGiven(flags.set)
    const scenario = scenarioNamed(args.scenario, given)
    const { id, name } = await on.equipment(args.equipment)
    const site = siteOf(await on.client(), id, on.clock)
    const signal = on.environment.interruption.hold()
    let before: StepResult | undefined
    const options: RunOptions = {
      ...{ clock: on.clock, signal, given },
      operator: (text) => on.prompts.confirm(`${text} Done?`, 'a step needs a person at a terminal'),
      began: async (number, title) => {
        if (flags.step && !(await on.prompts.confirm(`${number} ${title}?`, '--step needs a terminal')))
          throw new Failure('state', 'stopped before the step')
      },
      ended: (step) => {
        printStep(on, step, before)
        before = step
      },
    }
    const result = await runScenario(scenario, name, site, options).catch(wrongFile)
    await writeReports(site, result, flags)
    if (on.format === 'json') on.printJson(result)
    else await printEnd(on, site, result)
    on.environment.exitCode = signal.aborted ? EXIT_CODES.timeout : EXITS[result.verdict]
  },
})

/** A step that could never pass with this equipment is a mistake of the file. */
function wrongFile(error: unknown): never {
  throw error instanceof ScenarioError ? wrongUsage(error.message) : error
}

/** Prints a step when it has ended; for a person the title of its group comes before the first step of it. */
function printStep(on: GatewayCommand, step: StepResult, before: StepResult | undefined): void {
  const { number, groups, title, verdict, detail, began, ended } = step
  if (on.format === 'json') return
  if (on.format !== 'table') {
    const cells = [number, verdict, [...groups, title].join(': '), detail]
    return on.print(cells.map((text) => text.replace(/\s/g, ' ')).join('\t'))
  }
  if (groups.length > 0 && groups.join('\n') !== before?.groups.join('\n')) on.print(groups.join(': '))
  const took = verdict === 'skipped' ? '' : `  ${durationWords(ended - began)}`
  on.print(`  ${verdict.padEnd(WIDEST)}  ${number.padEnd(5)} ${title}${took}`)
  if (detail !== '') on.print(`${' '.repeat(WIDEST + 10)}${detail}`)
}

async function printEnd(on: GatewayCommand, site: Site, result: RunResult): Promise<void> {
  const { steps, equipment, verdict } = result
  const first = steps.find((step) => step.verdict === 'failed')
  if (first && on.format === 'table') {
    const { textLadder } = await import('../../ladder/text-ladder.js')
    const messages = await site.messages(first.after, first.last, MAX_SHOWN)
    const size = { width: on.sink.width, ascii: !knowsUnicode(on.environment.variables) }
    if (messages.length > 0)
      on.print(
        [
          '',
          `Messages of step ${first.number}, ${first.place.file}:${first.place.line}`,
          ...textLadder(messages, equipment, size),
          '',
        ].join('\n'),
      )
  }
  const counts = (['passed', 'failed', 'inconclusive', 'skipped'] as const)
    .map((one) => [countOf(steps, one), one] as const)
    .filter(([count]) => count > 0)
    .map(([count, one]) => `${count} ${one}`)
  on.note(`${equipment} ${verdict}: ${counts.join(', ')}.`)
}

/** Writes the reports that the flags ask for. */
async function writeReports(
  site: Site,
  result: RunResult,
  { junit, html }: { readonly junit?: string | undefined; readonly html?: string | undefined },
): Promise<void> {
  if (junit !== undefined) {
    const { junitReport } = await import('../../scenario/report/junit.js')
    written(junit, junitReport(result))
  }
  if (html === undefined) return
  const { htmlReport } = await import('../../scenario/report/html-report.js')
  const after = Math.min(...result.steps.map((step) => step.after))
  const last = Math.max(...result.steps.map((step) => step.last))
  written(html, htmlReport(result, await site.messages(after, last, MAX_MESSAGES)))
}

function written(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Failure('unexpected', `the report cannot be written: ${(error as Error).message}`)
  }
}
