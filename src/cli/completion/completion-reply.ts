import { visible } from '../../kit/text/visible-text.js'
import type { Candidate } from './candidate.js'
import { type Candidates, candidatesFor, type Names } from './candidates.js'
import type { CommandTree } from './manifest.js'
import { escaped, type TypedLine, typedLine } from './typed-line.js'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** The question of a script: bash sends the line up to the cursor and its word breaks, the others the words. */
interface Question {
  readonly shell: Shell
  readonly line: TypedLine
  readonly breaks: string
}

function questionIn(args: readonly string[]): Question | undefined {
  const [name, given = '', ...rest] = args
  const shell = SHELLS.find((known) => known === name)
  if (shell === undefined) return undefined
  if (shell === 'bash') {
    const { words, ...line } = typedLine(given)
    return { shell, line: { ...line, words: words.slice(1) }, breaks: rest[0] ?? '' }
  }
  const at = Number(given)
  return { shell, line: { ...typedLine(rest[at] ?? ''), words: rest.slice(0, at) }, breaks: '' }
}

/** Bash replaces the text after the last character that it breaks words at, and keeps the rest as typed. */
function forBash({ value }: Candidate, { current, quote }: TypedLine, breaks: string): string {
  if (quote !== undefined) return value
  const kept = Math.max(
    ...[...breaks].filter((one) => ':='.includes(one)).map((one) => current.lastIndexOf(one)),
    -1,
  )
  return escaped(value.slice(kept + 1))
}

/** Line breaks and tabs would be read as another candidate. */
const flat = (text: string): string => visible(text.replace(/\s+/g, ' ').trim())

function lineOf(candidate: Candidate, { shell, line, breaks }: Question): string {
  if (shell === 'bash') return forBash(candidate, line, breaks)
  return `${candidate.value}\t${flat(candidate.description ?? '')}`
}

/** These two shells do not filter; the others may match better than by the beginning. */
const matched = ({ shell, line }: Question, { values }: Candidates): readonly Candidate[] =>
  shell === 'bash' || shell === 'powershell'
    ? values.filter(({ value }) => value.startsWith(line.current))
    : values

/** What is written for a script's question: the kind of candidates, and one a line. Empty for what is no question. */
export async function completionReply(
  args: readonly string[],
  tree: CommandTree,
  names: Names,
): Promise<string> {
  const question = questionIn(args)
  if (!question) return ''
  const found = await candidatesFor(tree, question.line.words, question.line.current, names)
  const lines = matched(question, found).map((candidate) => lineOf(candidate, question))
  return [found.kind, ...lines].map((line) => `${line}\n`).join('')
}
