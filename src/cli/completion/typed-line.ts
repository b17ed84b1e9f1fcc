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

/** What stands before the cursor. */
export interface TypedLine {
  /** The words that are complete, without quotes. */
  readonly words: readonly string[]
  /** The word at the cursor, without quotes; empty after a space. */
  readonly current: string
  /** The quote that is open at the cursor. */
  readonly quote: '"' | "'" | undefined
}

/** Splits a line as a POSIX shell would. Nothing in it is expanded or run. */
export function typedLine(text: string): TypedLine {
  const words: string[] = []
  let current = ''
  let begun = false
  let quote: TypedLine['quote']
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === '\\' && quote !== "'" && at + 1 < text.length) {
      current += text.charAt(++at)
      begun = true
    } else if (quote !== undefined) {
      if (letter === quote) quote = undefined
      else current += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      begun = true
    } else if (/\s/.test(letter)) {
      if (begun) words.push(current)
      current = ''
      begun = false
    } else {
      current += letter
      begun = true
    }
  }
  return { words, current, quote }
}

/** A text as bash takes it outside quotes. */
export const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}_./:=@%+,-]/gu, '\\$&')
