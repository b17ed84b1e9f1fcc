import type { Content } from './role.js'

/** The values of a repeated item, as text. */
export function textsIn(value: unknown): string[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}

/** The members of a repeated group. */
export function rowsIn(value: unknown): Content[] {
  return Array.isArray(value)
    ? value.filter((row): row is Content => typeof row === 'object' && row !== null)
    : []
}
