import type { Explanation } from '../../explanation/explanation.js'
import { visible } from '../../kit/text/visible-text.js'
import { paint } from './highlight.js'
import { type Column, cellLines } from './output.js'
import { wrapped } from './terminal-text.js'

/** Words folded into lines no longer than `width`, each after `indent`. */
export const folded = (text: string, width: number, indent = ''): string =>
  wrapped(indent + text, width).join('\n')

/** Longer lines are hard to read, however wide the terminal. */
const MAX_WIDTH = 100

/** An explanation for a person. */
export function explanationInWords(found: Explanation, width: number): string {
  const room = Math.min(width, MAX_WIDTH)
  const widest = Math.max(0, ...found.facts.map(([name]) => name.length))
  const facts = found.facts.map(([name, text]) => {
    const rest = folded(visible(text), room, ' '.repeat(widest + 4))
    return `  ${name.padEnd(widest)}  ${rest.trimStart()}`
  })
  return [
    `${paint.bold(visible(found.word))}  ${paint.dim(found.kind)}`,
    folded(visible(found.meaning), room, '  '),
    ...(facts.length === 0 ? [] : ['', ...facts]),
    '',
    'What to do',
    folded(visible(found.next), room, '  '),
    '',
    'Try',
    ...found.commands.map((command) => `  ${visible(command)}`),
  ].join('\n')
}

/** A line a fact, its kind first: `word`, `meaning`, `fact`, `next`, `try`. */
export const explanationAsTsv = (found: Explanation): string =>
  cellLines([
    ['word', found.word, found.kind],
    ['meaning', found.meaning],
    ...found.facts.map(([name, text]) => ['fact', name, text]),
    ['next', found.next],
    ...found.commands.map((command) => ['try', command]),
  ])

export const explanationAsJson = ({ word, kind, meaning, facts, next, commands }: Explanation) => ({
  word,
  kind,
  meaning,
  facts: Object.fromEntries(facts),
  next,
  try: commands,
})

/** One line of the list of all words. */
export const WORD_COLUMNS: readonly Column<Explanation>[] = [
  { title: 'WORD', text: ({ word }) => word },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'MEANING', text: ({ meaning }) => meaning },
]
