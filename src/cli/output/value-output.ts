import type { NamedValue } from '../../contract/values.js'
import { argumentWord } from '../../kit/shell-word.js'
import { Failure } from '../errors/failure.js'
import type { Column } from './output.js'

export const VALUE_COLUMNS: readonly Column<NamedValue>[] = [
  { title: 'ID', text: ({ id }) => id ?? '' },
  { title: 'NAME', text: ({ name }) => name ?? '' },
  { title: 'VALUE', text: ({ text }) => text },
  { title: 'UNIT', text: ({ unit }) => unit ?? '' },
]

/** Whether the equipment reports an event or alarm, as far as it is known. */
export const enabledText = ({ enabled }: { readonly enabled: boolean | null }): string =>
  enabled === null ? 'unknown' : enabled ? 'yes' : 'no'

/** Throws `missing` with what the equipment does not have. */
export function requireValues(
  equipment: string,
  what: 'constant' | 'status variable',
  values: readonly NamedValue[],
): void {
  const ids = values.filter(({ value }) => value === null).map(({ id }) => id ?? '')
  if (ids.length === 0) return
  const topic = what === 'constant' ? 'constants' : 'variables'
  throw new Failure(
    'missing',
    `${equipment} has no ${what} ${ids.join(', ')}`,
    `secsctl ${topic} list ${argumentWord(equipment)}`,
  )
}
