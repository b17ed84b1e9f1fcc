import { valueAs } from '../typed-value.js'
import type { RemoteCommand } from './equipment-model.js'

/** HCACK (SEMI E5). */
export const HCACK = {
  done: 0,
  noSuchCommand: 1,
  cannotNow: 2,
  badParameter: 3,
  later: 4,
  alreadySo: 5,
  noSuchObject: 6,
} as const
export type HostCommandAcknowledge = (typeof HCACK)[keyof typeof HCACK]

/** CPACK (SEMI E5). */
const CPACK = { noSuchName: 1, illegalValue: 2, illegalFormat: 3 } as const

export interface GivenParameter {
  readonly name: string
  /** Undefined for a list, which no parameter is. */
  readonly text: string | undefined
}

export interface ParameterFault {
  readonly name: string
  readonly cpack: number
}

/** How a command went, and what was wrong with its parameters. */
export interface CommandOutcome {
  readonly hcack: HostCommandAcknowledge
  readonly faults: readonly ParameterFault[]
}

export interface CommandWorld {
  /** Undefined where no command may be carried out now. */
  readonly execute: ((command: string) => HostCommandAcknowledge) | undefined
  /** The PPIDs of the stored process programs. */
  readonly programs: () => readonly string[]
  /** A parameter's value for a variable. */
  readonly set: (variable: string, text: string) => void
}

/** Carries a command out when it and its parameters fit. The variables take its values only if it is done. */
export function runCommand(
  commands: readonly RemoteCommand[],
  name: string,
  given: readonly GivenParameter[],
  { execute, programs, set }: CommandWorld,
): CommandOutcome {
  const command = commands.find((known) => known.name === name)
  if (!command) return { hcack: HCACK.noSuchCommand, faults: [] }
  const faults = faultsOf(command, given, programs)
  if (faults.length > 0) return { hcack: HCACK.badParameter, faults }
  const hcack = execute?.(name) ?? HCACK.cannotNow
  if (hcack === HCACK.done || hcack === HCACK.later) {
    for (const { name: parameter, sets } of command.parameters) {
      const text = given.find((one) => one.name === parameter)?.text
      if (sets !== undefined && text !== undefined) set(sets, text)
    }
  }
  return { hcack, faults: [] }
}

function faultsOf(
  command: RemoteCommand,
  given: readonly GivenParameter[],
  programs: () => readonly string[],
): ParameterFault[] {
  const missing = command.parameters.filter(
    ({ name, required }) => required && !given.some((parameter) => parameter.name === name),
  )
  return [
    ...given.flatMap((parameter) => {
      const cpack = faultOf(command, parameter, programs)
      return cpack === undefined ? [] : [{ name: parameter.name, cpack }]
    }),
    ...missing.map(({ name }) => ({ name, cpack: CPACK.illegalValue })),
  ]
}

function faultOf(
  command: RemoteCommand,
  { name, text }: GivenParameter,
  programs: () => readonly string[],
): number | undefined {
  const known = command.parameters.find((parameter) => parameter.name === name)
  if (!known) return CPACK.noSuchName
  if (text === undefined || valueAs(known.format, text) === undefined) return CPACK.illegalFormat
  const values = known.values === 'programs' ? programs() : known.values
  return values && !values.includes(text) ? CPACK.illegalValue : undefined
}
