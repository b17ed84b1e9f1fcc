import type { NamedValue } from '../../contract/values.js'
import type { Column } from './output.js'

export const VALUE_COLUMNS: readonly Column<NamedValue>[] = [
  { title: 'ID', text: ({ id }) => id ?? '' },
  { title: 'NAME', text: ({ name }) => name ?? '' },
  { title: 'VALUE', text: ({ text }) => text },
  { title: 'UNIT', text: ({ unit }) => unit ?? '' },
]

/** What the equipment does not have, for people; undefined where it has all. */
export function missingValues(
  equipment: string,
  what: string,
  values: readonly NamedValue[],
): string | undefined {
  const ids = values.filter(({ value }) => value === null).map(({ id }) => id ?? '')
  return ids.length === 0 ? undefined : `${equipment} has no ${what} ${ids.join(', ')}`
}
