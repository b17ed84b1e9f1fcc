import { valueAs } from '../typed-value.js'
import type { RemoteCommand } from './model/equipment-model.js'

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

export type CommandCheck =
  | { readonly kind: 'fits'; readonly command: RemoteCommand }
  | ({ readonly kind: 'refused' } & CommandOutcome)

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
  const check = checkCommand(commands, name, given, programs)
  if (check.kind === 'refused') return { hcack: check.hcack, faults: check.faults }
  const hcack = execute?.(name) ?? HCACK.cannotNow
  if (hcack === HCACK.done || hcack === HCACK.later) {
    for (const { name: parameter, sets } of check.command.parameters) {
      const text = given.find((one) => one.name === parameter)?.text
      if (sets !== undefined && text !== undefined) set(sets, text)
    }
  }
  return { hcack, faults: [] }
}

/** Checks a remote command (S2F41) against those that the equipment has; whether it may run now is not asked. */
function checkCommand(
  commands: readonly RemoteCommand[],
  name: string,
  given: readonly GivenParameter[],
  programs: () => readonly string[],
): CommandCheck {
  const command = commands.find((known) => known.name === name)
  if (!command) return { kind: 'refused', hcack: HCACK.noSuchCommand, faults: [] }
  const faults = given.flatMap((parameter) => {
    const cpack = faultOf(command, parameter, programs)
    return cpack === undefined ? [] : [{ name: parameter.name, cpack }]
  })
  for (const { name: required } of command.parameters.filter((parameter) => parameter.required)) {
    if (!given.some((parameter) => parameter.name === required)) {
      faults.push({ name: required, cpack: CPACK.illegalValue })
    }
  }
  return faults.length > 0
    ? { kind: 'refused', hcack: HCACK.badParameter, faults }
    : { kind: 'fits', command }
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
