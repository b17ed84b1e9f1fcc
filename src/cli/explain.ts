import type { Explanation } from '../explanation/explanation.js'
import { ENTRIES, explanationsOf, nearWords } from '../explanation/vocabulary.js'
import { BaseCommand } from './base-command.js'
import { Failure } from './errors/failure.js'
import { optional } from './input/arguments.js'
import { CATALOGUE_FLAG, catalogueHere } from './messages/catalogue-flag.js'
import {
  explanationAsJson,
  explanationAsTsv,
  explanationInWords,
  WORD_COLUMNS,
} from './output/explanation-output.js'
import { verb } from './verb.js'

export const explainCommand = verb(BaseCommand, {
  summary: 'Explain what a word or a code means, and what to do about it. Offline.',
  description:
    'A message (S9F7), a data item (HCACK) or a value of one (HCACK=4), an error or last error (reply_timeout), an HTTP status (404), a state, a timer, an outcome, an exit code (exit 8), an HSMS message or its code (Reject 4), a format (U4). Without a word: all of them that are not in the catalogue. In the commands that it prints, EQ stands for the equipment, and other words in capitals for what they say.',
  usage: 'explain [WORD...]',
  examples: [
    'secsctl explain S9F7',
    'secsctl explain HCACK=4',
    'secsctl explain reply_timeout --json',
    'secsctl explain exit 8',
    'secsctl explain Reject 4',
  ],
  args: { word: optional('Such as T6, WAIT_CRA or Select.rsp 1.') },
  strict: false,
  flags: { catalogue: CATALOGUE_FLAG },
  async run(on, { words, flags }) {
    if (words.length === 0) return printAll(on)
    const { state } = on.folders
    const catalogue = await catalogueHere(on.environment.stdin, flags.catalogue, state, (text) =>
      on.note(text),
    )
    const phrase = words.join(' ')
    const whole = explanationsOf(phrase, catalogue)
    if (whole.length > 0) return print(on, phrase, whole)
    const each = words.map((word) => explanationsOf(word, catalogue))
    const unknown = words.length === 1 || each.every((found) => found.length === 0) ? phrase : undefined
    const missing = unknown ?? words.find((_, at) => each[at]?.length === 0)
    if (missing === undefined) return print(on, phrase, each.flat())
    const near = nearWords(missing, catalogue)
    throw new Failure(
      'missing',
      near.length === 0
        ? `nothing is known of "${missing}"`
        : `nothing is known of "${missing}"; near it: ${near.join(', ')}`,
      `secsctl explain${near[0] === undefined ? '' : ` ${near[0]}`}`,
    )
  },
})

function print(on: BaseCommand, word: string, found: readonly Explanation[]): void {
  if (on.format === 'json') return on.printJson({ word, explanations: found.map(explanationAsJson) })
  if (on.format === 'tsv') return on.print(found.map(explanationAsTsv).join(''))
  on.printPainted(found.map((one) => explanationInWords(one, on.sink.width)).join('\n\n'))
}

async function printAll(on: BaseCommand): Promise<void> {
  if (on.format === 'json') return on.printJson(ENTRIES.map(explanationAsJson))
  await on.printList(ENTRIES, WORD_COLUMNS, 'No words.')
}
