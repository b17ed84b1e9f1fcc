import type { LimitModel } from '../../gem/equipment/model/equipment-model.js'
import { numberIn } from '../../gem/typed-value.js'
import { optional, type Part, type Reading } from './reading.js'

export const readVariables = (reading: Reading): Part<'variables'> =>
  (reading.file.variables ?? []).map(({ id, name, unit = '', kind = 'status', source }, at) => ({
    id: String(id),
    name,
    unit,
    kind,
    value: reading.valueOf(String(id)),
    ...optional('source', source),
    ...optional('limits', readLimits(reading, at)),
  }))

function readLimits(reading: Reading, at: number): LimitModel | undefined {
  const { id, limits } = reading.file.variables?.[at] ?? {}
  if (!limits) return undefined
  const { minimum, maximum, event, defined } = limits
  const pointer = `/variables/${at}/limits`
  if (numberIn(reading.valueOf(String(id))) === undefined) {
    reading.note(pointer, 'only one number has limits')
  }
  if (minimum > maximum) reading.note(`${pointer}/minimum`, '`minimum` is above `maximum`')
  for (const [nth, { upper, lower }] of (defined ?? []).entries()) {
    if (lower > upper || lower < minimum || upper > maximum) {
      reading.note(`${pointer}/defined/${nth}`, '`minimum`, `lower`, `upper` and `maximum` do not rise')
    }
  }
  if (new Set(defined?.map((limit) => limit.id)).size < (defined?.length ?? 0)) {
    reading.note(`${pointer}/defined`, 'two have the same id')
  }
  const crossed = reading.event(event, `${pointer}/event`)
  return { minimum, maximum, ...optional('event', crossed), ...optional('limits', defined) }
}

export const readConstants = (reading: Reading): Part<'constants'> =>
  (reading.file.constants ?? []).map(({ id, unit = '', ...entry }, at) => {
    const value = reading.value(entry.value, `/constants/${at}/value`)
    if ((entry.minimum ?? entry.maximum) !== undefined && numberIn(value) === undefined) {
      reading.note(`/constants/${at}`, 'only one number has a minimum and a maximum')
    }
    return { ...entry, id: String(id), unit, value }
  })
