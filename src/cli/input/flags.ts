import { Flags } from '@oclif/core'
import type { BooleanFlag, OptionFlag } from '@oclif/core/interfaces'

/** The group of flags that `--help` leaves out where a command has many, and `--help-all` shows. */
export const RARE = 'RARE'

/** Flags that few people use. */
export const rare = <F extends Readonly<Record<string, object>>>(flags: F): F =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup: RARE }]),
  ) as unknown as F

/** Whatever else oclif knows of a flag. */
type More<T> = Partial<OptionFlag<T>>
type Given<T> = { readonly default: T } | { readonly required: true }

/** A flag with a value; `helpValue` stands for it in the help. */
export function textFlag(
  helpValue: string,
  summary: string,
  more: More<string> & Given<string>,
): OptionFlag<string>
export function textFlag(
  helpValue: string,
  summary: string,
  more?: More<string | undefined>,
): OptionFlag<string | undefined>
export function textFlag(helpValue: string, summary: string, more: object = {}): unknown {
  return Flags.string({ helpValue, summary, ...more })
}

/** The same for a flag that may be repeated. */
export const textsFlag = (helpValue: string, summary: string, more: More<string[] | undefined> = {}) =>
  Flags.string({ helpValue, summary, ...more, multiple: true, multipleNonGreedy: true })

interface Range {
  readonly min?: number
  readonly max?: number
}

/** A flag with a whole number. */
export function numberFlag(summary: string, more: Range & More<number> & Given<number>): OptionFlag<number>
export function numberFlag(
  summary: string,
  more?: Range & More<number | undefined>,
): OptionFlag<number | undefined>
export function numberFlag(summary: string, more: object = {}): unknown {
  return Flags.integer({ helpValue: 'N', summary, ...more })
}

/** A flag without a value. */
export const switchFlag = (summary: string, more: Partial<BooleanFlag<boolean>> = {}) =>
  Flags.boolean({ summary, ...more })

/** A flag with one of some values. */
export function choiceFlag<T extends string>(
  options: readonly T[],
  summary: string,
  more: More<T> & Given<T>,
): OptionFlag<T>
export function choiceFlag<T extends string>(
  options: readonly T[],
  summary: string,
  more?: More<T | undefined>,
): OptionFlag<T | undefined>
export function choiceFlag(options: readonly string[], summary: string, more: object = {}): unknown {
  return Flags.option({ options, summary, ...more })()
}

/** The same for a flag that may be repeated. */
export function choicesFlag<T extends string>(
  options: readonly T[],
  summary: string,
  more: More<T[]> & { readonly required: true },
): OptionFlag<T[]>
export function choicesFlag<T extends string>(
  options: readonly T[],
  summary: string,
  more?: More<T[] | undefined>,
): OptionFlag<T[] | undefined>
export function choicesFlag(options: readonly string[], summary: string, more: object = {}): unknown {
  const several = { multiple: true, multipleNonGreedy: true } as const
  return Flags.option({ options, summary, ...more, ...several })()
}
