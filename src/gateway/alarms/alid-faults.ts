/** An ALID of a numeric format, as the gateway writes it. */
const NUMBER = /^(?:0|-?[1-9]\d*)$/

/**
 * Why `given` can be no ALID, as the end of a sentence about it; undefined where it can be one. `listed`: the ALIDs that
 * the equipment has listed. If one of them is text, an ALID such as `04001` or `4001-4003` is possible.
 */
export function alidFault(given: string, listed: Iterable<string>): string | undefined {
  if (given.trim() === '') return 'must not be blank'
  if (/\p{Cc}/u.test(given)) return 'must not have control characters'
  const isPadded = /^-?0\d+$/.test(given) || given === '-0'
  const isRange = /^\s*\d+\s*-\s*\d+\s*$/.test(given)
  if (!(isPadded || isRange) || [...listed].some((alid) => !NUMBER.test(alid))) return undefined
  return isRange ? 'must be one ALID, not a range' : 'must be a number without leading zeros'
}
