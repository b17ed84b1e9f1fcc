import { formatOf, type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Format } from '../secs2/format.js'
import type { Followed } from './model.js'

/** Where in time an equipment is, in seconds. */
export interface Moment {
  /** The processing state. */
  readonly state: string | undefined
  readonly sinceEntering: number
  readonly sinceBeginning: number
}

/** What a variable is at a moment, in its format; undefined where it follows nothing then. */
export function followed({ format, phases }: Followed, moment: Moment, seed: number): TypedValue | undefined {
  const { state, sinceEntering, sinceBeginning } = moment
  const phase = phases.find(
    ({ while: states }) => states === undefined || (state !== undefined && states.includes(state)),
  )
  if (!phase) return undefined
  const number = phase.course(phase.while === undefined ? sinceBeginning : sinceEntering, seed)
  return valueAs(format, fitted(format, number))
}

/** The nearest that the format holds: whole numbers for all but F4, F8 and text. */
function fitted(format: Format, number: number): number {
  const bounds = BOUNDS[format]
  return bounds ? Math.min(Math.max(Math.round(number), bounds[0]), bounds[1]) : number
}

const BOUNDS: { readonly [Name in Format]?: readonly [number, number] } = {
  B: [0, 255],
  I1: [-128, 127],
  I2: [-32_768, 32_767],
  I4: [-2_147_483_648, 2_147_483_647],
  I8: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  U1: [0, 255],
  U2: [0, 65_535],
  U4: [0, 4_294_967_295],
  U8: [0, Number.MAX_SAFE_INTEGER],
}

/** A number that goes up by one, where the format still holds it. */
export function oneMore(value: TypedValue, number: number): TypedValue {
  return valueAs(formatOf(value), number + 1) ?? value
}
