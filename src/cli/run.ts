import { writeSync } from 'node:fs'
import { Errors, run, settings } from '@oclif/core'
import { delay, systemClock } from '../kit/clock.js'
import { FailedCommand, type Subject } from './errors/subject.js'
import { interruption } from './input/interruption.js'
import { installedCommands } from './installed-commands.js'
import { jsonText } from './output/json-text.js'
import { standardStreams } from './output/standard-streams.js'
import { visibleLines } from './output/visible-text.js'

/** How long what a daemon said last may take to be read, in milliseconds. */
const OUTPUT_TIMEOUT = 1000

/** True when errors are to be told as JSON; also known when the arguments could not be read. */
function wantsJson(args: readonly string[]): boolean {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const said = own.some(
    (arg, at) =>
      arg === '--json' ||
      arg === '-ojson' ||
      arg === '-o=json' ||
      arg === '--output=json' ||
      ((arg === '-o' || arg === '--output') && own[at + 1] === 'json'),
  )
  const otherwise = own.some((arg) => /^(-o|--output)/.test(arg))
  return said || (!otherwise && process.env['SECSCTL_OUTPUT'] === 'json')
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
    const [, flag = '', value] = /^(--[\w-]+|-o)(?:=?(.+))?$/.exec(args[at] ?? '') ?? []
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

/** Everything written is handed to the system before the process ends. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()))

/** Runs one command and ends the process with its exit code. */
export async function main(args: string[], root: string): Promise<void> {
  // Only the bundle is ever run: looking for TypeScript beside it would find a stale copy.
  settings.enableAutoTranspile = false
  // The reader of a pipe has seen enough.
  for (const stream of [process.stdout, process.stderr]) {
    stream.prependListener('error', (error: NodeJS.ErrnoException) => {
      if (standardStreams.mayFail) return
      if (error.code === 'EPIPE') return interruption.readerGone()
      // What is written there is lost from now on.
      if (stream === process.stdout) writeSync(2, `Error: cannot write the result: ${error.message}\n`)
      process.exit(1)
    })
  }
  interruption.listen()
  let exit = 0
  try {
    // With these, oclif looks for no plugins in the data folder of whoever's HOME it is.
    const own = await installedCommands(root)
    const options = { root, plugins: new Map([[own.name, own]]) }
    await run(arranged(args), options)
    exit = typeof process.exitCode === 'number' ? process.exitCode : 0
  } catch (error) {
    exit =
      error instanceof FailedCommand ? await tell(error.cause, args, error.subject) : await tell(error, args)
  }
  const output = Promise.all([flushed(process.stdout), flushed(process.stderr)])
  // A daemon ends also where nobody reads what it says.
  await (standardStreams.mayFail ? Promise.race([output, delay(systemClock, OUTPUT_TIMEOUT)]) : output)
  process.exit(interruption.exitCode ?? exit)
}

async function tell(error: unknown, args: readonly string[], subject: Subject = {}): Promise<number> {
  if (error instanceof Errors.ExitError) return error.oclif.exit ?? 0
  // Ctrl-C and Ctrl-D at a question.
  if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) return 130
  if (interruption.exitCode !== undefined) return interruption.exitCode
  // Knows every error of the API: too much to load for a command that succeeds.
  const { reportOf, unknownCommand } = await import('./errors/report.js')
  if (unknownCommand(error) !== undefined) {
    const { commandNames } = await import('./errors/suggestion.js')
    subject.commands = await commandNames()
  }
  const report = reportOf(error, subject)
  const text = wantsJson(args) ? jsonText(report.problem) : visibleLines(report.lines.join('\n'))
  process.stderr.write(`${text}\n`)
  if (process.env['DEBUG'] && error instanceof Error)
    process.stderr.write(`${visibleLines(String(error.stack))}\n`)
  return report.exit
}
