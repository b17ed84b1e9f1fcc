import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import type { Tool } from '../gem300/tool.js'
import type { Simulator } from '../simulator.js'
import { CommandError } from './arguments.js'

/** The members of a command's reply, as JSON. */
export type Result = Readonly<Record<string, unknown>>

export interface Call {
  readonly simulator: Simulator
  /** The command's arguments. */
  readonly words: readonly string[]
}

/** A command that a person or a script gives to a running simulator. */
export interface ControlCommand {
  readonly name: string
  /** Its arguments: `[X]` may be left out, `X...` is one or more. Words in lower case are typed as they are. */
  readonly takes: string
  readonly summary: string
  /** The rest of the line is one argument, unless it begins with a quote. */
  readonly isRestOfLine?: true
  /** Suggestions for the first argument; left out, the lower-case words of `takes`. */
  readonly suggestions?: (simulator: Simulator) => readonly string[]
  /** Throws `CommandError`, and RangeError for a name or a value that does not fit. */
  run(call: Call): Result | Promise<Result>
}

/** Such as `HCACK 2, cannot perform now`. */
export const codeInWords = (item: string, code: number): string =>
  `${item} ${code}, ${STANDARD_CATALOGUE.codeText(item, code)}`

export const notSelected = ({ connectionState }: Simulator): CommandError =>
  new CommandError('refused', `there is no session with a host: it is ${connectionState}`)

/** The GEM 300 tool of the equipment. Throws `CommandError` where it is none. */
export function toolOf({ tool, model }: Simulator): Tool {
  if (tool) return tool
  throw new CommandError('refused', `${model.name} has no load ports and no jobs: etch300 has`)
}
