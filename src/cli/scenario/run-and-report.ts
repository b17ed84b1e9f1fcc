import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { Unreachable } from '../../client/failures.js'
import type { Equipment } from '../../contract/equipment.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { durationWords } from '../../kit/duration-text.js'
import { limitedText } from '../../kit/text/limited-text.js'
import type { LadderMessage } from '../../ladder/rungs.js'
import { type Scenario, ScenarioError, type Step } from '../../scenario/file/read-scenario.js'
import { type About, countOf, type RunResult, type StepResult } from '../../scenario/run/result.js'
import { type RunOptions, runScenario } from '../../scenario/run/run-scenario.js'
import type { Site } from '../../scenario/run/site.js'
import type { BaseCommand } from '../base-command.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'
import { textFlag } from '../input/flags.js'
import { knowsUnicode } from '../output/locale.js'
import { wrapped } from '../output/terminal-text.js'
import { simulatorAt } from './simulator-steps.js'

/** Messages in a report; of a longer run the first ones are left out. */
export const MAX_MESSAGES = 20_000
/** Messages of a step that failed, as they are shown. */
const MAX_SHOWN = 20

/** Characters of a title or a reason in the output; --json has all. */
const MAX_TEXT = 500

/** Columns of the longest verdict. */
const WIDEST = 'inconclusive'.length

const EXITS = { passed: 0, failed: EXIT_CODES.equipment, inconclusive: EXIT_CODES.timeout } as const

export const REPORT_FLAGS = {
  junit: textFlag('FILE', 'Also write the result as JUnit XML to this file.'),
  html: textFlag('FILE', 'Also write the result as a page with ladder diagrams and SML to this file.'),
}

export interface ReportFlags {
  readonly step?: boolean
  readonly junit?: string | undefined
  readonly html?: string | undefined
}

/** What is run, and where. `name`: of the equipment, in the output and the reports. */
interface Job {
  readonly scenario: Scenario
  readonly name: string
  readonly site: Site
  readonly given?: RunOptions['given']
  readonly part?: RunOptions['part']
}

/** Messages of a run with ids after one and up to another, `limit` at most. */
type Messages = (after: number, last: number, limit: number) => Promise<readonly LadderMessage[]>

/** Runs a scenario, prints its steps as they end, writes the reports, and sets the exit code. */
export async function runAndReport(on: BaseCommand, job: Job, flags: ReportFlags): Promise<void> {
  requireRunnable(on, job.scenario, flags)
  let denied: Error | undefined
  const result = await runSteps(on, job, flags, printing(on), (error) => {
    denied = error
  })
  await report(on, result, messagesAt(job.site), flags)
  if (denied) throw denied
}

/** Runs a scenario. `ended` is called with each step. */
export async function runSteps(
  on: BaseCommand,
  { scenario, name, site, given = {}, part = {} }: Job,
  { step }: Pick<ReportFlags, 'step'>,
  ended: (step: StepResult) => void,
  denied: (error: Error) => void = () => {},
): Promise<RunResult> {
  const signal = on.environment.interruption.hold()
  const options: RunOptions = {
    clock: on.clock,
    signal,
    given,
    part,
    ended,
    denied,
    simulator: simulatorAt(on.clock),
    operator: (text) => confirmed(on, `${text} Done?`),
    goesOn: async (number, title) => !step || confirmed(on, `${number} ${title}?`),
  }
  const result = await runScenario(scenario, name, site, options).catch(wrongFile)
  const equipment = await site.equipment().catch(() => undefined)
  return { ...result, about: aboutOf(on, equipment) }
}

/** Of which software a result is, and where it was made. */
export const aboutOf = (
  { config }: BaseCommand,
  equipment: Pick<Equipment, 'model' | 'ip_address' | 'port' | 'serial_port'> | undefined,
): About => {
  const { model, ip_address: host, port, serial_port: serial } = equipment ?? {}
  return {
    secsctl: config.version,
    mdln: model?.mdln ?? null,
    softrev: model?.softrev ?? null,
    address: serial ?? (host && `${host}:${port}`) ?? null,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** Prints each step that it is given. */
export function printing(on: BaseCommand): (step: StepResult) => void {
  let before: StepResult | undefined
  return (step) => {
    printStep(on, step, before)
    before = step
  }
}

/** Writes the reports, prints the end, and sets the exit code. */
export async function report(
  on: BaseCommand,
  result: RunResult,
  messages: Messages,
  flags: ReportFlags,
): Promise<void> {
  const { interruption } = on.environment
  const { aborted } = interruption.hold()
  // It has done its work: the exit code says that the result is inconclusive.
  if (aborted) interruption.settle()
  const faults = await writeReports(messages, result, flags)
  if (on.format === 'json') on.printJson(result)
  else await printEnd(on, messages, result)
  on.environment.exitCode = aborted ? EXIT_CODES.timeout : EXITS[result.verdict]
  // The run is over, and its result is printed.
  if (faults.length > 0) throw new Failure('unexpected', faults.join('\n'))
}

/** Yes at the terminal; Ctrl-C and Ctrl-D at the question mean no. */
const confirmed = (on: BaseCommand, question: string): Promise<boolean> =>
  on.prompts.confirm(question, 'a step needs a person at a terminal').catch((error: Error) => {
    if (['ExitPromptError', 'AbortPromptError'].includes(error.name)) return false
    throw error
  })

/** Throws before anything is sent: a person is needed, or a report has no place. `others`: further files that are written. */
export function requireRunnable(
  on: BaseCommand,
  scenario: Scenario,
  flags: ReportFlags,
  others: readonly string[] = [],
): void {
  const asks = (steps: readonly Step[]): boolean =>
    steps.some(({ kind, steps: inner }) => kind === 'operator' || asks(inner))
  if ((flags.step || asks(scenario.steps)) && !on.prompts.allowed)
    throw wrongUsage(
      flags.step
        ? '--step needs a terminal'
        : 'the scenario has a step for an operator, who needs a terminal',
    )
  const files = [flags.junit, flags.html, ...others].flatMap((file) =>
    file === undefined ? [] : [resolve(file)],
  )
  if (new Set(files).size < files.length)
    throw wrongUsage(`the reports are ${files.length} files, and need as many names`)
  const own = (scenario.files ?? [scenario.file]).find((file) => files.includes(resolve(file)))
  if (own !== undefined) throw wrongUsage(`${own} is read by the scenario: give the report another name`)
  requireWritable(files)
}

/** Throws where a file cannot be written. What is in it stays until there is a report. */
function requireWritable(files: readonly string[]): void {
  const made: string[] = []
  for (const file of files) {
    try {
      const isThere = existsSync(file)
      closeSync(openSync(file, 'a', 0o600))
      if (!isThere) made.push(file)
    } catch (error) {
      throw wrongUsage(`the report ${file} cannot be written: ${writeFault(error)}`)
    } finally {
      for (const one of made.splice(0)) rmSync(one)
    }
  }
}

/** A step that could never pass with this equipment is a mistake of the file. */
function wrongFile(error: unknown): never {
  throw error instanceof ScenarioError ? wrongUsage(error.message) : error
}

/** Prints a step when it has ended; for a person the title of its group comes before the first step of it. */
function printStep(on: BaseCommand, step: StepResult, before: StepResult | undefined): void {
  const { number, groups, verdict, began, ended } = step
  if (on.format === 'json') return
  const [title, detail] = [limitedText(step.title, MAX_TEXT), limitedText(step.detail, MAX_TEXT)]
  if (on.format !== 'table') {
    const cells = [number, verdict, [...groups, title].join(': '), detail]
    return on.print(cells.map((text) => text.replace(/\s/g, ' ')).join('\t'))
  }
  if (groups.length > 0 && groups.join('\n') !== before?.groups.join('\n')) on.print(groups.join(': '))
  const took = verdict === 'skipped' ? '' : `  ${durationWords(ended - began)}`
  const indent = ' '.repeat(WIDEST + 10)
  const lines = (text: string): string[] => wrapped(indent + text, on.sink.width)
  const [first = '', ...others] = lines(`${title}${took}`)
  on.print(`  ${verdict.padEnd(WIDEST)}  ${number.padEnd(5)} ${first.slice(indent.length)}`)
  // The reason of skipped steps stands at the first one of them.
  const isReason = detail !== '' && !(verdict === 'skipped' && step.detail === before?.detail)
  for (const line of [...others, ...(isReason ? lines(detail) : [])]) on.print(line)
}

async function printEnd(on: BaseCommand, messagesOf: Messages, result: RunResult): Promise<void> {
  const { steps, equipment, verdict } = result
  const first = steps.find((step) => step.verdict === 'failed')
  if (first && on.format === 'table') {
    const { textLadder } = await import('../../ladder/text-ladder.js')
    const messages = await messagesOf(first.after, first.last, MAX_SHOWN)
    const size = { width: on.sink.width, ascii: !knowsUnicode(on.environment.variables) }
    if (messages.length > 0)
      on.print(
        [
          '',
          `Messages of step ${first.number}, ${placeOf(first)}`,
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

/** `lot.yaml:3`; a check that is in no file has its title. */
const placeOf = ({ place, title }: StepResult): string =>
  place.line > 0 ? `${place.file}:${place.line}` : title

/** A file as CI systems take it: relative to the working folder, if it is in there. */
function fromHere(file: string): string {
  const inside = relative('', file)
  return isAbsolute(file) && !inside.startsWith('..') ? inside : file
}

/** Writes the reports that the flags ask for. Resolves with why some could not be written. */
async function writeReports(
  messagesOf: Messages,
  result: RunResult,
  { junit, html }: ReportFlags,
): Promise<readonly string[]> {
  const faults: string[] = []
  if (junit !== undefined) {
    const { junitReport } = await import('../../scenario/report/junit.js')
    faults.push(...written(junit, junitReport(result, fromHere)))
  }
  if (html === undefined) return faults
  const { htmlReport } = await import('../../scenario/report/html-report.js')
  const page = htmlReport(result, await messagesOf(...rangeOf(result), MAX_MESSAGES))
  return [...faults, ...written(html, page)]
}

/** The ids of the messages of a run: after the first one, and up to the second one. */
export const rangeOf = ({ steps }: RunResult): readonly [number, number] => [
  steps.reduce((least, { after }) => Math.min(least, after), Number.POSITIVE_INFINITY),
  steps.reduce((most, { last }) => Math.max(most, last), 0),
]

/** Messages for a report; none where the gateway cannot be reached any more. */
export const messagesAt =
  (site: Site): Messages =>
  (after, last, limit) =>
    site.messages(after, last, limit).catch((error: unknown) => {
      if (error instanceof Unreachable) return []
      throw error
    })

function written(file: string, text: string): readonly string[] {
  try {
    writeFileSync(file, text)
    return []
  } catch (error) {
    return [`the report ${file} cannot be written: ${writeFault(error)}`]
  }
}
