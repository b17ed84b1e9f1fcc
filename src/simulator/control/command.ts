import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import type { Simulator } from '../simulator.js'

/** What a command tells when it is done, as JSON. */
export type Told = Readonly<Record<string, unknown>>

/** A command that cannot be understood, or that the simulator cannot carry out now. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    /** `usage`: it is written wrong. `refused`: not now, or not by this equipment. */
    readonly kind: 'usage' | 'refused',
    message: string,
  ) {
    super(message)
  }
}

export interface Asked {
  readonly simulator: Simulator
  /** The words behind the command's name. */
  readonly words: readonly string[]
}

/** Something that a person or a script can have a running simulator do. */
export interface ControlCommand {
  readonly name: string
  /** What stands behind the name. */
  readonly takes: string
  readonly summary: string
  /** How many words it takes, at least and at most. */
  readonly least: number
  readonly most: number
  /** The line behind the name is one word as it stands, unless it begins with a quote. */
  readonly asItStands?: true
  /** What may stand first behind the name, for completion. */
  readonly first?: (simulator: Simulator) => readonly string[]
  /** Throws `Refusal`, and RangeError for a name or a value that does not fit. */
  run(asked: Asked): Told | Promise<Told>
}

const UNITS = { ms: 1, s: 1000, m: 60_000 } as const

/** Milliseconds of `500ms`, `3s` or `1m`, an hour at most. */
export function durationOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = Number(amount) * UNITS[(unit ?? 's') as keyof typeof UNITS]
  if (unit === undefined || ms > 3_600_000) {
    throw new Refusal('usage', `"${text}" is no duration such as 500ms, 3s or 1m, an hour at most`)
  }
  return ms
}

/** Such as `HCACK 2, cannot perform now`. */
export const codeInWords = (item: string, code: number): string =>
  `${item} ${code}, ${STANDARD_CATALOGUE.codeText(item, code)}`

export function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Refusal('usage', `on or off, not "${text}"`)
  return text === 'on'
}

/** A whole number within bounds, both allowed. */
export function wholeNumber(text: string, least: number, most: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new Refusal('usage', `"${text}" is no whole number from ${least} to ${most}`)
  }
  return number
}
