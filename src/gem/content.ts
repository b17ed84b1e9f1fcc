import type { ReadValue } from '../catalogue/structure-data.js'

/** The values of a repeated item, as text. */
export function textsIn(value: ReadValue | undefined): string[] {
  if (value === undefined) return []
  return (typeof value === 'string' ? [value] : value).map(String)
}
