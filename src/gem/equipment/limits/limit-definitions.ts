import { formatOf, numberIn, valueAs } from '../../typed-value.js'
import type { Limit, Variable } from '../equipment-model.js'

/** LVACK and LIMITACK (SEMI E5). */
const LVACK = { noSuchVariable: 1, cannotHaveLimits: 2, namedTwice: 3, limitWrong: 4 } as const
const LIMITACK = {
  noSuchLimit: 1,
  aboveMaximum: 2,
  belowMinimum: 3,
  upperBelowLower: 4,
  illegalFormat: 5,
  noNumber: 6,
  definedTwice: 7,
} as const

const MAX_LIMITS = 7

/** An end of a dead band from the host; undefined where it is not exactly one value. */
export type GivenBound = string | undefined

/** One limit of S2F45; without a dead band it is removed. */
export interface LimitDefinition {
  readonly id: number
  readonly deadBand?: { readonly upper: GivenBound; readonly lower: GivenBound }
}

/** The limits of one variable; an empty list removes all of them. */
export interface VariableLimits {
  readonly variable: string
  readonly limits: readonly LimitDefinition[]
}

export interface LimitFault {
  readonly variable: string
  readonly lvack: number
  readonly limit?: number
  readonly limitack?: number
}

/** The faults in the requested limits of variables; none when they are possible. `find` is by id. */
export function limitFaults(
  wanted: readonly VariableLimits[],
  find: (id: string) => Variable | undefined,
): LimitFault[] {
  const seen = new Set<string>()
  return wanted.flatMap(({ variable, limits }): LimitFault[] => {
    const known = find(variable)
    if (!known) return [{ variable, lvack: LVACK.noSuchVariable }]
    if (!known.limits) return [{ variable, lvack: LVACK.cannotHaveLimits }]
    if (seen.has(variable)) return [{ variable, lvack: LVACK.namedTwice }]
    seen.add(variable)
    return faultsOf(known, limits)
  })
}

function faultsOf(variable: Variable, limits: readonly LimitDefinition[]): LimitFault[] {
  const seen = new Set<number>()
  for (const definition of limits) {
    const limitack = seen.has(definition.id) ? LIMITACK.definedTwice : faultOf(variable, definition)
    seen.add(definition.id)
    if (limitack !== undefined) {
      return [{ variable: variable.id, lvack: LVACK.limitWrong, limit: definition.id, limitack }]
    }
  }
  return []
}

function faultOf(variable: Variable, { id, deadBand }: LimitDefinition): number | undefined {
  if (!Number.isInteger(id) || id < 1 || id > MAX_LIMITS) return LIMITACK.noSuchLimit
  if (!deadBand) return undefined
  if (deadBand.upper === undefined || deadBand.lower === undefined) return LIMITACK.illegalFormat
  if (!isNumber(deadBand.upper) || !isNumber(deadBand.lower)) return LIMITACK.noNumber
  const limit = limitOf(variable, { id, deadBand })
  if (!limit || !variable.limits) return LIMITACK.illegalFormat
  if (limit.upper > variable.limits.maximum) return LIMITACK.aboveMaximum
  if (limit.lower < variable.limits.minimum) return LIMITACK.belowMinimum
  return limit.upper < limit.lower ? LIMITACK.upperBelowLower : undefined
}

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text))

/** The limit of a definition; undefined where it has none, or does not fit the variable's format. */
export function limitOf(variable: Variable, { id, deadBand }: LimitDefinition): Limit | undefined {
  const upper = numberAs(variable, deadBand?.upper)
  const lower = numberAs(variable, deadBand?.lower)
  return upper === undefined || lower === undefined ? undefined : { id, upper, lower }
}

function numberAs(variable: Variable, bound: GivenBound): number | undefined {
  const value = bound === undefined ? undefined : valueAs(formatOf(variable.value), bound)
  return value && numberIn(value)
}
