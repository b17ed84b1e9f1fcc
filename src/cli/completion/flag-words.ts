import type { Candidate } from './candidate.js'

/** Titles, and after one its direction. */
export function sortsBy(current: string, titles: readonly string[]): readonly Candidate[] {
  const [, title] = /^(.+):/.exec(current) ?? []
  return title === undefined
    ? titles.map((value) => ({ value }))
    : ['asc', 'desc'].map((direction) => ({ value: `${title}:${direction}` }))
}

/** Labels for `--label`; a change may also remove one, by `area-`. */
export function labelsToGive(labels: readonly Candidate[], command: string): readonly Candidate[] {
  if (command !== 'equipment:update') return labels
  const keys = new Set(labels.map(({ value }) => value.slice(0, value.indexOf('='))))
  return [...labels, ...[...keys].map((key) => ({ value: `${key}-`, description: 'remove it' }))]
}

/** A selector with one of the labels as its last requirement; values in parentheses are not completed. */
export function selectors(labels: readonly Candidate[], current: string): readonly Candidate[] {
  if (current.lastIndexOf('(') > current.lastIndexOf(')')) return []
  const start = current.slice(0, current.lastIndexOf(',') + 1)
  const isNegated = current.slice(start.length).includes('!=')
  return labels.map(({ value, description }) => ({
    value: start + (isNegated ? value.replace('=', '!=') : value),
    description,
  }))
}

/** A flag, and its value where `=` follows. */
export function split(word: string): readonly [string, string?] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}
