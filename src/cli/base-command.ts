import { Command, type Interfaces } from '@oclif/core'
import type { Clock } from '../kit/clock.js'
import { shellWord } from '../kit/shell-word.js'
import { visible, visibleLines } from '../kit/text/visible-text.js'
import { type Environment, environmentOf } from './environment.js'
import { wrongUsage } from './errors/failure.js'
import { FailedCommand, type Subject } from './errors/subject.js'
import { parseDuration, parseTime } from './input/durations.js'
import { equipmentInPlace } from './input/equipment-words.js'
import { switchFlag, textFlag } from './input/flags.js'
import { Prompts } from './input/prompts.js'
import { LIST_WATCH, watchGiven } from './input/repetition.js'
import { visiblePainted } from './output/highlight.js'
import { jsonText } from './output/json-text.js'
import { chosenColumns, csv, type ListChoice, requirePrintable, sortedRows } from './output/list-output.js'
import { type FormatTime, localTime } from './output/local-time.js'
import { ellipsis } from './output/locale.js'
import { argumentWords, flagWords, type MemberWords, memberWord } from './output/member-words.js'
import { type Column, FORMATS, type Format, record, type Sink, table, tsv } from './output/output.js'
import { Progress } from './output/progress.js'
import { linesFor } from './output/terminal-text.js'
import { type Folders, foldersOf } from './profile/folders.js'

/** The formats that most commands can print. */
const USUAL: readonly Format[] = ['table', 'tsv', 'json']

/** What prints one record. */
export const RECORD_FORMATS: readonly Format[] = ['table', 'tsv', 'yaml', 'json']

/** The `-o` flag of a command that can print more, or less, than most. */
export const outputFlag = (formats: readonly string[] = USUAL) =>
  textFlag(formats.join('|'), `How to print the result: ${formats.join(', ')}.`, {
    char: 'o',
    options: [...formats],
    helpGroup: 'GLOBAL',
  })

export const GLOBAL_FLAGS = {
  url: textFlag('URL', 'Address of the gateway.', { helpGroup: 'GLOBAL' }),
  profile: textFlag('NAME', 'Profile to use.', { helpGroup: 'GLOBAL' }),
  output: outputFlag(),
  json: switchFlag("Print JSON with the API's names; a list is an array.", { helpGroup: 'GLOBAL' }),
  'no-input': switchFlag('Never ask a question.', { helpGroup: 'GLOBAL' }),
}

/** The same for a command that asks no gateway: it refuses the flags that choose one. */
const OFFLINE_FLAGS: typeof GLOBAL_FLAGS = {
  ...GLOBAL_FLAGS,
  url: { ...GLOBAL_FLAGS.url, hidden: true },
  profile: { ...GLOBAL_FLAGS.profile, hidden: true },
}

type Globals = Partial<Interfaces.InferredFlags<typeof GLOBAL_FLAGS>>

interface KnownFlag {
  readonly hidden?: boolean
  readonly helpValue?: unknown
  readonly options?: readonly string[]
}

/** What every command has: the global flags, and one way to print. Results go to standard output alone. */
export abstract class BaseCommand extends Command {
  static override baseFlags = OFFLINE_FLAGS

  /** What it is about, for the hint when it fails. */
  readonly subject: Subject = {}
  /** Its words for members of the request that are no flag of the same name. */
  readonly words: MemberWords = {}
  /** How it prints where nothing is chosen and nobody looks. */
  readonly pipeFormat: Format = 'tsv'
  #environment: Environment | undefined
  #globals: Globals = {}
  #formats: readonly string[] = USUAL
  #choice: ListChoice = {}
  /** Loaded where it is asked for. */
  #yamlText: (value: unknown) => string = () => ''

  get environment(): Environment {
    return this.#environment ?? environmentOf(this.config)
  }

  /** A list with --watch is run again and again, each time as a command of its own. */
  protected override async _run<T>(): Promise<T> {
    const isWatched = this.ctor.flags?.['watch'] === LIST_WATCH && !this.#environment
    const watch = isWatched ? watchGiven(this.argv) : undefined
    if (!watch) return super._run()
    const { watchList } = await import('./watched-list.js')
    const title = ['secsctl', ...(this.id ?? '').split(':'), ...watch.words.map(shellWord)].join(' ')
    const list = async (environment: Environment): Promise<Format> => {
      const run = this.twin(environment, watch.words)
      await run._run()
      return run.format
    }
    await watchList({ environment: this.environment, interval: watch.interval, title, list })
    return undefined as T
  }

  /** The same command, as its words were read, in another environment. */
  protected twin(environment: Environment, words = this.argv): this {
    const Same = this.ctor as unknown as new (words: string[], config: typeof this.config) => this
    const twin = new Same(words, this.config)
    twin.id = this.id
    twin.#environment = environment
    twin.#globals = this.#globals
    twin.#formats = this.#formats
    twin.#choice = this.#choice
    twin.#yamlText = this.#yamlText
    Object.assign(twin.subject, this.subject)
    return twin
  }

  get clock(): Clock {
    return this.environment.clock
  }

  /** The folders of this user. */
  get folders(): Folders {
    return foldersOf(this.environment)
  }

  get globals(): Globals {
    return this.#globals
  }

  get format(): Format {
    if (this.#globals.json) return 'json'
    const wanted = this.#globals.output ?? this.environment.variables['SECSCTL_OUTPUT']
    const format = FORMATS.find((known) => known === wanted)
    // The variable is meant for all commands: where one cannot print so, it prints as usual.
    if (format && this.#formats.includes(format)) return format
    return this.environment.stdout.isTTY ? 'table' : this.pipeFormat
  }

  /** A file has room for any width: nothing is cut in it, and nothing in a wide table. */
  get #tableWidth(): number {
    return this.environment.stdout.isTTY && this.format !== 'wide'
      ? this.sink.width
      : Number.POSITIVE_INFINITY
  }

  #table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<string> {
    return table(rows, columns, this.#tableWidth, ellipsis(this.environment.variables))
  }

  get sink(): Sink {
    return {
      isTerminal: this.format === 'table' || this.format === 'wide',
      width: this.environment.stdout.columns || 80,
    }
  }

  /** Formats times: local for people, as the gateway gave them for programs. */
  get formatTime(): FormatTime {
    const local = this.sink.isTerminal
    const now = this.clock.date()
    return (iso) => (iso === null ? '' : local ? localTime(iso, now) : iso)
  }

  get prompts(): Prompts {
    return new Prompts(this.environment, this.#globals['no-input'] === true)
  }

  /** Does something that takes a while, which `text` names to people. */
  async during<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    const progress = new Progress(this.environment, this.format === 'json')
    if (text !== '') progress.start(text)
    try {
      return await work(progress)
    } finally {
      progress.stop()
    }
  }

  protected override async parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(
    options?: Interfaces.Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const known: Readonly<Record<string, KnownFlag>> = { ...this.ctor.baseFlags, ...this.ctor.flags }
    if (this.id !== undefined) this.subject.command = this.id.replaceAll(':', ' ')
    const words = {
      ...argumentWords(this.ctor.args ?? {}),
      ...this.words,
      ...flagWords(this.ctor.flags ?? {}),
    }
    const [example] = this.ctor.examples ?? []
    if (typeof example === 'string') this.subject.example = example
    this.subject.flags = Object.entries(known).flatMap(([name, { hidden }]) => (hidden ? [] : [name]))
    this.subject.wordOf = (pointer) => memberWord(pointer, words)
    const { args = {}, flags = {} } = this.ctor
    const inPlace = equipmentInPlace(argv, { args, flags: { ...this.ctor.baseFlags, ...flags } })
    const parsed = await super.parse<F, B, A>(options, inPlace)
    this.#globals = parsed.flags as Globals
    for (const [name, value] of Object.entries(parsed.flags)) {
      const { hidden, helpValue } = known[name] ?? {}
      // A flag without an effect is an error: its user means another gateway.
      if (hidden && value !== undefined)
        throw wrongUsage(`${this.subject.command} asks no gateway: --${name} has no effect here`)
      // Checked before the gateway is called.
      if (typeof value === 'string' && helpValue === 'DURATION') parseDuration(value, `--${name}`)
      if (typeof value === 'string' && helpValue === 'TIME') parseTime(value, `--${name}`, this.clock.date())
    }
    this.#formats = known['output']?.options ?? USUAL
    const given = this.environment.variables['SECSCTL_OUTPUT']
    if (given && !FORMATS.some((format) => format === given))
      throw wrongUsage(`SECSCTL_OUTPUT is one of ${FORMATS.join(', ')}; not "${given}"`)
    if (this.format === 'yaml') this.#yamlText = (await import('./output/yaml-output.js')).yamlText
    this.#choice = parsed.flags as ListChoice
    requirePrintable(this.#choice, this.format)
    return parsed
  }

  /** Whether a list is printed as a whole, and not page by page. */
  get isWhole(): boolean {
    return this.format === 'yaml' || this.#choice.sort !== undefined
  }

  /** Errors are printed in one place, where the process ends. */
  protected override async catch(error: Error): Promise<never> {
    throw new FailedCommand(error, this.subject)
  }

  write(text: string): void {
    this.environment.stdout.write(text)
  }

  /** A hint or a warning for people, on standard error; not with JSON. */
  note(text: string): void {
    if (this.format !== 'json') this.notice(text)
  }

  /** News of a command that follows something, in every format: it explains why nothing is printed. */
  notice(text: string): void {
    const { stderr } = this.environment
    stderr.write(`${linesFor(stderr, visibleLines(text))}\n`)
  }

  /** Text in lines, perhaps with tabs between columns; no other control gets through. */
  print(text: string): void {
    this.printAsIs(visible(text, '\n\t'))
  }

  /** The same for text that `paint` was used on. */
  printPainted(text: string): void {
    this.printAsIs(visiblePainted(text))
  }

  /** Text for programs, such as a script or the lines of a file: not a character is changed. */
  printAsIs(text: string): void {
    this.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** Bytes of equipment: as they are for programs, as text without control characters on a terminal. */
  printBytes(bytes: Uint8Array): void {
    const { stdout } = this.environment
    if (!stdout.isTTY) return void stdout.write(bytes)
    const text = textOfBytes(bytes).replaceAll('\r\n', '\n')
    if (text !== '') this.print(text)
    if (text !== visible(text, '\n\t'))
      this.note('Control characters are shown as \\x1b; --to FILE writes the exact bytes.')
  }

  printJson(value: unknown): void {
    this.write(`${jsonText(value, this.environment.stdout.isTTY ? 2 : undefined)}\n`)
  }

  /** One object of a stream, on a line of its own. */
  printLine(value: object): void {
    this.write(`${jsonText(value)}\n`)
  }

  async printList<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    none: string,
    isFirst = true,
  ): Promise<void> {
    const sorted = sortedRows(rows, columns, this.#choice)
    if (this.format === 'json') return this.printJson(sorted)
    if (rows.length === 0 && none !== '') this.note(none)
    if (this.format === 'yaml') return this.#writeData(this.#yamlText(sorted))
    const chosen = chosenColumns(columns, this.#choice)
    if (this.format === 'tsv') return void this.write(tsv(sorted, chosen))
    if (this.format === 'csv') return this.#writeData(csv(sorted, chosen, isFirst))
    if (rows.length === 0) return
    const drawn = await this.#table(sorted, chosen)
    this.write(isFirst ? drawn : drawn.slice(drawn.indexOf('\n') + 1))
  }

  /** Data as they are for programs; on a terminal without the characters that would steer it. */
  #writeData(text: string): void {
    this.write(this.environment.stdout.isTTY ? visibleLines(text.replaceAll('\r\n', '\n')) : text)
  }

  /** One record, as a list of one. */
  async printOne<Row>(row: Row, columns: readonly Column<Row>[]): Promise<void> {
    if (this.format === 'json') this.printJson(row)
    else await this.printList([row], columns, '')
  }

  /** What was done: the record for programs, the text for people. */
  printDone(value: object, text: string): void {
    if (this.format === 'json') this.printJson(value)
    else this.note(text)
  }

  /** Further rows of a list whose titles are printed already. */
  async printFurther<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    return this.printList(rows, columns, '', false)
  }

  printRecord(value: unknown, fields: readonly (readonly [string, string])[]): void {
    if (this.format === 'json') return this.printJson(value)
    if (this.format === 'yaml') return this.#writeData(this.#yamlText(value))
    this.write(record(fields, { ...this.sink, width: this.#tableWidth }))
  }

  /** Asks before something is deleted. `yes` is the flag --yes. */
  async confirmed(question: string, yes: boolean): Promise<void> {
    if (yes) return
    const otherwise = `${question.replace(/\?$/, '')}: nobody can be asked here, so add --yes`
    if (!(await this.prompts.confirm(question, otherwise))) throw wrongUsage('nothing was done')
  }
}

/** UTF-8, or Latin-1 where the bytes are no UTF-8. */
function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}
