import { BaseCommand } from '../src/cli/base-command.js'
import { Failure } from '../src/cli/errors/failure.js'
import { optional } from '../src/cli/input/arguments.js'
import { CATALOGUE_FLAG, catalogueHere } from '../src/cli/messages/catalogue-flag.js'
import {
  explanationAsJson,
  explanationAsTsv,
  explanationInWords,
  WORD_COLUMNS,
} from '../src/cli/output/explanation-output.js'
import type { Explanation } from '../src/explanation/explanation.js'
import { ENTRIES, explanationsOf, nearWords } from '../src/explanation/vocabulary.js'

export default class ExplainCommand extends BaseCommand {
  static override summary = 'Explain what a word or a code means, and what to do about it. Offline.'
  static override description =
    'A message (S9F7), a data item (HCACK) or a value of one (HCACK=4), an error or last error (reply_timeout), an HTTP status (404), a state, a timer, an outcome, an exit code (exit 8), an HSMS message or its code (Reject 4), a format (U4). Without a word: all of them that are not in the catalogue. In the commands that it prints, EQ stands for the equipment, and other words in capitals for what they say.'
  static override strict = false
  static override usage = 'explain [WORD...]'
  static override examples = [
    'secsctl explain S9F7',
    'secsctl explain HCACK=4',
    'secsctl explain reply_timeout --json',
    'secsctl explain exit 8',
    'secsctl explain Reject 4',
  ]
  static override args = { word: optional('Such as T6, WAIT_CRA or Select.rsp 1.') }
  static override flags = { catalogue: CATALOGUE_FLAG }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ExplainCommand)
    const words = argv.map(String)
    if (words.length === 0) return this.#printAll()
    const { state } = this.folders
    const catalogue = await catalogueHere(this.environment.stdin, flags.catalogue, state, (text) =>
      this.note(text),
    )
    const phrase = words.join(' ')
    const whole = explanationsOf(phrase, catalogue)
    if (whole.length > 0) return this.#print(phrase, whole)
    const each = words.map((word) => explanationsOf(word, catalogue))
    const unknown = words.length === 1 || each.every((found) => found.length === 0) ? phrase : undefined
    const missing = unknown ?? words.find((_, at) => each[at]?.length === 0)
    if (missing === undefined) return this.#print(phrase, each.flat())
    const near = nearWords(missing, catalogue)
    throw new Failure(
      'missing',
      near.length === 0
        ? `nothing is known of "${missing}"`
        : `nothing is known of "${missing}"; near it: ${near.join(', ')}`,
      `secsctl explain${near[0] === undefined ? '' : ` ${near[0]}`}`,
    )
  }

  #print(word: string, found: readonly Explanation[]): void {
    if (this.format === 'json') return this.printJson({ word, explanations: found.map(explanationAsJson) })
    if (this.format === 'tsv') return this.print(found.map(explanationAsTsv).join(''))
    this.printPainted(found.map((one) => explanationInWords(one, this.sink.width)).join('\n\n'))
  }

  async #printAll(): Promise<void> {
    if (this.format === 'json') return this.printJson(ENTRIES.map(explanationAsJson))
    await this.printList(ENTRIES, WORD_COLUMNS, 'No words.')
  }
}
