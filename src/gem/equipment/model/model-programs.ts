import type { Format } from '../../../secs2/format.js'
import type { TypedValue } from '../../typed-value.js'

/** A process program: unformatted, formatted, or both. */
export interface ProcessProgram {
  /** PPID, up to 120 characters. */
  readonly id: string
  /** PPBODY as S7F6 has it; not a list. Left out: there is no unformatted one. */
  readonly body?: TypedValue
  /** The steps in S7F26. Left out: there is no formatted one. */
  readonly steps?: readonly ProgramStep[]
}

/** One process command of a formatted program. */
export interface ProgramStep {
  /** CCODE: decimal digits are sent as a number, anything else as text. */
  readonly command: string
  /** PPARMs, in order. */
  readonly parameters: readonly TypedValue[]
}

export interface ProgramParameter {
  readonly name: string
  readonly format: Format
  /** Bounds, both allowed; only numbers have them. */
  readonly minimum?: number
  readonly maximum?: number
}

/** A process command that formatted programs may have. */
export interface ProgramCommand {
  /** CCODE. */
  readonly code: string
  readonly name: string
  /** Its PPARMs: all of them have to be given, in this order. */
  readonly parameters: readonly ProgramParameter[]
}

export interface ProgramModel {
  readonly stored: readonly ProcessProgram[]
  /** Programs that it can store, 1 to 10,000; 100 when left out. */
  readonly capacity?: number
  /** Bytes of one program's body, 1 to 16,000,000; 1,000,000 when left out. */
  readonly longest?: number
  /** What a formatted program may have; left out, every command is taken and nothing is verified. */
  readonly commands?: readonly ProgramCommand[]
  /** PPIDs that a host can neither replace nor delete. */
  readonly locked?: readonly string[]
}
