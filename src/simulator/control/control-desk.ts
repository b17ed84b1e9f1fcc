import { SmlError } from '../../secs2/sml/error.js'
import type { Simulator } from '../simulator.js'
import { CommandError, wordsOf } from './arguments.js'
import type { ControlCommand, Result } from './command.js'
import { FAULT_COMMANDS } from './fault-commands.js'
import { MESSAGE_COMMANDS } from './message-commands.js'
import { STATE_COMMANDS } from './state-commands.js'
import { TOOL_COMMANDS } from './tool-commands.js'

/** The result of a command, or why it was not carried out. */
export type ControlReply =
  | ({ readonly ok: true } & Result)
  | {
      readonly ok: false
      readonly error: string
      /** `usage`: it is written wrong. `refused`: not now, or not by this equipment. */
      readonly code: 'usage' | 'refused'
    }

const MAX_ARGUMENTS = 1000

const HELP: ControlCommand = {
  name: 'help',
  takes: '[COMMAND]',
  summary: 'The commands that there are.',
  suggestions: () => CONTROL_COMMANDS.map(({ name }) => name),
  run: ({ words: [only] }) => {
    const shown = only === undefined ? CONTROL_COMMANDS : [commandNamed(only)]
    return { commands: shown.map((command) => ({ usage: usageOf(command), summary: command.summary })) }
  },
}

/** All commands of a running simulator. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = [
  ...STATE_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...TOOL_COMMANDS,
  ...FAULT_COMMANDS,
  HELP,
]

const usageOf = ({ name, takes }: ControlCommand): string => (takes === '' ? name : `${name} ${takes}`)

function commandNamed(name: string): ControlCommand {
  const command = CONTROL_COMMANDS.find((known) => known.name === name)
  if (command) return command
  throw new CommandError('usage', `there is no command "${name}": help lists them`)
}

/** How many arguments a command takes, at least and at most. */
function argumentCounts({ takes }: ControlCommand): readonly [number, number] {
  const parts = takes.split(' ').filter((part) => part !== '')
  return [
    parts.filter((part) => !part.startsWith('[')).length,
    takes.includes('...') ? MAX_ARGUMENTS : parts.length,
  ]
}

/** The words of its first argument that are typed as they are. */
const literals = ({ takes }: ControlCommand): readonly string[] =>
  (takes.split(' ', 1)[0] ?? '').split('|').filter((word) => /^[a-z]/.test(word))

/** Carries out commands for a running simulator, a line each. */
export class ControlDesk {
  constructor(private readonly simulator: Simulator) {}

  /** Carries a line out; never rejects for what the line says. */
  async run(line: string): Promise<ControlReply> {
    try {
      const [name = ''] = line.trim().split(/\s/, 1)
      const command = commandNamed(name)
      const rest = line.trim().slice(name.length).trim()
      const isOne = command.isRestOfLine && /^[^"']/.test(rest)
      const words = isOne ? [rest] : wordsOf(rest)
      const [minimum, maximum] = argumentCounts(command)
      if (words.length < minimum || words.length > maximum) {
        throw new CommandError('usage', `it is: ${usageOf(command)}`)
      }
      return { ok: true, ...(await command.run({ simulator: this.simulator, words })) }
    } catch (error) {
      if (error instanceof CommandError) return { ok: false, error: error.message, code: error.kind }
      if (!(error instanceof SmlError || error instanceof RangeError)) throw error
      return { ok: false, error: error.message, code: 'usage' }
    }
  }

  /** Completions of a line that is begun, as whole lines. */
  completions(line: string): readonly string[] {
    const [name = '', begun, ...more] = line.trimStart().split(/\s+/)
    if (more.length > 0) return []
    if (begun === undefined) {
      return CONTROL_COMMANDS.filter((command) => command.name.startsWith(name)).map((command) =>
        command.takes !== '' ? `${command.name} ` : command.name,
      )
    }
    const command = CONTROL_COMMANDS.find((known) => known.name === name)
    const first = command ? (command.suggestions?.(this.simulator) ?? literals(command)) : []
    return first.filter((word) => word.startsWith(begun)).map((word) => `${name} ${word}`)
  }
}
