import { type TypedValue, valueAs } from '../gem/typed-value.js'
import type { Format } from '../secs2/format.js'
import { INTEGER_RANGES } from '../secs2/number.js'
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
  const ranges: { readonly [Name in Format]?: { readonly min: bigint; readonly max: bigint } } =
    INTEGER_RANGES
  const range = format === 'B' ? INTEGER_RANGES.U1 : ranges[format]
  if (!range) return number
  const minimum = Math.max(Number(range.min), Number.MIN_SAFE_INTEGER)
  return Math.min(Math.max(Math.round(number), minimum), Number(range.max), Number.MAX_SAFE_INTEGER)
}
