import { type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Format } from '../secs2/format.js'
import type { VariableWaveforms } from './model.js'

/** A moment in the processing of an equipment; times in seconds. */
export interface Moment {
  /** The processing state. */
  readonly state: string | undefined
  readonly sinceEntering: number
  readonly sinceStart: number
}

/** The value of a variable at a moment, in its format; undefined where no waveform applies then. */
export function valueAt(
  { format, phases }: VariableWaveforms,
  moment: Moment,
  seed: number,
): TypedValue | undefined {
  const { state, sinceEntering, sinceStart } = moment
  const phase = phases.find(
    ({ while: states }) => states === undefined || (state !== undefined && states.includes(state)),
  )
  if (!phase) return undefined
  const number = phase.waveform(phase.while === undefined ? sinceStart : sinceEntering, seed)
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
