import type { Content } from '../../../catalogue/known-message.js'
import type { ReadValue } from '../../../catalogue/structure/structure-data.js'
import { isWithin, valueAs } from '../../typed-value.js'
import type { ProgramCommand, ProgramParameter } from '../equipment-model.js'

/** ACKC7A (SEMI E5). */
const ACKC7A = { wrongModel: 1, wrongRevision: 2, unknownCommand: 3, wrongParameter: 4 } as const

/** A fault in a formatted process program (S7F27). */
export interface ProgramFault {
  readonly ackc7a: number
  /** SEQNUM: the number of the command, from 1; 0 for the program as a whole. */
  readonly step: number
  /** ERRW7. */
  readonly text: string
}

/** Reported for one program. */
const MAX_FAULTS = 100

interface Expected {
  readonly mdln: string
  readonly softrev: string
  readonly commands: readonly ProgramCommand[]
}

/** The faults in a program, command by command. */
export function programFaults(program: Content<'S7F23', 'host'>, expected: Expected): ProgramFault[] {
  const { mdln, softrev, commands } = expected
  const faults: ProgramFault[] = []
  if (program.MDLN !== mdln) {
    faults.push({ ackc7a: ACKC7A.wrongModel, step: 0, text: `this equipment is ${mdln}` })
  }
  if (program.SOFTREV !== softrev) {
    faults.push({ ackc7a: ACKC7A.wrongRevision, step: 0, text: `this revision is ${softrev}` })
  }
  for (const [at, { CCODE, PPARM }] of program.COMMANDS.entries()) {
    if (faults.length >= MAX_FAULTS) break
    const command = commands.find(({ code }) => code === String(CCODE))
    const fault = command ? parameterFault(command, PPARM) : { text: `no command ${String(CCODE)}` }
    const ackc7a = command ? ACKC7A.wrongParameter : ACKC7A.unknownCommand
    if (fault) faults.push({ ackc7a, step: at + 1, text: fault.text })
  }
  return faults
}

function parameterFault(
  { code, parameters }: ProgramCommand,
  given: readonly ReadValue[],
): { readonly text: string } | undefined {
  if (given.length !== parameters.length) {
    return { text: `${code} takes ${parameters.length} parameters, not ${given.length}` }
  }
  const wrong = parameters.find((parameter, at) => {
    const text = given[at]
    const value = typeof text === 'string' ? valueAs(parameter.format, text) : undefined
    return !value || !isWithin(parameter, value)
  })
  return wrong && { text: `${code}: ${wrong.name} is ${rangeOf(wrong)}` }
}

function rangeOf({ format, minimum, maximum }: ProgramParameter): string {
  const from = minimum === undefined ? '' : ` from ${minimum}`
  return `${format}${from}${maximum === undefined ? '' : ` to ${maximum}`}`
}
