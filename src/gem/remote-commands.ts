import type { RemoteCommand } from './equipment-model.js'
import { valueAs } from './typed-value.js'

/** HCACK (SEMI E5). */
export const HCACK = {
  done: 0,
  noSuchCommand: 1,
  cannotNow: 2,
  badParameter: 3,
  later: 4,
  alreadySo: 5,
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

export type CommandCheck =
  | { readonly kind: 'fits'; readonly command: RemoteCommand }
  | { readonly kind: 'refused'; readonly hcack: HostCommandAcknowledge; readonly faults: ParameterFault[] }

/** Checks a remote command (S2F41) against those that the equipment has; whether it may run now is not asked. */
export function checkCommand(
  commands: readonly RemoteCommand[],
  name: string,
  given: readonly GivenParameter[],
): CommandCheck {
  const command = commands.find((known) => known.name === name)
  if (!command) return { kind: 'refused', hcack: HCACK.noSuchCommand, faults: [] }
  const faults = given.flatMap((parameter) => {
    const cpack = faultOf(command, parameter)
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

function faultOf(command: RemoteCommand, { name, text }: GivenParameter): number | undefined {
  const known = command.parameters.find((parameter) => parameter.name === name)
  if (!known) return CPACK.noSuchName
  if (text === undefined || valueAs(known.format, text) === undefined) return CPACK.illegalFormat
  return known.values && !known.values.includes(text) ? CPACK.illegalValue : undefined
}
