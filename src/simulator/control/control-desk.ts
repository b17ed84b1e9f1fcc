import { SmlError } from '../../secs2/sml/error.js'
import type { Simulator } from '../simulator.js'
import { type ControlCommand, Refusal, type Told } from './command.js'
import { FAULT_COMMANDS } from './fault-commands.js'
import { MESSAGE_COMMANDS } from './message-commands.js'
import { STATE_COMMANDS } from './state-commands.js'
import { WordsError, wordsOf } from './words.js'

/** How a command went: what it tells, or why it was not carried out. */
export type ControlAnswer =
  | ({ readonly ok: true } & Told)
  | {
      readonly ok: false
      readonly error: string
      /** `usage`: it is written wrong. `refused`: not now, or not by this equipment. */
      readonly code: 'usage' | 'refused'
    }

const HELP: ControlCommand = {
  name: 'help',
  takes: '[COMMAND]',
  summary: 'What there is to say here.',
  least: 0,
  most: 1,
  first: () => CONTROL_COMMANDS.map(({ name }) => name),
  run: ({ words: [only] }) => {
    const shown = only === undefined ? CONTROL_COMMANDS : [commandNamed(only)]
    return { commands: shown.map((command) => ({ usage: usageOf(command), summary: command.summary })) }
  },
}

/** All that a running simulator can be told. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = [
  ...STATE_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...FAULT_COMMANDS,
  HELP,
]

const usageOf = ({ name, takes }: ControlCommand): string => (takes === '' ? name : `${name} ${takes}`)

function commandNamed(name: string): ControlCommand {
  const command = CONTROL_COMMANDS.find((known) => known.name === name)
  if (command) return command
  throw new Refusal('usage', `there is no command "${name}": help lists them`)
}

/** Where a person or a script tells a running simulator what to do, a line at a time. */
export class ControlDesk {
  constructor(private readonly simulator: Simulator) {}

  /** Carries a line out; never rejects for what the line says. */
  async tell(line: string): Promise<ControlAnswer> {
    try {
      const [name = ''] = line.trim().split(/\s/, 1)
      const command = commandNamed(name)
      const rest = line.trim().slice(name.length).trim()
      const isOne = command.asItStands && /^[^"']/.test(rest)
      const words = isOne ? [rest] : wordsOf(rest)
      if (words.length < command.least || words.length > command.most) {
        throw new Refusal('usage', `it is: ${usageOf(command)}`)
      }
      const told = await command.run({ simulator: this.simulator, words })
      return { ok: true, ...told }
    } catch (error) {
      return refused(error)
    }
  }

  /** How a line may go on from where it is: whole lines. */
  completions(line: string): readonly string[] {
    const [name = '', begun, ...more] = line.trimStart().split(/\s+/)
    if (more.length > 0) return []
    if (begun === undefined) {
      return CONTROL_COMMANDS.filter((command) => command.name.startsWith(name)).map((command) =>
        command.most > 0 ? `${command.name} ` : command.name,
      )
    }
    const first = CONTROL_COMMANDS.find((command) => command.name === name)?.first?.(this.simulator) ?? []
    return first.filter((word) => word.startsWith(begun)).map((word) => `${name} ${word}`)
  }
}

function refused(error: unknown): ControlAnswer {
  if (error instanceof Refusal) return { ok: false, error: error.message, code: error.kind }
  if (error instanceof WordsError || error instanceof SmlError || error instanceof RangeError) {
    return { ok: false, error: error.message, code: 'usage' }
  }
  throw error
}
