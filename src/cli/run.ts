import { Errors, run, settings } from '@oclif/core'
import { visibleLines } from '../kit/text/visible-text.js'
import type { Environment, Variables } from './environment.js'
import type { Report } from './errors/report.js'
import { FailedCommand, type Subject } from './errors/subject.js'
import { installedCommands } from './installed-commands.js'
import { jsonText } from './output/json-text.js'
import { linesFor } from './output/terminal-text.js'
import { ENDS_WITH_INPUT, end, listeningEnvironment } from './process-environment.js'

/** True when errors are printed as JSON; also works on arguments that cannot be parsed. */
function wantsJson(args: readonly string[], variables: Variables): boolean {
  const own = (args.includes('--') ? args.slice(0, args.indexOf('--')) : args).join('\n')
  if (/^(--json|-o=?json|--output=json|(-o|--output)\njson)$/m.test(own)) return true
  return !/^(-o|--output)/m.test(own) && variables['SECSCTL_OUTPUT'] === 'json'
}

/** Flags of every command, each with whether a value follows it. */
const GLOBAL = new Map([
  ['--json', false],
  ['--no-input', false],
  ['--url', true],
  ['--profile', true],
  ['--output', true],
  ['-o', true],
])

/** The arguments as oclif takes them: `help` as a flag, and global flags that stand before the command after it. */
export function arranged(args: readonly string[]): string[] {
  let at = 0
  while (at < args.length) {
    const [, flag = '', value] = /^(--[\w-]+|-o)(?:=?([\s\S]+))?$/.exec(args[at] ?? '') ?? []
    const takesValue = GLOBAL.get(flag)
    if (takesValue === undefined) break
    at += takesValue && value === undefined ? 2 : 1
  }
  const [flags, [first, ...others]] = [args.slice(0, at), args.slice(at)]
  if (first === undefined) return [...args]
  const words = first === 'help' ? [...others, '--help'] : [first, ...others]
  const end = words.indexOf('--')
  return end < 0 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)]
}

/** Runs one command and ends the process with its exit code. */
export async function main(args: string[], root: string): Promise<void> {
  const environment = listeningEnvironment(root)
  if (environment.variables[ENDS_WITH_INPUT] === '1')
    (await import('./demo/orphans.js')).endWithInput(environment)
  await end(environment, await runCommand(args, environment))
}

/** Runs one command; its exit code. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<number> {
  // Only the bundle is run, even where there are TypeScript sources next to it.
  settings.enableAutoTranspile = false
  const { interruption, root } = environment
  let exit: number
  try {
    // With these, oclif does not search the data folder of the user for plugins.
    const words = arranged(args)
    const own = await installedCommands(root, words)
    const options = { root, plugins: new Map([[own.name, own]]), environment }
    await run(words, options)
    exit = environment.exitCode
  } catch (error) {
    const failed = error instanceof FailedCommand ? error : { cause: error, subject: {} }
    exit = await printError(failed.cause, args, failed.subject, environment)
  }
  return interruption.exitCode ?? exit
}

/** What ended a daemon in the background, as the last record of its log: the command that started it reads it there. */
const lastRecord = ({ problem: { detail, code, hint } }: Report, now: Date): object => ({
  level: 60,
  time: now.toISOString(),
  msg: detail,
  code,
  hint,
})

async function printError(
  error: unknown,
  args: readonly string[],
  subject: Subject,
  { variables, stderr, root, interruption, clock }: Environment,
): Promise<number> {
  if (error instanceof Errors.ExitError) return error.oclif.exit ?? 0
  // Ctrl-C and Ctrl-D at a question.
  if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) return 130
  if (interruption.exitCode !== undefined) return interruption.exitCode
  // Knows every error of the API: too much to load for a command that succeeds.
  const { reportOf, unknownCommand } = await import('./errors/report.js')
  if (unknownCommand(error) !== undefined) {
    const { commandNames } = await import('./errors/suggestion.js')
    subject.commands = await commandNames(root)
    subject.typed = arranged(args)
  }
  const report = reportOf(error, subject)
  const lines = visibleLines(report.lines.join('\n'))
  const text = wantsJson(args, variables) ? jsonText(report.problem) : linesFor(stderr, lines)
  const isInBackground = variables['SECSCTL_DAEMON_LOG'] !== undefined
  stderr.write(`${isInBackground ? jsonText(lastRecord(report, clock.date())) : text}\n`)
  if (variables['DEBUG'] && error instanceof Error) stderr.write(`${visibleLines(String(error.stack))}\n`)
  return report.exit
}
